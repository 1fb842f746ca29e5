// A server of `@modelcontextprotocol/sdk` 1. Usage: server.mjs stdio|http|low [OPTIONS],
// with the options of the boundary as JSON.
import { createServer } from 'node:http';

import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Boundary } from 'result-budget';
import { z } from 'zod';

import { LOW_LEVEL, registerAll } from '../tools.mjs';

const [kind, options = '{}'] = process.argv.slice(2);
const boundary = new Boundary(JSON.parse(options));

function highLevel() {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  registerAll(server, z);
  boundary.attach(server);
  return server;
}

function lowLevel() {
  const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => LOW_LEVEL.tools);
  server.setRequestHandler(CallToolRequestSchema, async () => LOW_LEVEL.call());
  boundary.attach(server);
  return server;
}

if (kind === 'http') {
  // Stateless: a server and a transport for each request.
  const http = createServer(async (request, response) => {
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    const server = highLevel();
    response.on('close', () => server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => console.log(http.address().port));
} else {
  const server = kind === 'low' ? lowLevel() : highLevel();
  await server.connect(new StdioServerTransport());
}
