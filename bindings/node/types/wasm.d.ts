import { Boundary as Base, type BoundaryOptions } from './boundary.js';
import { Engine as BaseEngine } from './engine.js';
export * from './shared.js';
/** The engine: the component loaded once, called by any number of boundaries. */
export declare abstract class Engine extends BaseEngine {
    /** The engine of this thread. */
    static shared(): BaseEngine;
}
/** Fits results under one policy. */
export declare class Boundary extends Base {
    /**
     * Settles what is in force.
     *
     * @throws {ResultBudgetError} where an option, the policy, the preset, the
     * limit or the wire profile is refused.
     */
    constructor(options?: BoundaryOptions);
}
