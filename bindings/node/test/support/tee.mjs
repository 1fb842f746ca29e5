// Stands between a client and a server on stdio, outside of every SDK, and keeps
// each line that passes. Usage: tee.mjs LOG COMMAND...
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [log, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const keep = (from, line) => appendFileSync(log, `${JSON.stringify({ from, line })}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  keep('client', line);
  server.stdin.write(`${line}\n`);
});
process.stdin.on('end', () => server.stdin.end());
createInterface({ input: server.stdout }).on('line', (line) => {
  keep('server', line);
  process.stdout.write(`${line}\n`);
});
server.on('exit', (code) => {
  process.exitCode = code ?? 0;
});
