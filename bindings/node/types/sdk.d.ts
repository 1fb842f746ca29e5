import type { Transport } from './message.js';
/** The protocol's end inside a server of either SDK. */
export interface ServerLike {
    connect(transport: Transport): Promise<void>;
    transport?: Transport | undefined;
}
/** The low-level server inside `server`, which may itself be one. */
export declare function checkedServer(server: object): ServerLike;
