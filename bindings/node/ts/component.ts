// The engine as WebAssembly, run by Node itself: no addon. Does for the component
// what the crate `result-budget` does for it elsewhere, and decides as little:
// limits, presets, the input cap and every error result come from the component.
//
// Node cannot stop a call that does not end, so there is no deadline here.

import type { Failure } from './error.js';
import type {
  Host,
  HostAnswer,
  HostBoundary,
  HostCall,
  HostOptions,
  LimitRow,
  Measurement,
  PresetRow,
  Settings,
} from './host.js';
import { wordsOf } from './words.js';

/** The component's exports, as the transpiler spells them. */
export interface Exports {
  fitting: {
    fit(json: string, schema: Variant, settings: Wire): Variant;
    measure(json: string, settings: Wire): Measurement;
    failureResult(failure: Variant, settings: Wire): string;
  };
  settling: {
    settle(policyJson: string, request: Record<string, string | undefined>): WireSettled;
    limitRows(): LimitRow[];
    presetRows(): PresetRow[];
  };
}

/** A component that was transpiled. */
export interface Source {
  instantiate(
    module: () => WebAssembly.Module,
    imports: object,
    core: (module: WebAssembly.Module, imports: object) => WebAssembly.Instance,
  ): Exports;
  module: WebAssembly.Module;
  sha256: string;
}

interface Variant {
  tag: string;
  val?: unknown;
}

/** Settings as they cross; passed back as they came. */
type Wire = Omit<Settings, 'limits' | 'preset' | 'presetChosenBy'> & { limits: Record<string, number | undefined> };

interface WireSettled {
  settings: Wire;
  preset: string;
  chosenBy: string;
}

interface Settled extends WireSettled {
  /** What is sent when the engine breaks: its own words, fetched while it works. */
  constant: string;
}

/** A host that runs `source`. */
export function componentHost(source: Source): Host {
  const engine = new ComponentEngine(source);
  return {
    kind: 'wasm',
    sha256: source.sha256,
    limitRows: () => engine.run((exports) => exports.settling.limitRows()),
    presetRows: () => engine.run((exports) => exports.settling.presetRows()),
    boundary: (options) => build(engine, options),
  };
}

/** Keeps one instance, and drops it when it breaks or its memory grew large. */
class ComponentEngine {
  readonly #source: Source;
  #idle: Exports | undefined;
  #memory: WebAssembly.Memory | undefined;
  #inputMaxBytes: number | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Runs `work`; a refusal is thrown on as it is, anything else as a `Fault`. */
  run<T>(work: (exports: Exports) => T): T {
    const exports = this.#idle ?? this.#start();
    // Whatever happens, an instance that did not come back is not used again.
    this.#idle = undefined;
    let answer: T;
    try {
      answer = work(exports);
    } catch (thrown) {
      if (!isVariant(thrown)) throw new Fault();
      this.#keep(exports);
      throw thrown;
    }
    this.#keep(exports);
    return answer;
  }

  /**
   * The longest input that is read: the largest whole-result limit there is, by
   * the engine's own table. Of one without that row nothing is known, and it has
   * to refuse by itself.
   */
  get inputMaxBytes(): number {
    this.#inputMaxBytes ??= this.run(({ settling }) => {
      const row = settling.limitRows().find(({ name }) => name === 'max_result_bytes');
      return row?.max ?? Number.POSITIVE_INFINITY;
    });
    return this.#inputMaxBytes;
  }

  #start(): Exports {
    const { instantiate, module } = this.#source;
    try {
      return instantiate(
        () => module,
        {},
        (module, imports) => {
          const instance = new WebAssembly.Instance(module, imports as WebAssembly.Imports);
          const { memory } = instance.exports;
          if (memory instanceof WebAssembly.Memory) this.#memory = memory;
          return instance;
        },
      );
    } catch {
      throw new Fault();
    }
  }

  #keep(exports: Exports): void {
    const bytes = this.#memory?.buffer.byteLength ?? 0;
    if (bytes <= KEPT_MEMORY_MAX_BYTES) this.#idle = exports;
  }
}

/** The engine broke: its instance is gone. */
class Fault extends Error {}

function build(engine: ComponentEngine, options: HostOptions): HostBoundary | Failure {
  try {
    return new ComponentBoundary(engine, options);
  } catch (thrown) {
    return isVariant(thrown) ? failureOf(thrown) : failureOf({ tag: 'trap' });
  }
}

class ComponentBoundary implements HostBoundary {
  readonly #engine: ComponentEngine;
  readonly #options: HostOptions;
  readonly #base: Settled;
  readonly #settled = new Map<string, Settled>();

  constructor(engine: ComponentEngine, options: HostOptions) {
    this.#engine = engine;
    this.#options = options;
    this.#base = this.#settle({});
  }

