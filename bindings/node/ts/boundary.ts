// The boundary: what a server sends passes here last. Decides nothing: texts go
// to the engine and come back.

import { type Attachment, type AttachOptions, attach } from './attach.js';
import { Engine } from './engine.js';
import { type Failure, onlyKnown, ResultBudgetError, wrongArgument } from './error.js';
import {
  type HostAnswer,
  type HostBoundary,
  type HostCall,
  isFailure,
  type Measurement,
  type Settings,
  type ToolsMeasurement,
} from './host.js';
import { bytesOf, escaped, printed, spelled } from './values.js';

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
export type Outcome =
  | 'unchanged'
  | 'compacted'
  | 'bounded'
  | 'replaced-by-error'
  /** What is to be sent is a JSON-RPC error object, in place of the result. */
  | 'protocol-error'
  | 'failed-closed';

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
export class Boundary {
  /** The engine behind this boundary. */
  readonly engine: Engine;
  /** @internal */
  readonly log: (line: string) => void;
  readonly #host: HostBoundary;
  readonly #reportOnly: boolean;
  readonly #onReport: ((report: CallReport) => void) | undefined;
  readonly #tenant: string | (() => string) | undefined;

  /**
   * Settles what is in force.
   *
   * @throws {ResultBudgetError} where an option, the policy, the preset, the
   * limit or the wire profile is refused, or there is no engine.
   */
  constructor(options: BoundaryOptions = {}, engine?: () => Engine) {
    checkOptions(options);
    const { preset = 'auto', policy, limitBytes, limitTokens, profile, mode, onReport, tenant } = options;
    this.engine = options.engine ?? (engine as () => Engine)();
    this.log = options.logger ?? ((line) => console.error(line));
    this.#reportOnly = mode === 'report-only';
    this.#onReport = onReport;
    this.#tenant = tenant;
    const built = this.engine.host.boundary({
      reportOnly: this.#reportOnly,
      accounts: onReport !== undefined,
      preset,
      ...(policy === undefined ? {} : { policyJson: typeof policy === 'string' ? policy : textOf(policy) }),
      ...(limitBytes === undefined ? {} : { limitBytes: spelled(limitBytes) }),
      ...(limitTokens === undefined ? {} : { limitTokens: spelled(limitTokens) }),
      ...(profile === undefined ? {} : { wireProfile: profile }),
    });
    if (isFailure(built)) throw new ResultBudgetError(built);
    this.#host = built;
  }

  /** Whether this boundary changes what passes. */
  get mode(): 'enforce' | 'report-only' {
    return this.#reportOnly ? 'report-only' : 'enforce';
  }

  /**
   * Fits one tool result: text to text, bytes to bytes, an object to an object.
   * What fits comes back as it is, the same object or text.
   *
   * A result that cannot be read gives a small error result, and no exception.
   *
   * @throws {ResultBudgetError} where an argument is refused.
   */
  fit<T extends string | Uint8Array | object>(result: T, call?: Call): T {
    return refusing(this.answer(result, call)).result;
  }

  /** As `fit`, on another thread. Do not change bytes before the promise is settled. */
  async fitAsync<T extends string | Uint8Array | object>(result: T, call?: Call): Promise<T> {
    return refusing(await this.answerAsync(result, call)).result;
  }

  /** As `fit`, with the account; a refused call is told in `failure`. */
  answer<T extends string | Uint8Array | object>(result: T, call: Call = {}): Answer<T> {
    const { answer, tell } = this.attempt(result, call);
    tell();
    return answer;
  }

  /** As `answer`, on another thread. */
  async answerAsync<T extends string | Uint8Array | object>(result: T, call: Call = {}): Promise<Answer<T>> {
    const wire = wireCall(call);
    const input = inputOf(result);
    const answer = await this.#host.fitAsync(input, wire);
    const told = answered(result, input, answer);
    this.#tell(call, answer, told);
    return told;
  }

  /**
   * Measures one tool result and changes nothing.
   *
   * @throws {ResultBudgetError} where `fit` would give an error result.
   */
  measure(result: string | Uint8Array | object, call: Call = {}): Measurement {
    const measured = this.#host.measure(inputOf(result), wireCall(call));
    if (isFailure(measured)) throw new ResultBudgetError(measured);
    return measured;
  }

  /**
   * Measures the result of `tools/list` and changes nothing.
   *
   * @throws {ResultBudgetError} where it cannot be read.
   */
  measureTools(list: string | object, call: Call = {}): ToolsMeasurement {
    const measured = this.#host.measureTools(inputOf(list) as string, wireCall(call) ?? {});
    if (isFailure(measured)) throw new ResultBudgetError(measured);
    return measured;
  }

