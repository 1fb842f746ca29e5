// Asks the server one question, as a client would, and prints what a model sees.
// Usage: node dist/client.js QUERY [FOLDER]
import path from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [query = '', folder = '.'] = process.argv.slice(2);
const client = new Client({ name: 'shell', version: '0.1.0' });
const server = path.join(import.meta.dirname, 'server.js');
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server, folder], stderr: 'inherit' }),
);
await client.listTools();
const result = await client.callTool({ name: 'search', arguments: { query } });
const bytes = Buffer.byteLength(JSON.stringify(result));
const [notice] = result.content;
const { matches } = result.structuredContent as { matches: unknown[] };
console.log(`${bytes} bytes, ${matches.length} matches`);
console.log(notice?.type === 'text' ? notice.text.split('\n')[0] : '');
await client.close();
