// The engine as an addon: found, loaded, and dressed as a host.

import type * as Native from '../native/index.js';
import { type EngineOptions, orThrow } from './engine.js';
import { type Failure, ResultBudgetError } from './error.js';
import type { Host, HostAnswer, HostBoundary, HostCall, HostOptions, LimitRow, PresetRow } from './host.js';

type Addon = typeof Native;

/** Why no addon is in use. */
export interface NoAddon {
  /** The packages that would hold it. */
  wanted: string;
  /** What the loader said, where the package is there and does not load. */
  broken?: string;
}

/** The addon of this platform, or why there is none. */
export function findAddon(): Addon | NoAddon {
  const names = packages();
  // Beside the package in an installation; in it, in a checkout.
  const places = [...names, '../native/result-budget.node'];
  let broken: string | undefined;
  for (const place of places) {
    try {
      const addon = require(place) as Addon;
      if (addon.version() === VERSION) return addon;
      broken = `it is of version ${addon.version()}, this package of ${VERSION}`;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // A platform package that is there and does not load is worth telling.
      if (code !== 'MODULE_NOT_FOUND') broken = message;
    }
  }
  const wanted = names.join(' or ');
  return broken === undefined ? { wanted } : { wanted, broken };
}

/** A host that runs an engine of `addon`: the process's own, unless told how. */
export function addonHost(addon: Addon, options?: EngineOptions & { component?: Uint8Array }): Host {
  const engine = orThrow<Native.NativeEngine>(options ? addon.NativeEngine.load(options) : addon.NativeEngine.shared());
  return {
    kind: 'addon',
    sha256: engine.sha256,
    limitRows: () => orThrow<LimitRow[]>(engine.limitRows()),
    presetRows: () => orThrow<PresetRow[]>(engine.presetRows()),
    boundary(options: HostOptions): HostBoundary | Failure {
      const built = addon.NativeBoundary.build(engine, options);
      return 'code' in built ? (built as Failure) : new AddonBoundary(built);
    },
  };
}

class AddonBoundary implements HostBoundary {
  readonly #native: Native.NativeBoundary;

  constructor(native: Native.NativeBoundary) {
    this.#native = native;
  }

  fit(input: string | Uint8Array, call: HostCall | undefined): HostAnswer | null {
    if (typeof input !== 'string') return this.#native.fitBytes(input, call, false) as HostAnswer | null;
    const bytes = encoded(input);
    const answer = bytes ? this.#native.fitBytes(bytes, call, true) : this.#native.fitText(input, call);
    return answer as HostAnswer | null;
  }

  fitAsync(input: string | Uint8Array, call: HostCall | undefined): Promise<HostAnswer | null> {
    return this.#native.fitAsync(input, call) as Promise<HostAnswer | null>;
  }

  measure(input: string | Uint8Array, call: HostCall | undefined) {
    if (typeof input === 'string') return this.#native.measureText(input, call) as Failure;
    return this.#native.measureBytes(input, call) as Failure;
  }

  measureTools(list: string, call: HostCall) {
    return this.#native.measureTools(list, call) as Failure;
  }

  prepareTools(list: string, call: HostCall) {
    return this.#native.prepareTools(list, call) as string | Failure | null;
  }

  inForce(call: HostCall) {
    return this.#native.inForce(call) as Failure;
  }

  failureResult(code: string, numbers: number[], call: HostCall): string | undefined {
    return this.#native.failureResult(code, numbers, call) ?? undefined;
  }

  fitUnder(input: string, call: HostCall, limits: Record<string, number>): HostAnswer | null {
    return this.#native.fitUnder(input, call, limits) as HostAnswer | null;
  }
}

/**
 * A text as UTF-8, in memory that the next call uses again; nothing where that is
 * no gain. V8 writes into an array several times faster than it answers an addon.
 */
function encoded(text: string): Uint8Array | undefined {
  if (text.length < ENCODED_MIN_UNITS || text.length > ENCODED_MAX_UNITS) return undefined;
  if (scratch.byteLength < text.length * 3) scratch = new Uint8Array(text.length * 3);
  return scratch.subarray(0, ENCODER.encodeInto(text, scratch).written);
}

let scratch = new Uint8Array(0);
const ENCODER = new TextEncoder();

/** Shorter texts are not worth it; longer ones would keep too much memory. */
const ENCODED_MIN_UNITS = 512;
const ENCODED_MAX_UNITS = 2 * 1_024 * 1_024;

/** The packages that could hold the addon here; npm installs the one that fits the C library. */
function packages(): string[] {
  const { platform, arch } = process;
  const libraries = platform === 'linux' ? ['-gnu', '-musl'] : platform === 'win32' ? ['-msvc'] : [''];
  return libraries.map((library) => `result-budget-${platform}-${arch}${library}`);
}

/** The command needs the addon: it is the same program in every ecosystem. */
export function runCommand(args: string[]): number {
  const addon = findAddon();
  if ('runCommand' in addon) return addon.runCommand(['result-budget', ...args]);
  const why = addon.broken === undefined ? 'is not installed' : `does not load: ${addon.broken}`;
  throw new ResultBudgetError({
    code: 'unsupported-machine',
    message: `the command needs ${addon.wanted}, which ${why}`,
  });
}

const VERSION = (require('../package.json') as { version: string }).version;