  /**
   * Prepares the result of `tools/list`: closed output schemas get the optional
   * member in which our notice may stand, and what the policy says beside. A
   * constant rewrite; what stays as it is comes back as it is.
   *
   * @throws {ResultBudgetError} where it cannot be read.
   */
  prepareTools<T extends string | object>(list: T, call: Call = {}): T {
    const prepared = this.#host.prepareTools(inputOf(list) as string, wireCall(call) ?? {});
    if (prepared === null || prepared === undefined) return list;
    if (typeof prepared !== 'string') throw new ResultBudgetError(prepared);
    return (typeof list === 'string' ? prepared : JSON.parse(prepared)) as T;
  }

  /**
   * What is in force for a call.
   *
   * @throws {ResultBudgetError} where the call is refused.
   */
  inForce(call: Call = {}): Settings {
    const settings = this.#host.inForce(wireCall(call) ?? {});
    if (isFailure(settings)) throw new ResultBudgetError(settings);
    return settings;
  }

  /**
   * Puts this boundary behind a server, as late as its SDK allows: every result
   * of a tool, prompt or resource and every error passes here before it is
   * written. Of `@modelcontextprotocol/server` 2 and `@modelcontextprotocol/sdk`
   * 1, both `McpServer` and `Server`; before or after the server is connected.
   *
   * @throws {ResultBudgetError} where the server is none of these, or is
   * attached already.
   */
  attach(server: object, options: AttachOptions = {}): Attachment {
    return attach(this, server, options);
  }

  /** @internal */
  get host(): HostBoundary {
    return this.#host;
  }

  /**
   * As `answer`, and tells nobody until `tell` is called.
   *
   * @internal
   */
  attempt<T extends string | Uint8Array | object>(
    result: T,
    call: Call,
  ): { answer: Answer<T>; tell: (method?: string) => void } {
    const wire = wireCall(call);
    const input = inputOf(result);
    const answer = this.#host.fit(input, wire);
    const told = answered(result, input, answer);
    return { answer: told, tell: (method) => this.#tell(call, answer, told, method) };
  }

  /**
   * Tells of a result that is never changed.
   *
   * @internal
   */
  observe(result: object, call: Call, method: string): void {
    if (this.#onReport === undefined) return;
    const started = performance.now();
    const bytes = Buffer.byteLength(textOf(result));
    const elapsedMicros = Math.round((performance.now() - started) * 1_000);
    const account = { inBytes: bytes, outBytes: bytes, enforced: false, elapsedMicros };
    const outcome = 'unchanged';
    this.#tell(call, { outcome, account }, { result, outcome }, method);
  }

  #tell(call: Call, answer: HostAnswer | null | undefined, told: Answer<unknown>, method?: string): void {
    if (this.#onReport === undefined || !answer?.account) return;
    try {
      const tenant = typeof this.#tenant === 'function' ? this.#tenant() : this.#tenant;
      const { result: _, ...rest } = told;
      this.#onReport({
        ...(method === undefined ? {} : { method }),
        ...(call.tool === undefined ? {} : { tool: call.tool }),
        ...(call.client === undefined ? {} : { client: call.client }),
        ...(tenant === undefined ? {} : { tenant }),
        ...answer.account,
        ...rest,
      });
    } catch (error) {
      // Whoever listens must not keep a result from being sent.
      this.log(`result-budget: onReport threw: ${error}`);
    }
  }
}

function answered<T>(result: T, input: string | Uint8Array, answer: HostAnswer | null | undefined): Answer<T> {
  if (answer === null || answer === undefined) return { result, outcome: 'unchanged' };
  return {
    result: outputOf(result, input, answer),
    outcome: answer.outcome as Outcome,
    ...(answer.reportJson === undefined ? {} : { report: JSON.parse(answer.reportJson) as Report }),
    ...(answer.failure ? { failure: answer.failure } : {}),
  };
}

