/**
 * A value given for a number, spelt so that the engine sees what was given: a
 * text keeps its quotes and a `BigInt` its `n`, so that neither passes for a
 * number.
 */
export declare function spelled(value: unknown): string;
/**
 * The text with each lone surrogate as the escape that JSON has for it. Node
 * would turn it into U+FFFD in silence; the engine does so and says it.
 */
export declare function escaped(text: string): string;
/** As `JSON.stringify` writes it; nothing where there is no such text. */
export declare function printed(value: unknown): string | undefined;
/** Bytes of any typed array, as one of bytes that shares its memory. */
export declare function bytesOf(view: ArrayBufferView): Uint8Array;
