import { type Attachment, type AttachOptions } from './attach.js';
import { Engine } from './engine.js';
import { type Failure } from './error.js';
import { type Measurement, type Settings, type ToolsMeasurement } from './host.js';
/** What is in force at a boundary. */
export interface BoundaryOptions {
    /**
     * A preset by name; `auto` (default) takes that of the client of each call,
     * where the engine knows it, else the policy's own, else `normal`.
     */
    preset?: string;
    /** The policy document: JSON text, or the object that it stands for. */
    policy?: string | object;
    /** Whose results these are, for the reports; asked for at each call where it is a function. */
    tenant?: string | (() => string);
    /** The limit of the whole result in bytes; caps the text and binary ceilings too. */
    limitBytes?: number;
    /** A limit of what a model reads, in tokens. */
    limitTokens?: number;
    /** The wire profile: how results are printed after this boundary. */
    profile?: string;
    /** `report-only` measures and changes nothing. */
    mode?: 'enforce' | 'report-only';
    /** Called once for each result, before it is returned. */
    onReport?: (report: CallReport) => void;
    /** The engine; that of the process unless told. */
    engine?: Engine;
    /** Takes each line of the log; standard error unless told. */
    logger?: (line: string) => void;
}
/** What came in. */
export type ResultKind = 'tool' | 'prompt' | 'resource' | 'task' | 'error' | 'list' | 'other';
/** What is known of one call. */
export interface Call {
    /** What came in: the result of a tool unless told. */
    kind?: ResultKind;
    /** The full report of an earlier boundary that cut this result: the object, or its JSON text. */
    previousReport?: object | string;
    /** The tool's name, for its row in the policy. */
    tool?: string;
    /** The protocol revision as a date; the newest known where absent. */
    revision?: string;
    /**
     * The tool's output schema: an object or JSON text, `'none'` where the tool
     * declares none, `'unknown'` (default) where nobody told.
     */
    outputSchema?: 'none' | 'unknown' | object | string;
    /** The budget that the client asks for in this call, in bytes. */
    maxBytes?: number;
    /** The same in tokens of what a model reads. */
    maxTokens?: number;
    /** The client's name, as it calls itself, for the preset `auto` and the report. */
    client?: string;
}
/** A result as it came out, with its account. */
export interface Answer<T> {
    /** The result to send; the input itself where `outcome` is `unchanged`. */
    result: T;
    /** How it came out; in report-only mode how it would have. */
    outcome: Outcome;
    /** What was cut and repaired, where anything was. */
    report?: Report;
    /** Why there is no result of the tool, where there is none. */
    failure?: Failure;
}
/** How a result came out. */
export type Outcome = 'unchanged' | 'compacted' | 'bounded' | 'replaced-by-error'
/** What is to be sent is a JSON-RPC error object, in place of the result. */
 | 'protocol-error' | 'failed-closed';
/** The engine's account of what was cut, as it stands in `_meta`. */
export type Report = Readonly<Record<string, unknown>>;
/** One call, as `onReport` is told of it. */
export interface CallReport {
    /** The request's method, or `error`, where a server is attached. */
    method?: string;
    /** The tool's name, where it is known. */
    tool?: string;
    /** The client's name, where it is known. */
    client?: string;
    /** Whose result it is, where that was told. */
    tenant?: string;
    /** The preset in force, where one could be settled. */
    preset?: string;
    /** Who chose it: `request` (this server), `client`, `policy` or `default`. */
    presetChosenBy?: string;
    /** Length of the result, in bytes of JSON. */
    inBytes: number;
    /** Length of what came out; in report-only mode, of what was withheld. */
    outBytes: number;
    /** How it came out; in report-only mode how it would have. */
    outcome: Outcome;
    /** False in report-only mode, where the result was sent as it was. */
    enforced: boolean;
    /** What was cut and repaired, where anything was. */
    report?: Report;
    /** Why there is no result of the tool, where there is none. */
    failure?: Failure;
    /** Time that the call took. */
    elapsedMicros: number;
}
/** Fits results under one policy. */
export declare class Boundary {
    #private;
    /** The engine behind this boundary. */
    readonly engine: Engine;
    /**
     * Settles what is in force.
     *
     * @throws {ResultBudgetError} where an option, the policy, the preset, the
     * limit or the wire profile is refused, or there is no engine.
     */
    constructor(options?: BoundaryOptions, engine?: () => Engine);
    /** Whether this boundary changes what passes. */
    get mode(): 'enforce' | 'report-only';
    /**
     * Fits one tool result: text to text, bytes to bytes, an object to an object.
     * What fits comes back as it is, the same object or text.
     *
     * A result that cannot be read gives a small error result, and no exception.
     *
     * @throws {ResultBudgetError} where an argument is refused.
     */
    fit<T extends string | Uint8Array | object>(result: T, call?: Call): T;
    /** As `fit`, on another thread. Do not change bytes before the promise is settled. */
    fitAsync<T extends string | Uint8Array | object>(result: T, call?: Call): Promise<T>;
    /** As `fit`, with the account; a refused call is told in `failure`. */
    answer<T extends string | Uint8Array | object>(result: T, call?: Call): Answer<T>;
    /** As `answer`, on another thread. */
    answerAsync<T extends string | Uint8Array | object>(result: T, call?: Call): Promise<Answer<T>>;
    /**
     * Measures one tool result and changes nothing.
     *
     * @throws {ResultBudgetError} where `fit` would give an error result.
     */
    measure(result: string | Uint8Array | object, call?: Call): Measurement;
    /**
     * Measures the result of `tools/list` and changes nothing.
     *
     * @throws {ResultBudgetError} where it cannot be read.
     */
    measureTools(list: string | object, call?: Call): ToolsMeasurement;
    /**
     * Prepares the result of `tools/list`: closed output schemas get the optional
     * member in which our notice may stand, and what the policy says beside. A
     * constant rewrite; what stays as it is comes back as it is.
     *
     * @throws {ResultBudgetError} where it cannot be read.
     */
    prepareTools<T extends string | object>(list: T, call?: Call): T;
    /**
     * What is in force for a call.
     *
     * @throws {ResultBudgetError} where the call is refused.
     */
    inForce(call?: Call): Settings;
    /**
     * Puts this boundary behind a server, as late as its SDK allows: every result
     * of a tool, prompt or resource and every error passes here before it is
     * written. Of `@modelcontextprotocol/server` 2 and `@modelcontextprotocol/sdk`
     * 1, both `McpServer` and `Server`; before or after the server is connected.
     *
     * @throws {ResultBudgetError} where the server is none of these, or is
     * attached already.
     */
    attach(server: object, options?: AttachOptions): Attachment;
}