  fit(input: string | Uint8Array, call: HostCall = {}): HostAnswer | null {
    const { reportOnly, accounts } = this.#options;
    if (!accounts) return reportOnly && isText(input) ? null : this.#fit(input, call);
    const started = performance.now();
    const answer = this.#fit(input, call) ?? { outcome: 'unchanged' };
    const sent = reportOnly && isText(input) ? undefined : answer.output;
    const inBytes = byteLength(input);
    const { output: _, ...rest } = answer;
    return {
      ...rest,
      ...(sent === undefined ? {} : { output: sent }),
      account: {
        inBytes,
        outBytes: answer.output === undefined ? inBytes : byteLength(answer.output),
        enforced: !(reportOnly && isText(input)),
        elapsedMicros: Math.round((performance.now() - started) * 1_000),
        ...this.#presetOf(call),
      },
    };
  }

  async fitAsync(input: string | Uint8Array, call?: HostCall): Promise<HostAnswer | null> {
    // Node runs WebAssembly on the thread that calls it.
    await Promise.resolve();
    return this.fit(input, call);
  }

  measure(input: string | Uint8Array, call: HostCall = {}): Measurement | Failure {
    try {
      const { settings } = this.#forCall(call);
      const text = this.#read(input);
      return this.#engine.run((exports) => exports.fitting.measure(text, settings));
    } catch (thrown) {
      return failureOf(isVariant(thrown) ? thrown : { tag: 'trap' });
    }
  }

  inForce(call: HostCall): Settings | Failure {
    try {
      const { settings, preset, chosenBy: presetChosenBy } = this.#forCall(call);
      const named = Object.entries(settings.limits).filter(([, value]) => value !== undefined);
      const limits = Object.fromEntries(named.map(([name, value]) => [snake(name), value])) as never;
      return { ...settings, limits, preset, presetChosenBy };
    } catch (thrown) {
      return failureOf(isVariant(thrown) ? thrown : { tag: 'trap' });
    }
  }

  failureResult(code: string, numbers: number[], call: HostCall): string {
    const { settings, constant } = this.#forCall(call);
    const [first, second] = numbers;
    const val = code === 'input-too-large' ? { givenBytes: first, maxBytes: second } : first;
    return this.#failureResult({ tag: code, val }, settings, constant);
  }

  fitUnder(input: string, call: HostCall, limits: Record<string, number>): HostAnswer | null {
    const { settings, constant } = this.#forCall(call);
    const named = Object.entries(limits).map(([name, value]) => [camel(name), value]);
    const altered = { ...settings, limits: { ...settings.limits, ...Object.fromEntries(named) } };
    return this.#fitUnder(input, call, { settings: altered, constant });
  }

  #fit(input: string | Uint8Array, call: HostCall): HostAnswer | null {
    try {
      return this.#fitUnder(input, call, this.#forCall(call));
    } catch (thrown) {
      // Nothing is in force for this call.
      const failure = isVariant(thrown) ? thrown : { tag: 'trap' };
      const { settings, constant } = this.#base;
      const told = failure.tag === 'limit-out-of-range';
      const output = told ? this.#failureResult(failure, settings, constant) : constant;
      return closed(failure, output, input);
    }
  }

  #fitUnder(input: string | Uint8Array, call: HostCall, { settings, constant }: Settled): HostAnswer | null {
    let outcome: Variant;
    try {
      const text = this.#read(input);
      outcome = this.#engine.run((exports) => exports.fitting.fit(text, schemaOf(call), settings));
    } catch (thrown) {
      if (!isVariant(thrown)) return closed({ tag: 'trap' }, constant, input);
      return closed(thrown, this.#failureResult(thrown, settings, constant), input);
    }
    if (outcome.tag === 'unchanged') return null;
    const bounded = outcome.tag === 'bounded' ? (outcome.val as Bounded) : undefined;
    const output = bounded?.toolResultJson ?? (outcome.val as string);
    // What can be checked without reading: length and first byte.
    const max = settings.limits['maxResultBytes'] ?? 0;
    if (!isResult(output, max)) return closed({ tag: 'bad-answer' }, constant, input);
    if (bounded === undefined) return { outcome: 'compacted', output: alike(output, input) };
    return {
      outcome: bounded.replacedByError ? 'replaced-by-error' : 'bounded',
      output: alike(output, input),
      reportJson: bounded.reportJson,
    };
  }

  /** The engine's own error result, or the constant one where it breaks even at that. */
  #failureResult(failure: Variant, settings: Wire, constant: string): string {
    const told = FAULTS.includes(failure.tag) ? failure : { tag: 'refused', val: failure };
    try {
      const text = this.#engine.run((exports) => exports.fitting.failureResult(told, settings));
      return isResult(text, ERROR_MAX_BYTES) ? text : constant;
    } catch {
      return constant;
    }
  }

  /** The text of `input`; throws the engine's own refusals, before a byte is copied. */
  #read(input: string | Uint8Array): string {
    const maxBytes = this.#engine.inputMaxBytes;
    // OK because no character takes more than three bytes of a unit.
    const givenBytes = typeof input === 'string' && input.length * 3 <= maxBytes ? 0 : byteLength(input);
    if (givenBytes > maxBytes) {
      const val = { givenBytes: Math.min(givenBytes, 2 ** 32 - 1), maxBytes };
      throw { tag: 'input-too-large', val } satisfies Variant;
    }
    if (typeof input === 'string') return input;
    try {
      return STRICT.decode(input);
    } catch {
      throw { tag: 'not-utf8', val: validUpTo(input) } satisfies Variant;
    }
  }

  #forCall(call: HostCall): Settled {
    const { tool, revision, client, maxBytes, maxTokens } = call;
    const parts = [tool, revision, client, maxBytes, maxTokens];
    if (parts.every((part) => part === undefined)) return this.#base;
    const key = JSON.stringify(parts);
    const kept = this.#settled.get(key);
    if (kept !== undefined) return kept;
    const settled = this.#settle(call);
    // Part of the key comes from clients: bounded in entries and in bytes.
    if (this.#settled.size >= SETTLED_MAX_ITEMS) {
      const oldest = this.#settled.keys().next();
      if (!oldest.done) this.#settled.delete(oldest.value);
    }
    if (key.length <= KEY_MAX_UNITS) this.#settled.set(key, settled);
    return settled;
  }

  #settle({ tool, revision, client, maxBytes, maxTokens }: HostCall): Settled {
    const { policyJson = '', preset, limitBytes, limitTokens, wireProfile } = this.#options;
    const asked = { callMaxBytes: maxBytes, callMaxTokens: maxTokens };
    const request = { preset, limitBytes, limitTokens, wireProfile, tool, revision, clientName: client, ...asked };
    return this.#engine.run(({ settling, fitting }) => {
      const settled = settling.settle(policyJson, request);
      return { ...settled, constant: fitting.failureResult({ tag: 'trap' }, settled.settings) };
    });
  }

  /** The preset in force, where one can be settled. */
  #presetOf(call: HostCall): { preset?: string; presetChosenBy?: string } {
    try {
      const { preset, chosenBy } = this.#forCall(call);
      return { preset, presetChosenBy: chosenBy };
    } catch {
      return {};
    }
  }
}

