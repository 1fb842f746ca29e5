// Real servers of both SDK lines in processes of their own, driven by the official
// clients; what passes is read outside of the SDKs and never over the limit.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { SCREENSHOT } from './sdk/tools.mjs';
import { recordingProxy } from './support/proxy.mjs';

const run = promisify(execFile);
const scratch = mkdtempSync(path.join(tmpdir(), 'result-budget-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const LINES = [
  { folder: 'server-2', eras: ['modern', 'legacy'] },
  { folder: 'sdk-1', eras: ['legacy'] },
];
const TEE = path.resolve(import.meta.dirname, 'support/tee.mjs');

/** Whole results that the limit does not speak of: they are measured, never changed. */
const EXEMPT = ['initialize', 'server/discover', 'tools/list', 'ping'];

let logs = 0;

/** One conversation: what the client told, what passed, and the server's log. */
async function converse({ folder, era, kind, options, only }) {
  const cwd = path.resolve(import.meta.dirname, 'sdk', folder);
  const env = { ...process.env, ...(only ? { ONLY: only } : {}) };
  const client = (...args) => run(process.execPath, ['client.mjs', era, ...args], { cwd, env, maxBuffer: 1 << 28 });
  const given = JSON.stringify(options);
  if (kind !== 'http') {
    const log = path.join(scratch, `${logs++}.jsonl`);
    const { stdout, stderr } = await client(
      'stdio',
      process.execPath,
      TEE,
      log,
      process.execPath,
      'server.mjs',
      kind,
      given,
    );
    const messages = readFileSync(log, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    return { told: JSON.parse(stdout), messages, stderr };
  }
  const server = spawn(process.execPath, ['server.mjs', 'http', given], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  server.stderr.on('data', (chunk) => (stderr += chunk));
  try {
    const [port] = await new Promise((resolve) =>
      createInterface({ input: server.stdout }).once('line', (line) => resolve([line])),
    );
    const proxy = await recordingProxy(Number(port));
    const { stdout } = await client('http', proxy.url);
    proxy.close();
    return { told: JSON.parse(stdout), messages: proxy.messages, stderr };
  } finally {
    server.kill();
  }
}

/** Each answer of the server: the request's method, and the member that the limit speaks of. */
function answers(messages) {
  const methods = new Map();
  const found = [];
  for (const { from, line } of messages) {
    for (const message of [JSON.parse(line)].flat()) {
      if (from === 'client' && message.method !== undefined) methods.set(message.id, message);
      if (from !== 'server' || message.id === undefined || message.method !== undefined) continue;
      const { method, params } = methods.get(message.id) ?? {};
      const member = message.result ?? message.error;
      found.push({
        method,
        tool: params?.name,
        member,
        isError: message.error !== undefined,
        bytes: Buffer.byteLength(JSON.stringify(member)),
      });
    }
  }
  return found;
}

for (const { folder, eras } of LINES) {
  for (const era of eras) {
    for (const kind of ['stdio', 'http']) {
      describe(`${folder}, ${era}, ${kind}`, () => {
        test('every result and every error is within the limit, whatever the tool says', async () => {
          const limitBytes = 4_000;
          const { told, messages, stderr } = await converse({ folder, era, kind, options: { limitBytes } });
          const all = answers(messages);
          const bounded = all.filter(({ method }) => !EXEMPT.includes(method));
          assert.ok(bounded.length >= 20, `only ${bounded.length} answers were seen`);
          for (const { method, tool, bytes } of bounded) {
            assert.ok(bytes <= limitBytes, `${method} ${tool?.slice(0, 40)}: ${bytes} bytes`);
          }
          // Nothing of ours reaches the wire, and no tool was dropped.
          assert.ok(!messages.some(({ line }) => /result-budget-[0-9a-f]{8}-/.test(line)));
          const list = all.find(({ method }) => method === 'tools/list');
          assert.equal(list.member.tools.length, 13);
          assert.match(stderr, /result-budget: .*client "test-client"/);

          const { outcomes } = told;
          const ok = (name) => outcomes[name].ok ?? assert.fail(`${name}: ${outcomes[name].threw}`);
          assert.equal(ok('small').text, 'hello');
          for (const name of ['quotes', 'newlines', 'control-characters', 'surrogates']) {
            assert.match(ok(name).text, /^\[result-budget\] \d+ of \d+ bytes shown/, name);
            assert.equal(ok(name).isError, false);
          }
          assert.equal(ok('raises').isError, true);
          // The client validates: a cut that broke the schema would have thrown.
          assert.ok(ok('closed').items > 0 && ok('closed').items < 2_000);
          assert.ok(ok('open').items > 0 && ok('open').items < 2_000);
          // With no schema every cut is legal: told by the server's own list.
          assert.equal(ok('no-schema').isError, false);
          assert.ok(ok('asks in _meta').bytes <= 500 + 200, `${ok('asks in _meta').bytes}`);
          assert.ok(sizeOf(messages, 'quotes', 500).every((bytes) => bytes <= 500));
          // A wrong wish is refused in the engine's words, before the tool runs.
          assert.equal(ok('asks wrongly').isError, true);
          assert.match(ok('asks wrongly').text, /max_bytes/);
          // An argument of ours never reaches the tool; one of its own does.
          assert.equal(ok('asks by argument').isError, false);
          assert.ok(ok('asks by argument').bytes <= 600 + 200);
          assert.match(ok('own-max-bytes').text, /300/);
          assert.ok(ok('own-max-bytes').bytes > 600);
          const prompt = all.find(({ method, isError }) => method === 'prompts/get' && !isError);
          assert.match(prompt?.member.messages[0].content.text, /^\[result-budget\] /);
          ok('long-prompt');
          assert.match(outcomes['long resource'].threw, /result-budget/);
          assert.equal(ok('short resource').contents, 'short');
          assert.ok(outcomes['failing-prompt'].threw.length > 0);
        });

        test('a screenshot survives the preset `normal`', async () => {
          const options = { preset: 'normal' };
          const { told, messages } = await converse({ folder, era, kind, options, only: 'screenshot,quotes' });
          assert.equal(told.outcomes.screenshot.ok.image, SCREENSHOT.length);
          const sent = answers(messages).find(({ tool }) => tool === 'screenshot');
          assert.equal(sent.member.content[0].data, SCREENSHOT);
          const texts = answers(messages).find(({ tool }) => tool === 'quotes');
          assert.ok(texts.bytes < 40_000);
        });

        test('report-only changes nothing', async () => {
          const options = { limitBytes: 4_000, mode: 'report-only' };
          const { messages, stderr } = await converse({ folder, era, kind, options, only: 'quotes,closed' });
          const quotes = answers(messages).find(({ tool }) => tool === 'quotes');
          assert.equal(quotes.member.content[0].text, '"'.repeat(100_000));
          assert.match(stderr, /report-only/);
        });
      });
    }

    test(`${folder}, ${era}: a low-level server is bounded too`, async () => {
      const { told, messages } = await converse({
        folder,
        era,
        kind: 'low',
        options: { limitBytes: 1_000 },
        only: 'low',
      });
      assert.match(told.outcomes.low.ok.text, /^\[result-budget\]/);
      const sent = answers(messages).find(({ method }) => method === 'tools/call');
      assert.ok(sent.bytes <= 1_000, `${sent.bytes}`);
    });
  }
}

/** Sizes of a tool's results that were asked for with a budget. */
function sizeOf(messages, tool, maxBytes) {
  const asked = new Set();
  const sizes = [];
  for (const { from, line } of messages) {
    const message = JSON.parse(line);
    const wish = message.params?._meta?.['dev.result-budget/max_bytes'];
    if (from === 'client' && message.params?.name === tool && wish === maxBytes) asked.add(message.id);
    if (from === 'server' && asked.has(message.id)) sizes.push(Buffer.byteLength(JSON.stringify(message.result)));
  }
  assert.ok(sizes.length > 0);
  return sizes;
}
