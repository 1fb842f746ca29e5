import type { Boundary } from './boundary.js';
/** Says what is in force, once for each client. */
export declare function sayOnce(boundary: Boundary, client: string | undefined, log: (line: string) => void): void;
