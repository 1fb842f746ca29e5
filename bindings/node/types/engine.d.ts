import type { LimitRow, PresetRow } from './host.js';
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
export declare class Engine {
    /** `addon`, or `wasm` where no addon fits the platform. The bytes do not depend on it. */
    get kind(): 'addon' | 'wasm';
    /** The SHA-256 of the component: equal in every host that runs the same engine. */
    get sha256(): string;
    /** Every limit, in the order in which they are shown. */
    limits(): LimitRow[];
    /** Every preset, smallest first. */
    presets(): PresetRow[];
}
/** Refuses what is no option, or no number that an engine could be asked for. */
export declare function checkedOptions(options: EngineOptions): EngineOptions;
/** What a host answers with, or the error that its failure is. */
export declare function orThrow<T extends object>(answer: T | {
    code: string;
    message: string;
}): T;
