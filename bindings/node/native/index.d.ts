// Made from `src/` by `npm run build`.

/** Fits results under one policy. */
export declare class NativeBoundary {
  /** Settles what is in force where nothing is known of a call. */
  static build(engine: NativeEngine, options: NativeBoundaryOptions): NativeBoundary | Failure
  /** Fits a text; nothing where it goes out as it is. */
  fitText(toolResult: string, call?: NativeCall | undefined | null): Answer | null
  /**
   * Fits bytes; nothing where they go out as they are. The output is a text
   * where `as_text` says so: texts reach UTF-8 faster on JavaScript's side.
   */
  fitBytes(toolResult: Uint8Array, call: NativeCall | undefined | null, asText: boolean): Answer | null
  /** Fits on another thread. */
  fitAsync(toolResult: Uint8Array | string, call?: NativeCall | undefined | null): Promise<Answer | null>
  /** Measures a text. */
  measureText(toolResult: string, call?: NativeCall | undefined | null): NativeMeasurement | Failure
  /** Measures bytes. */
  measureBytes(toolResult: Uint8Array, call?: NativeCall | undefined | null): NativeMeasurement | Failure
  /** Measures a list of tools. */
  measureTools(toolsList: string, call: NativeCall): NativeToolsMeasurement | Failure
  /** Prepares a list of tools; nothing where it stays as it is. */
  prepareTools(toolsList: string, call: NativeCall): string | Failure | null
  /** What is in force for a call. */
  inForce(call: NativeCall): NativeSettings | Failure
  /**
   * The error result for a failure of the host, for the vectors. `fault`
   * holds the two sizes of `input-too-large`.
   */
  failureResult(code: string, numbers: Array<number>, call: NativeCall): string | null
  /** Fits under limits that were set past the engine, for the vectors. */
  fitUnder(toolResult: string, call: NativeCall, limits: Record<string, number>): Answer | null
}

/** The component, loaded. */
export declare class NativeEngine {
  /** The engine of this process. */
  static shared(): NativeEngine | Failure
  /** An engine of its own. */
  static load(options: EngineOptions): NativeEngine | Failure
  /** The SHA-256 of the component, in lower-case hexadecimal. */
  get sha256(): string
  /** Every limit, in the order in which they are shown. */
  limitRows(): Array<NativeLimitRow> | Failure
  /** Every preset, smallest first. */
  presetRows(): Array<NativePresetRow> | Failure
}

/** Sizes and time of one call. */
export interface Account {
  /** Length of the input. */
  inBytes: number
  /** Length of the answer; in report-only mode, of the one withheld. */
  outBytes: number
  /** False in report-only mode, where the input was sent as it was. */
  enforced: boolean
  /** Time that the call took, in microseconds. */
  elapsedMicros: number
  /** The preset in force, where one could be settled. */
  preset?: string
  /** Who chose that preset. */
  presetChosenBy?: string
}

/** A result as it came out. */
export interface Answer {
  /**
   * `unchanged`, `compacted`, `bounded`, `replaced-by-error`,
   * `protocol-error` or `failed-closed`; in report-only mode what it would have been.
   */
  outcome: string
  /**
   * The result to send, text for text and bytes for bytes; absent where
   * that is the input itself.
   */
  output?: string | Buffer
  /** What was cut and repaired, as JSON, where anything was. */
  reportJson?: string
  /** Why there was no result of the tool to send, where there was none. */
  failure?: Failure
  /** The account of the call, where it was asked for. */
  account?: Account
}

/** How an engine runs. Absent fields have the defaults of the engine. */
export interface EngineOptions {
  /** The time that a call may take, in milliseconds. */
  deadlineMillis?: number
  /** The most memory that one instance may have. */
  memoryMaxBytes?: number
  /** The longest input that is read. */
  inputMaxBytes?: number
  /** Whether each call has an instance of its own. */
  instancePerCall?: boolean
  /** Whether the interpreter runs the component. */
  interpreted?: boolean
  /**
   * Another engine: an image made by the project's assembler for this
   * machine and this version. It is machine code: whoever gives it vouches
   * for it, as whoever loads an addon does.
   */
  image?: Uint8Array
}

/** What went wrong, and whose fault it is. */
export interface Failure {
  /** The stable name of the case, in kebab case. */
  code: string
  /** Who is at fault, what was given and what is allowed, as one line. */
  message: string
  /** Where the input is faulty, in bytes from its start. */
  offsetBytes?: number
  /** The facts of the message, by the names that the interface gives them. */
  fault?: Record<string, string | number>
}

/**
 * What is in force at a boundary. Numbers are the texts in which they were
 * given: the engine reads them.
 */
