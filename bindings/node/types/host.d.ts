import type { Failure } from './error.js';
/** What is in force at a boundary; numbers are texts, as given. */
export interface HostOptions {
    policyJson?: string;
    preset?: string;
    limitBytes?: string;
    limitTokens?: string;
    wireProfile?: string;
    reportOnly: boolean;
    accounts: boolean;
}
/** What is known of one call. */
export interface HostCall {
    tool?: string;
    revision?: string;
    client?: string;
    /** `none`, or the schema as JSON text; nothing is known where absent. */
    outputSchema?: string;
    maxBytes?: string;
    maxTokens?: string;
    /** What came in: `tool` where absent. */
    kind?: string;
    /** The full report of an earlier boundary, as JSON text. */
    previousReport?: string;
}
/** A result as it came out. */
export interface HostAnswer {
    outcome: string;
    /** Absent where the input itself is to be sent. */
    output?: string | Uint8Array;
    reportJson?: string;
    failure?: Failure;
    account?: Account;
}
/** Sizes and time of one call. */
export interface Account {
    inBytes: number;
    outBytes: number;
    enforced: boolean;
    elapsedMicros: number;
    /** The preset in force, where one could be settled. */
    preset?: string;
    /** Who chose that preset. */
    presetChosenBy?: string;
}
/** One boundary of a host. `undefined` and `null` stand for an input that goes out as it is. */
export interface HostBoundary {
    fit(input: string | Uint8Array, call: HostCall | undefined): HostAnswer | null | undefined;
    fitAsync(input: string | Uint8Array, call: HostCall | undefined): Promise<HostAnswer | null | undefined>;
    measure(input: string | Uint8Array, call: HostCall | undefined): Measurement | Failure;
    measureTools(list: string, call: HostCall): ToolsMeasurement | Failure;
    /** Nothing where the list stays as it is. */
    prepareTools(list: string, call: HostCall): string | Failure | null | undefined;
    inForce(call: HostCall): Settings | Failure;
    failureResult(code: string, numbers: number[], call: HostCall): string | undefined;
    fitUnder(input: string, call: HostCall, limits: Record<string, number>): HostAnswer | null | undefined;
}
/** A loaded engine. */
export interface Host {
    readonly kind: 'addon' | 'wasm';
    readonly sha256: string;
    limitRows(): LimitRow[];
    presetRows(): PresetRow[];
    boundary(options: HostOptions): HostBoundary | Failure;
}
/** The sizes that the limits speak of, in bytes of the wire profile. */
export interface Measurement {
    /** The result as it came in. */
    resultBytes: number;
    /** The same without white space between tokens. */
    compactBytes: number;
    /** What a model reads. */
    textBytes: number;
    /** The same in tokens, as `max_text_tokens` counts them. */
    textTokens: number;
    /** The same in lines, as `max_text_lines` counts them. */
    textLines: number;
    /** Encoded `structuredContent`; zero where there is none. */
    structuredBytes: number;
    /** Base64 of images, audio and blobs. */
    binaryBytes: number;
    /** Blocks in `content`. */
    contentItems: number;
    /** Containers nested inside one another. */
    nestingDepth: number;
    /** The large parts, in document order, at most 64. */
    parts: Part[];
}
/** A part of a result that is worth showing: large in itself. */
export interface Part {
    /** JSON Pointer into the result, at most 128 bytes. */
    pointer: string;
    /** `object`, `array`, `string`, `number`, `true`, `false` or `null`. */
    kind: string;
    /** Its compact encoding, in bytes. */
    encodedBytes: number;
    /** Its items or members; zero for a scalar. */
    childrenItems: number;
}
/** The sizes of a list of tools, in bytes of compact JSON. */
export interface ToolsMeasurement {
    /** The whole result. */
    listBytes: number;
    /** Tools in the list. */
    toolsItems: number;
    /** Whether it is within the limit of a whole result. */
    fits: boolean;
    /** The first tools, at most 1,000. */
    tools: ToolSizes[];
}
/** The sizes of one tool in a list. */
export interface ToolSizes {
    /** Its name, at most 128 bytes of it. */
    name: string;
    /** The whole entry. */
    toolBytes: number;
    /** `description`. */
    descriptionBytes: number;
    /** `inputSchema`. */
    inputSchemaBytes: number;
    /** `outputSchema`; zero where there is none. */
    outputSchemaBytes: number;
}
/** What is in force for one call. */
export interface Settings {
    /** The limits, by their names in a policy document; one that is off is absent. */
    limits: Record<string, number>;
    /** The revision that the two sides speak. */
    revision: string;
    /** How the host prints. */
    wireProfile: string;
    /** What happens to a text that repeats `structuredContent`. */
    mirror: string;
    /** Where the notice stands. */
    notice: string;
    /** Which part of a long text stays. */
    textKeep: string;
    /** What happens to the escape sequences of terminals: `keep` or `strip`. */
    ansi: string;
    /** Top-level keys to keep although the protocol does not name them. */
    keepFields: string[];
    /** The preset that was laid down last; what policy and call say is laid over it. */
    preset: string;
    /** Who chose it: `request` (this server), `client`, `policy` or `default`. */
    presetChosenBy: string;
    /** What happens to a result of `resources/read`: `whole` or `cut`. */
    resources: string;
    /** Prepared input schemas have the optional argument `max_bytes`. */
    callArgument: boolean;
    /** The longest description of a tool in a prepared list; absent where there is no such limit. */
    maxDescriptionBytes?: number;
}
/** One limit of the product. */
export interface LimitRow {
    /** Its name in a policy document; the unit is its last word. */
    name: string;
    /** Smallest legal value, inclusive. */
    min: number;
    /** Value when nothing is said; absent where the limit is off. */
    defaultValue?: number;
    /** Largest legal value, inclusive. */
    max: number;
    /** The rule of the contract behind it. */
    rule: string;
    /** What it counts. */
    counts: string;
}
/** The ceilings of a named size, or of a client. */
export interface PresetRow {
    /** Its name. */
    name: string;
    /** What a model reads. */
    maxTextBytes: number;
    /** The same in tokens; absent where that is off. */
    maxTextTokens?: number;
    /** The same in lines; absent where that is off. */
    maxTextLines?: number;
    /** Base64 of all blocks. */
    maxBinaryBytes: number;
    /** The whole result. */
    maxResultBytes: number;
    /** The names by which clients that take it call themselves; a `*` at the end stands for any rest. */
    clientNames: string[];
    /** What the client does by itself, in one sentence; empty for a size. */
    clientRule: string;
    /** Where that is told; empty for a size. */
    source: string;
}
/** Whether a host answered with a failure. */
export declare function isFailure(answer: object): answer is Failure;
