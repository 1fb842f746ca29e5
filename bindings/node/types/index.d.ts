import { Boundary as Base, type BoundaryOptions } from './boundary.js';
import { Engine as BaseEngine, type EngineOptions } from './engine.js';
export * from './shared.js';
/** The engine: the component loaded once, called by any number of boundaries. */
export declare class Engine extends BaseEngine {
    /**
     * Loads an engine of its own; `Engine.shared()` is enough for most.
     *
     * @throws {ResultBudgetError} where there is no addon that could follow the
     * options, or the engine does not start.
     */
    constructor(options?: EngineOptions);
    /** The engine of this process. */
    static shared(): BaseEngine;
}
/** Fits results under one policy. */
export declare class Boundary extends Base {
    /**
     * Settles what is in force.
     *
     * @throws {ResultBudgetError} where an option, the policy, the preset, the
     * limit or the wire profile is refused, or there is no engine.
     */
    constructor(options?: BoundaryOptions);
}
