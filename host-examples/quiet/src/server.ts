// A small context server: one tool that searches files, and one line that keeps
// what it finds within a budget. Usage: node dist/server.js [FOLDER]
import path from 'node:path';

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Boundary } from 'result-budget';
import { z } from 'zod';

import { search } from './search.js';

const root = path.resolve(process.argv[2] ?? '.');
const boundary = new Boundary({ preset: 'small' });

serveStdio(() => {
  const server = new McpServer({ name: 'quiet', version: '0.1.0' });
  server.registerTool(
    'search',
    {
      description: 'Searches files for a text. Answers with every line that holds it.',
      inputSchema: z.object({ query: z.string().min(1) }),
      outputSchema: z.object({
        matches: z.array(z.object({ file: z.string(), line: z.number(), text: z.string() })),
      }),
    },
    async ({ query }) => {
      const matches = await search(root, query);
      const text = matches.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n');
      return { content: [{ type: 'text', text }], structuredContent: { matches } };
    },
  );
  boundary.attach(server);
  return server;
});
