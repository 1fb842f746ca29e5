// `result-budget/wasm`: the same, as WebAssembly, with no addon.

import { Boundary as Base, type BoundaryOptions } from './boundary.js';
import { Engine as BaseEngine } from './engine.js';
import { wasmEngine } from './wasm-engine.js';

export * from './shared.js';

/** The engine: the component loaded once, called by any number of boundaries. */
export abstract class Engine extends BaseEngine {
  /** The engine of this thread. */
  static shared(): BaseEngine {
    return wasmEngine();
  }
}

/** Fits results under one policy. */
export class Boundary extends Base {
  /**
   * Settles what is in force.
   *
   * @throws {ResultBudgetError} where an option, the policy, the preset, the
   * limit or the wire profile is refused.
   */
  constructor(options: BoundaryOptions = {}) {
    super(options, wasmEngine);
  }
}
