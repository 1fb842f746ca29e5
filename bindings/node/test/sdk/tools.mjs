// What the servers of both SDK lines offer: inputs that have broken other limits,
// results that a cut could spoil, and one of each kind of answer.

const TEXT = (text) => ({ content: [{ type: 'text', text }] });

/** Random bytes that compress badly, as base64: a screenshot's worth. */
export const SCREENSHOT = Buffer.from(
  Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7_919 + ((at * at) >>> 5)) & 255),
).toString('base64');

const ITEMS = Array.from({ length: 2_000 }, (_, id) => ({
  id,
  title: `item ${id}`,
  body: 'prose that goes on. '.repeat(10),
}));

/** Registers everything on an `McpServer` of either line; their signatures agree. */
export function registerAll(server, z) {
  const tool = (name, result, config = {}) => server.registerTool(name, { description: name, ...config }, result);
  tool('small', () => TEXT('hello'));
  tool('quotes', () => TEXT('"'.repeat(100_000)));
  tool('newlines', () => TEXT('\n'.repeat(100_000)));
  tool('control-characters', () => TEXT('\u0001'.repeat(100_000)));
  tool('surrogates', () => TEXT('\ud800'.repeat(50_000)));
  tool('big-meta', () => ({ ...TEXT('hello'), _meta: { 'example/blob': 'm'.repeat(5_000_000) } }));
  tool('raises', () => {
    throw new Error('it broke "badly"\n'.repeat(10_000));
  });
  tool('closed', () => ({ ...TEXT(JSON.stringify({ items: ITEMS })), structuredContent: { items: ITEMS } }), {
    outputSchema: z.strictObject({
      items: z.array(z.strictObject({ id: z.number(), title: z.string(), body: z.string() })),
    }),
  });
  tool('open', () => ({ content: [], structuredContent: { items: ITEMS } }), {
    outputSchema: z.looseObject({ items: z.array(z.looseObject({ id: z.number() })) }),
  });
  tool('no-schema', () => ({ content: [], structuredContent: { text: 'x'.repeat(200_000), items: ITEMS } }));
  tool('screenshot', () => ({ content: [{ type: 'image', data: SCREENSHOT, mimeType: 'image/png' }] }));
  tool('own-max-bytes', ({ max_bytes }) => TEXT(`${max_bytes} `.repeat(2_000)), {
    inputSchema: z.object({ max_bytes: z.number().optional() }),
  });
  tool('strict-arguments', ({ query }) => TEXT(`${query} `.repeat(2_000)), {
    inputSchema: z.strictObject({ query: z.string() }),
  });
  server.registerPrompt('long-prompt', { description: 'long' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'p'.repeat(5_000_000) } }],
  }));
  server.registerPrompt('failing-prompt', { description: 'fails' }, () => {
    throw Object.assign(new Error('e'.repeat(100_000)), { code: -32_000, data: { log: 'd'.repeat(5_000_000) } });
  });
  server.registerResource('long', 'test://long', {}, () => ({
    contents: [{ uri: 'test://long', text: 'r'.repeat(5_000_000) }],
  }));
  server.registerResource('short', 'test://short', {}, () => ({ contents: [{ uri: 'test://short', text: 'short' }] }));
}

/** A low-level server's answer, for the lines in which there is no `registerTool`. */
export const LOW_LEVEL = {
  tools: { tools: [{ name: 'low', inputSchema: { type: 'object' } }] },
  call: () => TEXT('"\n'.repeat(100_000)),
};

/** Calls everything through a client of either line, and says how each came out. */
export async function callAll(client, names) {
  const { tools } = await client.listTools();
  const told = { tools: tools.map(({ name }) => name), outcomes: {} };
  const attempt = async (name, call) => {
    try {
      told.outcomes[name] = { ok: summary(await call()) };
    } catch (error) {
      told.outcomes[name] = { threw: `${error.code ?? ''} ${String(error.message).slice(0, 200)}`.trim() };
    }
  };
  for (const name of names ?? told.tools)
    await attempt(name, () => client.callTool({ name, arguments: ARGUMENTS[name] ?? {} }));
  if (names === undefined) {
    const _meta = { 'dev.result-budget/max_bytes': 500 };
    await attempt('asks in _meta', () => client.callTool({ name: 'quotes', arguments: {}, _meta }));
    await attempt('asks wrongly', () =>
      client.callTool({ name: 'quotes', arguments: {}, _meta: { 'dev.result-budget/max_bytes': -1 } }),
    );
    await attempt('asks by argument', () =>
      client.callTool({ name: 'strict-arguments', arguments: { query: 'q', max_bytes: 600 } }),
    );
    await attempt('unknown tool', () => client.callTool({ name: 'n'.repeat(100_000), arguments: {} }));
    await attempt('long-prompt', () => client.getPrompt({ name: 'long-prompt' }));
    await attempt('failing-prompt', () => client.getPrompt({ name: 'failing-prompt' }));
    await attempt('long resource', () => client.readResource({ uri: 'test://long' }));
    await attempt('short resource', () => client.readResource({ uri: 'test://short' }));
  }
  return told;
}

const ARGUMENTS = { 'own-max-bytes': { max_bytes: 300 }, 'strict-arguments': { query: 'q' } };

function summary(result) {
  const blocks = result.content ?? [];
  const text = blocks.map((block) => block.text ?? '').join('\n');
  return {
    isError: result.isError === true,
    bytes: Buffer.byteLength(JSON.stringify(result)),
    text: text.slice(0, 150),
    items: result.structuredContent?.items?.length,
    image: blocks.find((block) => block.type === 'image')?.data.length,
    contents: result.contents?.[0]?.text,
    resultType: result.resultType,
  };
}
