// A server of `@modelcontextprotocol/server`. Usage: server.mjs stdio|http|low [OPTIONS],
// with the options of the boundary as JSON.
import { createServer } from 'node:http';

import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Boundary } from 'result-budget';
import { z } from 'zod';

import { LOW_LEVEL, registerAll } from '../tools.mjs';

const [kind, options = '{}'] = process.argv.slice(2);
const boundary = new Boundary(JSON.parse(options));

function factory() {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  registerAll(server, z);
  boundary.attach(server);
  return server;
}

function lowLevel() {
  const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => LOW_LEVEL.tools);
  server.setRequestHandler('tools/call', async () => LOW_LEVEL.call());
  boundary.attach(server);
  return server;
}

if (kind === 'http') {
  const http = createServer(toNodeHandler(createMcpHandler(factory)));
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
} else {
  serveStdio(kind === 'low' ? lowLevel : factory);
}
