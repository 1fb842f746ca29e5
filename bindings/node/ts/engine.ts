// The engine as users see it.

import { onlyKnown, ResultBudgetError, wrongArgument } from './error.js';
import type { Host, LimitRow, PresetRow } from './host.js';

/** How an engine runs; what is absent has the engine's own default. */
export interface EngineOptions {
  /** Time that a call may take, in milliseconds; it catches defects and nothing else. */
  deadlineMillis?: number;
  /** The most memory that one instance may have, in bytes. */
  memoryMaxBytes?: number;
  /** The longest input that is read, in bytes. */
  inputMaxBytes?: number;
  /** Whether each call has an instance, and so memory, of its own. */
  instancePerCall?: boolean;
}

/** The engine: the component loaded once, called by any number of boundaries. */
export class Engine {
  /** @internal */
  readonly host: Host;

  /** @internal */
  constructor(host: Host) {
    this.host = host;
  }

  /** `addon`, or `wasm` where no addon fits the platform. The bytes do not depend on it. */
  get kind(): 'addon' | 'wasm' {
    return this.host.kind;
  }

  /** The SHA-256 of the component: equal in every host that runs the same engine. */
  get sha256(): string {
    return this.host.sha256;
  }

  /** Every limit, in the order in which they are shown. */
  limits(): LimitRow[] {
    return this.host.limitRows();
  }

  /** Every preset, smallest first. */
  presets(): PresetRow[] {
    return this.host.presetRows();
  }
}

/** Refuses what is no option, or no number that an engine could be asked for. */
export function checkedOptions(options: EngineOptions): EngineOptions {
  if (typeof options !== 'object' || options === null) throw wrongArgument('options', 'an object', options);
  onlyKnown('an engine', options, ['deadlineMillis', 'memoryMaxBytes', 'inputMaxBytes', 'instancePerCall']);
  for (const name of ['deadlineMillis', 'memoryMaxBytes', 'inputMaxBytes'] as const) {
    const value: unknown = options[name];
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
    if (value !== undefined && !fits) throw wrongArgument(name, 'a whole number below 2^32', value);
  }
  const own: unknown = options.instancePerCall;
  if (own !== undefined && typeof own !== 'boolean') throw wrongArgument('instancePerCall', 'true or false', own);
  return options;
}

/** What a host answers with, or the error that its failure is. */
export function orThrow<T extends object>(answer: T | { code: string; message: string }): T {
  if ('code' in answer && 'message' in answer) throw new ResultBudgetError(answer);
  return answer as T;
}
