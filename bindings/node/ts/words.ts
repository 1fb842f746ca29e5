// What a failure says to whoever wrote the host, for the WebAssembly entry. The
// addon brings these words from the crate `result-budget`; a test holds the two
// together. Nothing here reaches a model.

type Facts = Record<string, string | number>;

/** The message of a failure. */
export function wordsOf(code: string, facts: Facts): string {
  const words = WORDS[code];
  return words === undefined ? code : words(facts);
}

const WORDS: Record<string, (facts: Facts) => string> = {
  policy: ({ pointer, code, given, allowed }) =>
    `the policy is faulty${pointer ? ` at \`${pointer}\`` : ''} (${code}):${given ? ` got \`${given}\`,` : ''}` +
    ` allowed: ${allowed} (the author of the policy is at fault)`,
  'limit-out-of-range': ({ name, min, max, given }) =>
    `\`${name}\` must be a whole number from ${min} to ${max}, got \`${given}\` (whoever set the limit is at fault)`,
  'unknown-name': ({ field, given, allowed }) =>
    `no ${field} is called \`${given}\`, allowed: ${allowed} (whoever gave the name is at fault)`,
  'input-too-large': ({ given_bytes, max_bytes }) =>
    `the tool result is ${given_bytes} bytes long, at most ${max_bytes} are read (the tool is at fault)`,
  'not-utf8': ({ offsetBytes }) =>
    `the tool result is no UTF-8, first fault at byte ${offsetBytes} (the tool is at fault)`,
  'malformed-json': ({ offsetBytes }) =>
    `the tool result is not JSON, first fault at byte ${offsetBytes} (the tool is at fault)`,
  'not-an-object': () => 'the tool result is JSON, but no object (the tool is at fault)',
  'previous-report': ({ pointer }) =>
    `the previous report cannot be read, first fault at \`${pointer}\` (whoever gave the previous report is at fault)`,
  'output-schema': ({ offsetBytes }) =>
    `the output schema is no schema, first fault at byte ${offsetBytes} (whoever gave the output schema is at fault)`,
  trap: () => 'the engine stopped',
  'bad-answer': () => "the engine's answer did not pass its check",
};