interface Bounded {
  toolResultJson: string;
  reportJson: string;
  replacedByError: boolean;
}

function closed(failure: Variant, output: string, input: string | Uint8Array): HostAnswer {
  return { outcome: 'failed-closed', output: alike(output, input), failure: failureOf(failure) };
}

/** The failure as every host tells it. */
function failureOf({ tag: code, val }: Variant): Failure {
  if (typeof val === 'number') return { code, message: wordsOf(code, { offsetBytes: val }), offsetBytes: val };
  const facts = Object.entries((val ?? {}) as Record<string, string | number>);
  const fault = Object.fromEntries(facts.map(([name, value]) => [snake(name), value]));
  const message = wordsOf(code, fault);
  return facts.length === 0 ? { code, message } : { code, message, fault };
}

function schemaOf({ outputSchema }: HostCall): Variant {
  if (outputSchema === undefined) return { tag: 'unknown' };
  return outputSchema === 'none' ? { tag: 'none' } : { tag: 'given', val: outputSchema };
}

function isVariant(thrown: unknown): thrown is Variant {
  return typeof thrown === 'object' && thrown !== null && !(thrown instanceof Error) && 'tag' in thrown;
}

function isResult(text: unknown, maxBytes: number): text is string {
  return typeof text === 'string' && text.startsWith('{') && Buffer.byteLength(text) <= maxBytes;
}

/** Text for text, bytes for bytes. */
function alike(output: string, input: string | Uint8Array): string | Uint8Array {
  return typeof input === 'string' ? output : Buffer.from(output);
}

function byteLength(input: string | Uint8Array): number {
  return typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength;
}

function isText(input: string | Uint8Array): boolean {
  if (typeof input === 'string') return true;
  try {
    STRICT.decode(input);
    return true;
  } catch {
    return false;
  }
}

/** Bytes at the start that are UTF-8, of an input that is not. */
function validUpTo(bytes: Uint8Array): number {
  // The shortest start that is seen to be wrong; a sequence that is merely
  // unfinished is not.
  let [low, high] = [0, bytes.byteLength];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (decodes(bytes.subarray(0, middle), true)) low = middle + 1;
    else high = middle;
  }
  // What is wrong began at most three bytes earlier.
  let end = Math.min(low, bytes.byteLength);
  while (end > 0 && !decodes(bytes.subarray(0, end), false)) end -= 1;
  return end;
}

function decodes(bytes: Uint8Array, unfinished: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: unfinished });
    return true;
  } catch {
    return false;
  }
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The failures that are no refusal of the engine. */
const FAULTS = ['not-utf8', 'deadline', 'memory', 'trap', 'bad-answer', 'circuit-open'];

/** The longest error result (contract B11). */
const ERROR_MAX_BYTES = 256;

/** An instance with more memory is not kept: memory never shrinks. */
const KEPT_MEMORY_MAX_BYTES = 64 * 1_024 * 1_024;

const SETTLED_MAX_ITEMS = 128;
const KEY_MAX_UNITS = 512;
