// The official client of the same line. Usage: client.mjs legacy stdio COMMAND... | legacy http URL
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { callAll } from '../tools.mjs';

const [, kind, ...rest] = process.argv.slice(2);
const names = process.env.ONLY?.split(',');
const client = new Client({ name: 'test-client', version: '1.2.3' });
const [command, ...args] = rest;
const transport =
  kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(command))
    : new StdioClientTransport({ command, args, stderr: 'inherit' });
await client.connect(transport);
console.log(JSON.stringify(await callAll(client, names)));
await client.close();
