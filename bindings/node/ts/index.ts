// `result-budget`: the addon, or WebAssembly where no addon fits the platform.

import { addonHost, findAddon } from './addon.js';
import { Boundary as Base, type BoundaryOptions } from './boundary.js';
import { Engine as BaseEngine, checkedOptions, type EngineOptions } from './engine.js';
import { ResultBudgetError } from './error.js';
import { wasmEngine } from './wasm-engine.js';

export * from './shared.js';

/** The engine: the component loaded once, called by any number of boundaries. */
export class Engine extends BaseEngine {
  /**
   * Loads an engine of its own; `Engine.shared()` is enough for most.
   *
   * @throws {ResultBudgetError} where there is no addon that could follow the
   * options, or the engine does not start.
   */
  constructor(options: EngineOptions = {}) {
    const addon = findAddon();
    if (!('NativeEngine' in addon)) {
      const message = `an engine with options needs ${addon.wanted}, which is not there or does not load`;
      throw new ResultBudgetError({ code: 'unsupported-machine', message });
    }
    super(addonHost(addon, checkedOptions(options)));
  }

  /** The engine of this process. */
  static shared(): BaseEngine {
    shared ??= load();
    return shared;
  }
}

/** Fits results under one policy. */
export class Boundary extends Base {
  /**
   * Settles what is in force.
   *
   * @throws {ResultBudgetError} where an option, the policy, the preset, the
   * limit or the wire profile is refused, or there is no engine.
   */
  constructor(options: BoundaryOptions = {}) {
    super(options, Engine.shared);
  }
}

let shared: BaseEngine | undefined;

function load(): BaseEngine {
  const addon = findAddon();
  if ('NativeEngine' in addon) return new BaseEngine(addonHost(addon));
  if (addon.broken !== undefined) {
    process.emitWarning(
      `${addon.wanted} does not load, WebAssembly serves in its place: ${addon.broken}`,
      'ResultBudget',
    );
  }
  return wasmEngine();
}
