// The official client for TypeScript before one server: does what it is told on
// standard input, prints what it got.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Installed below `target`, so found by the folder that is told.
const require = createRequire(join(process.env.INSTALLED, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const { Client } = await load('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = await load('@modelcontextprotocol/sdk/client/stdio.js');

const { command, env, calls } = JSON.parse(readFileSync(0, 'utf8'));
const [program, ...args] = command;
const client = new Client({ name: 'typescript', version: '1' });
await client.connect(
  new StdioClientTransport({ command: program, args, env: { ...process.env, ...env }, stderr: 'inherit' }),
);
const answers = [(await client.listTools()).tools.map((tool) => tool.name)];
for (const [name, given] of calls) {
  try {
    answers.push(await client.callTool({ name, arguments: given }));
  } catch (error) {
    answers.push({ threw: String(error) });
  }
}
await client.close();
console.log(JSON.stringify(answers));
