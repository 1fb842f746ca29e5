import type { Boundary } from './boundary.js';
/** How a boundary is attached. */
export interface AttachOptions {
    /** Takes each line of the log; that of the boundary unless told. */
    logger?: (line: string) => void;
}
/** A boundary behind a server. */
export interface Attachment {
    /** Takes the boundary away; the server's next message goes out as it is. */
    detach(): void;
}
/** Puts `boundary` behind `server`. */
export declare function attach(boundary: Boundary, server: object, options: AttachOptions): Attachment;
