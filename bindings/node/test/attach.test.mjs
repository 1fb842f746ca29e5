// What attaching promises beside the limit: once, away again, versions.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

import { Boundary, ResultBudgetError } from '../index.mjs';

const at = (folder) => createRequire(path.join(import.meta.dirname, 'sdk', folder, 'server.mjs'));
const modern = at('server-2');
const classic = at('sdk-1');
const LONG = { content: [{ type: 'text', text: 'x'.repeat(50_000) }] };

const SDKS = {
  '@modelcontextprotocol/server 2': () => {
    const { McpServer, InMemoryTransport } = modern('@modelcontextprotocol/server');
    const { Client } = modern('@modelcontextprotocol/client');
    return { McpServer, InMemoryTransport, Client };
  },
  '@modelcontextprotocol/sdk 1': () => {
    const { McpServer } = classic('@modelcontextprotocol/sdk/server/mcp.js');
    const { InMemoryTransport } = classic('@modelcontextprotocol/sdk/inMemory.js');
    const { Client } = classic('@modelcontextprotocol/sdk/client/index.js');
    return { McpServer, InMemoryTransport, Client };
  },
};

for (const [name, load] of Object.entries(SDKS)) {
  const { McpServer, InMemoryTransport, Client } = load();
  const connected = async (before, after = () => {}) => {
    const server = new McpServer({ name: 'test', version: '1.0.0' });
    server.registerTool('long', { description: 'long' }, () => LONG);
    server.registerTool('slow', { description: 'slow' }, async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return LONG;
    });
    before(server);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(ours);
    after(server);
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(theirs);
    const bytes = async (tool = 'long') =>
      Buffer.byteLength(JSON.stringify(await client.callTool({ name: tool, arguments: {} })));
    return { server, client, bytes };
  };
  const quiet = { logger: () => {} };

  test(`${name}: before or after connecting`, async () => {
    const boundary = new Boundary({ limitBytes: 1_000, ...quiet });
    const before = await connected((server) => boundary.attach(server));
    assert.ok((await before.bytes()) <= 1_000);
    const after = await connected(
      () => {},
      (server) => boundary.attach(server),
    );
    assert.ok((await after.bytes()) <= 1_000);
  });

  test(`${name}: a limit beside the preset is named at the first request`, async () => {
    const said = [];
    const boundary = new Boundary({ limitBytes: 600, logger: (line) => said.push(line) });
    await (await connected((server) => boundary.attach(server))).bytes();
    assert.equal(said.length, 1);
    assert.match(said[0], /preset normal .*: text 600, binary 600, result 600 bytes$/);
  });

  test(`${name}: twice is as once, and a second boundary is refused`, async () => {
    const boundary = new Boundary({ limitBytes: 1_000, ...quiet });
    const { bytes } = await connected((server) => {
      const first = boundary.attach(server);
      assert.equal(boundary.attach(server), first);
      assert.equal(boundary.attach(server.server), first);
      assert.throws(
        () => new Boundary(quiet).attach(server),
        (error) => error instanceof ResultBudgetError && error.code === 'already-attached',
      );
    });
    assert.ok((await bytes()) <= 1_000);
  });

  test(`${name}: detached, the server is as it was`, async () => {
    const boundary = new Boundary({ limitBytes: 1_000, ...quiet });
    let attachment;
    const { bytes, server } = await connected((server) => (attachment = boundary.attach(server)));
    assert.ok((await bytes()) <= 1_000);
    attachment.detach();
    assert.ok((await bytes()) > 50_000);
    boundary.attach(server);
    assert.ok((await bytes()) <= 1_000);
  });

  test(`${name}: many calls at once, each with its own budget`, async () => {
    const boundary = new Boundary({ limitBytes: 4_000, ...quiet });
    const { client } = await connected((server) => boundary.attach(server));
    const budgets = Array.from({ length: 100 }, (_, at) => 300 + 30 * at);
    const calls = budgets.map(async (budget) => {
      const _meta = { 'dev.result-budget/max_bytes': budget };
      const result = await client.callTool({ name: 'slow', arguments: {}, _meta });
      const bytes = Buffer.byteLength(JSON.stringify(result));
      // The client adds nothing of its own; the limit holds and is used.
      assert.ok(bytes <= budget && bytes > budget / 2, `${bytes} of ${budget}`);
    });
    await Promise.all(calls);
  });

  test(`${name}: reports name the method, the tool and the client`, async () => {
    const reports = [];
    const boundary = new Boundary({ limitBytes: 1_000, onReport: (report) => reports.push(report), ...quiet });
    const { client, bytes } = await connected((server) => boundary.attach(server));
    await client.listTools();
    await bytes();
    await client.callTool({ name: 'long', arguments: {} });
    const told = reports.map(({ method, tool, client, outcome, enforced }) => [
      method,
      tool,
      client,
      outcome,
      enforced,
    ]);
    assert.deepEqual(told, [
      ['tools/list', undefined, 'test', 'unchanged', false],
      ['tools/call', 'long', 'test', 'bounded', true],
      ['tools/call', 'long', 'test', 'bounded', true],
    ]);
  });
}

test('a version that is not known is refused with its number', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'result-budget-'));
  try {
    for (const [name, version, extra] of [
      ['@modelcontextprotocol/server', '3.1.4', 'projectCallToolResult() {}'],
      ['@modelcontextprotocol/sdk', '2.7.1', ''],
    ]) {
      const place = path.join(folder, 'node_modules', name);
      mkdirSync(place, { recursive: true });
      writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, version }));
      const entry = JSON.stringify(new URL('../index.mjs', import.meta.url).href);
      const program = path.join(folder, 'program.mjs');
      writeFileSync(
        program,
        `import { Boundary } from ${entry};
         class Server { connect() {} setRequestHandler() {} ${extra} }
         try { new Boundary().attach(new Server()); } catch (error) { console.log(error.code, error.message); }`,
      );
      const said = execFileSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
      assert.match(said, /^unsupported-server /);
      assert.ok(said.includes(`${name} ${version}`), said);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
