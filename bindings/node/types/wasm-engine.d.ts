import { type Source } from './component.js';
import { Engine } from './engine.js';
/** The engine that runs as WebAssembly. */
export declare function wasmEngine(): Engine;
/** A transpiled component from a folder that the build filled. */
export declare function loadSource(folder: string): Source;
