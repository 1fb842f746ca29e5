/** An object of unknown members. */
export type RecordOf<T> = Record<string, T>;
/** As JSON-RPC has it. */
export type RequestId = string | number;
/** Any JSON-RPC message. */
export interface Message {
    jsonrpc: '2.0';
    id?: unknown;
    method?: unknown;
    params?: unknown;
    result?: unknown;
    error?: unknown;
}
/** A transport of either SDK, as far as it is used here. */
export interface Transport {
    start(): Promise<void>;
    send(message: Message, options?: unknown): Promise<void>;
    onmessage?: ((message: Message, extra?: unknown) => void) | undefined;
}
/** What a request tells of its call. */
export interface Told {
    tool?: string;
    revision?: string;
    client?: string;
    /** As the client gave it: the engine reads it. */
    maxBytes?: unknown;
    maxTokens?: unknown;
    arguments?: RecordOf<unknown>;
}
/** Reads a request of any revision. */
export declare function describe(message: Message, extra: unknown): Told;
/** Whether `value` is an object with members. */
export declare function isRecord(value: unknown): value is RecordOf<unknown>;
/** Where a client asks for a budget in one call. */
export declare const MAX_BYTES = "dev.result-budget/max_bytes";
export declare const MAX_TOKENS = "dev.result-budget/max_tokens";
