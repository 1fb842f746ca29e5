// The official client of the same line. Usage: client.mjs ERA stdio COMMAND... | ERA http URL
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { callAll } from '../tools.mjs';

const [era, kind, ...rest] = process.argv.slice(2);
const names = process.env.ONLY?.split(',');
const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
const client = new Client({ name: 'test-client', version: '1.2.3' }, { versionNegotiation: { mode } });
const [command, ...args] = rest;
const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(command))
    : new StdioClientTransport({ command, args, stderr: 'inherit' });
await client.connect(transport);
console.log(JSON.stringify(await callAll(client, names)));
await client.close();