export interface NativeBoundaryOptions {
  /** The policy document, as JSON text. */
  policyJson?: string
  /** A preset by name. */
  preset?: string
  /** A whole-result limit that also caps the text and binary ceilings. */
  limitBytes?: string
  /** A limit of what a model reads, in tokens. */
  limitTokens?: string
  /** The wire profile by name. */
  wireProfile?: string
  /** Measures and changes nothing. */
  reportOnly: boolean
  /** Gives each answer its account. */
  accounts: boolean
}

/** What is known of one call. */
export interface NativeCall {
  /** The tool's name. */
  tool?: string
  /** The protocol revision. */
  revision?: string
  /** The client's name, as it calls itself. */
  client?: string
  /** `none`, or the schema as JSON text; nothing is known where absent. */
  outputSchema?: string
  /** The budget that the client asks for, as text. */
  maxBytes?: string
  /** The same in tokens of what a model reads. */
  maxTokens?: string
  /** What came in: `tool` where absent. */
  kind?: string
  /** The full report of an earlier boundary, as JSON text. */
  previousReport?: string
}

/** One limit of the product. */
export interface NativeLimitRow {
  /** Its name in a policy document. */
  name: string
  /** Smallest legal value, inclusive. */
  min: number
  /** Value when nothing is said; absent where the limit is off. */
  defaultValue?: number
  /** Largest legal value, inclusive. */
  max: number
  /** The rule of the contract behind it. */
  rule: string
  /** What it counts. */
  counts: string
}

/** The sizes that the limits speak of. */
export interface NativeMeasurement {
  /** The result as it came in, in bytes of the wire profile. */
  resultBytes: number
  /** The same without white space between tokens. */
  compactBytes: number
  /** What a model reads. */
  textBytes: number
  /** The same in tokens. */
  textTokens: number
  /** The same in lines. */
  textLines: number
  /** Encoded `structuredContent`; zero where there is none. */
  structuredBytes: number
  /** Base64 of images, audio and blobs. */
  binaryBytes: number
  /** Blocks in `content`. */
  contentItems: number
  /** Containers nested inside one another. */
  nestingDepth: number
  /** The large parts, in document order. */
  parts: Array<NativePart>
}

/** A part of a result that is worth showing. */
export interface NativePart {
  /** JSON Pointer into the result. */
  pointer: string
  /** `object`, `array`, `string`, `number`, `true`, `false` or `null`. */
  kind: string
  /** Its compact encoding, in bytes. */
  encodedBytes: number
  /** Its items or members; zero for a scalar. */
  childrenItems: number
}

/** The ceilings of a named size, or of a client. */
export interface NativePresetRow {
  /** Its name. */
  name: string
  /** What a model reads. */
  maxTextBytes: number
  /** The same in tokens; absent where that is off. */
  maxTextTokens?: number
  /** The same in lines; absent where that is off. */
  maxTextLines?: number
  /** Base64 of all blocks. */
  maxBinaryBytes: number
  /** The whole result. */
  maxResultBytes: number
  /** The names by which clients that take it call themselves. */
  clientNames: Array<string>
  /** What the client does by itself; empty for a size. */
  clientRule: string
  /** Where that is told; empty for a size. */
  source: string
}

/** What is in force for one call. */
export interface NativeSettings {
  /** The limits by name; one that is off is absent. */
  limits: Record<string, number>
  /** The revision that the two sides speak. */
  revision: string
  /** How the host prints. */
  wireProfile: string
  /** What happens to a mirror. */
  mirror: string
  /** Where the notice stands. */
  notice: string
  /** Which part of a text stays. */
  textKeep: string
  /** What happens to escape sequences. */
  ansi: string
  /** Top-level keys to keep. */
  keepFields: Array<string>
  /** The preset that was laid down last. */
  preset: string
  /** Who chose it: `request`, `client`, `policy` or `default`. */
  presetChosenBy: string
  /** What happens to a result of `resources/read`. */
  resources: string
  /** Prepared input schemas have the optional argument `max_bytes`. */
  callArgument: boolean
  /** The longest description of a tool in a prepared list. */
  maxDescriptionBytes?: number
}

/** Sizes of one tool. */
export interface NativeToolSizes {
  /** Its name. */
  name: string
  /** The whole entry. */
  toolBytes: number
  /** `description`. */
  descriptionBytes: number
  /** `inputSchema`. */
  inputSchemaBytes: number
  /** `outputSchema`; zero where there is none. */
  outputSchemaBytes: number
}

/** Sizes of a list of tools. */
export interface NativeToolsMeasurement {
  /** The whole result. */
  listBytes: number
  /** Tools in the list. */
  toolsItems: number
  /** Whether it is within the limit of a whole result. */
  fits: boolean
  /** The first tools, at most 1,000. */
  tools: Array<NativeToolSizes>
}

/**
 * Runs the command `result-budget` inside of this process, with these
 * arguments, of which the first is the program's name, and says how it ended.
 */
export declare function runCommand(arguments: Array<string>): number

/** The version of the package that this addon belongs to. */
export declare function version(): string