function checkOptions(options: BoundaryOptions): void {
  if (typeof options !== 'object' || options === null) throw wrongArgument('options', 'an object', options);
  onlyKnown('a boundary', options, OPTIONS);
  const given = options as Record<string, unknown>;
  for (const name of ['preset', 'profile']) {
    if (given[name] !== undefined && typeof given[name] !== 'string') throw wrongArgument(name, 'a text', given[name]);
  }
  for (const name of ['onReport', 'logger']) {
    const value = given[name];
    if (value !== undefined && typeof value !== 'function') throw wrongArgument(name, 'a function', value);
  }
  const { policy, tenant, mode, engine } = given;
  if (policy !== undefined && typeof policy !== 'string' && (typeof policy !== 'object' || policy === null)) {
    throw wrongArgument('policy', 'an object or JSON text', policy);
  }
  if (tenant !== undefined && typeof tenant !== 'string' && typeof tenant !== 'function') {
    throw wrongArgument('tenant', 'a text or a function', tenant);
  }
  if (mode !== undefined && mode !== 'enforce' && mode !== 'report-only') {
    throw wrongArgument('mode', '`enforce` or `report-only`', mode);
  }
  if (engine !== undefined && !(engine instanceof Engine)) throw wrongArgument('engine', 'an `Engine`', engine);
}

/** The call as a host reads it; nothing where nothing is known. */
function wireCall(call: Call): HostCall | undefined {
  if (typeof call !== 'object' || call === null) throw wrongArgument('call', 'an object', call);
  onlyKnown('a call', call, CALL);
  const wire: HostCall = {};
  for (const name of ['tool', 'revision', 'client'] as const) {
    const value: unknown = call[name];
    if (value === undefined) continue;
    if (typeof value !== 'string') throw wrongArgument(name, 'a text', value);
    wire[name] = value;
  }
  const schema: unknown = call.outputSchema;
  if (typeof schema === 'string' || (typeof schema === 'object' && schema !== null)) {
    if (schema !== 'unknown') wire.outputSchema = typeof schema === 'string' ? schema : textOf(schema);
  } else if (typeof schema === 'boolean') {
    wire.outputSchema = String(schema);
  } else if (schema !== undefined) {
    throw wrongArgument('outputSchema', 'a schema, `none` or `unknown`', schema);
  }
  const { kind, previousReport }: { kind?: unknown; previousReport?: unknown } = call;
  if (kind !== undefined) {
    if (!KINDS.includes(kind as string)) throw wrongArgument('kind', `one of ${KINDS.join(', ')}`, kind);
    wire.kind = kind as string;
  }
  if (typeof previousReport === 'string') wire.previousReport = previousReport;
  else if (typeof previousReport === 'object' && previousReport !== null) wire.previousReport = textOf(previousReport);
  else if (previousReport !== undefined)
    throw wrongArgument('previousReport', 'an object or JSON text', previousReport);
  if (call.maxBytes !== undefined) wire.maxBytes = spelled(call.maxBytes);
  if (call.maxTokens !== undefined) wire.maxTokens = spelled(call.maxTokens);
  return Object.keys(wire).length === 0 ? undefined : wire;
}

function inputOf(result: unknown): string | Uint8Array {
  if (typeof result === 'string') return escaped(result);
  if (result instanceof Uint8Array) return result;
  if (ArrayBuffer.isView(result)) return bytesOf(result);
  if (typeof result !== 'object' || result === null) {
    throw wrongArgument('result', 'a text, bytes or an object', result);
  }
  return textOf(result);
}

/** What has no text is no JSON: the engine says so of an empty one. */
function textOf(value: unknown): string {
  return printed(value) ?? '';
}

function outputOf<T>(result: T, input: string | Uint8Array, { output, outcome }: HostAnswer): T {
  if (output === undefined) return result;
  if (typeof output === 'string' && typeof result === 'object') {
    // White space alone is no other object.
    return outcome === 'compacted' ? result : (JSON.parse(output) as T);
  }
  if (typeof output !== 'string' && !Buffer.isBuffer(input)) return bytesOf(output) as T;
  return output as T;
}

/** Arguments that are at fault are thrown; results never are. */
function refusing<T>(answer: Answer<T>): Answer<T> {
  const { failure } = answer;
  if (failure !== undefined && CALLER_AT_FAULT.includes(failure.code)) throw new ResultBudgetError(failure);
  return answer;
}

const OPTIONS = [
  'preset',
  'policy',
  'tenant',
  'limitBytes',
  'limitTokens',
  'profile',
  'mode',
  'onReport',
  'engine',
  'logger',
];
const CALL = ['tool', 'revision', 'outputSchema', 'maxBytes', 'maxTokens', 'client', 'kind', 'previousReport'];
const KINDS = ['tool', 'prompt', 'resource', 'task', 'error', 'list', 'other'];
const CALLER_AT_FAULT = ['policy', 'limit-out-of-range', 'unknown-name', 'previous-report', 'output-schema'];
