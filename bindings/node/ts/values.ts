// JavaScript's own values as the texts that the engine reads. Decides nothing:
// what a number means, and whether it is one, is the engine's to say.

/**
 * A value given for a number, spelt so that the engine sees what was given: a
 * text keeps its quotes and a `BigInt` its `n`, so that neither passes for a
 * number.
 */
export function spelled(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'string':
      return JSON.stringify(value);
    case 'object':
      return value === null ? 'null' : (printed(value) ?? 'an object');
    default:
      return String(value);
  }
}

/**
 * The text with each lone surrogate as the escape that JSON has for it. Node
 * would turn it into U+FFFD in silence; the engine does so and says it.
 */
export function escaped(text: string): string {
  if (isWellFormed(text)) return text;
  return text.replace(LONE, (lone) => `\\u${lone.charCodeAt(0).toString(16)}`);
}

/** As `JSON.stringify` writes it; nothing where there is no such text. */
export function printed(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A circle, a BigInt, a `toJSON` that throws.
    return undefined;
  }
}

/** Bytes of any typed array, as one of bytes that shares its memory. */
export function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function isWellFormed(text: string): boolean {
  // In Node since 20; newer than the library that this is compiled against.
  return (text as unknown as { isWellFormed(): boolean }).isWellFormed();
}

const LONE = /\p{Surrogate}/gu;
