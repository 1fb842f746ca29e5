import type * as Native from '../native/index.js';
import { type EngineOptions } from './engine.js';
import type { Host } from './host.js';
type Addon = typeof Native;
/** Why no addon is in use. */
export interface NoAddon {
    /** The packages that would hold it. */
    wanted: string;
    /** What the loader said, where the package is there and does not load. */
    broken?: string;
}
/** The addon of this platform, or why there is none. */
export declare function findAddon(): Addon | NoAddon;
/** A host that runs an engine of `addon`: the process's own, unless told how. */
export declare function addonHost(addon: Addon, options?: EngineOptions & {
    component?: Uint8Array;
}): Host;
/** The command needs the addon: it is the same program in every ecosystem. */
export declare function runCommand(args: string[]): number;
export {};
