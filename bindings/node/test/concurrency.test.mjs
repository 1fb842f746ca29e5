// Many calls at once, from promises and from threads; memory; the event loop.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

import { ENTRIES } from './support/entries.mjs';

/** A result that carries its tag everywhere, so that a crossing would show. */
function tagged(tag, bytes = 3_000) {
  const word = createHash('sha256').update(String(tag)).digest('hex');
  return JSON.stringify({ content: [{ type: 'text', text: `${word} `.repeat(Math.ceil(bytes / 65)) }] });
}

/** Whether every word of an answer is that of `tag`. */
function isOf(answer, tag) {
  const word = createHash('sha256').update(String(tag)).digest('hex');
  const text = JSON.parse(answer)
    .content.map((block) => block.text)
    .join(' ');
  const words = text.match(/[0-9a-f]{64}/g);
  return words.length > 0 && words.every((found) => found === word);
}

for (const [kind, { Boundary }] of Object.entries(ENTRIES)) {
  test(`${kind}: a thousand promises in flight, no crossing`, async () => {
    const boundary = new Boundary({ limitBytes: 1_000 });
    const calls = Array.from({ length: 1_000 }, async (_, tag) => {
      const input = tag % 2 ? tagged(tag) : Buffer.from(tagged(tag));
      const answer = (await boundary.fitAsync(input, { tool: `tool ${tag % 50}` })).toString();
      assert.ok(Buffer.byteLength(answer) <= 1_000);
      return isOf(answer, tag) ? 0 : 1;
    });
    const crossings = (await Promise.all(calls)).reduce((sum, crossing) => sum + crossing, 0);
    assert.equal(crossings, 0);
  });

  test(`${kind}: worker threads have the same answers`, async () => {
    const entry = new URL(kind === 'addon' ? '../index.mjs' : '../wasm.mjs', import.meta.url).href;
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      import(${JSON.stringify(entry)}).then(({ Boundary }) => {
        const boundary = new Boundary({ limitBytes: 1000 });
        parentPort.postMessage(workerData.map((input) => boundary.fit(input)));
      });`;
    const boundary = new Boundary({ limitBytes: 1_000 });
    const workers = Array.from({ length: 4 }, (_, worker) => {
      const inputs = Array.from({ length: 200 }, (_, call) => tagged(`${worker}/${call}`));
      return new Promise((resolve, reject) => {
        const thread = new Worker(code, { eval: true, workerData: inputs });
        thread.once('message', (answers) => {
          assert.deepEqual(
            answers,
            inputs.map((input) => boundary.fit(input)),
          );
          resolve(answers.length);
        });
        thread.once('error', reject);
      });
    });
    const answered = await Promise.all(workers);
    assert.deepEqual(answered, [200, 200, 200, 200]);
  });

  test(`${kind}: ten thousand calls leave no memory behind`, async (context) => {
    if (typeof globalThis.gc !== 'function') throw new Error('run with --expose-gc');
    const boundary = new Boundary({ limitBytes: 1_000 });
    const input = Buffer.from(tagged('memory', 20_000));
    const text = input.toString();
    const calls = async (count) => {
      for (let call = 0; call < count; call += 1) {
        boundary.fit(call % 3 ? input : text, { tool: `tool ${call % 200}` });
        if (call % 10 === 0) boundary.fit('no json');
        if (call % 20 === 0) await boundary.fitAsync(input);
      }
      for (let round = 0; round < 4; round += 1) {
        globalThis.gc();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return process.memoryUsage().rss;
    };
    // The heap takes its size in the first rounds.
    await calls(5_000);
    // A leak grows in every round; what the system does to the heap in one does not.
    const growths = [];
    for (let round = 0; round < 3; round += 1) {
      const before = await calls(100);
      growths.push((await calls(10_000)) - before);
    }
    const growth = Math.min(...growths);
    context.diagnostic(`${kind}: ${growths.join(', ')} bytes of resident growth in rounds of 10,000 calls`);
    assert.ok(growth < 5_000_000, `${growth} bytes`);
  });
}

test('a Buffer of 16 MiB on another thread leaves the event loop free', async (context) => {
  const { Boundary } = ENTRIES.addon;
  const boundary = new Boundary({ limitBytes: 2_000_000 });
  const item = JSON.stringify({ id: 12_345, title: 'a title', body: 'prose "with" quotes, é and more. '.repeat(8) });
  const head = '{"content":[],"structuredContent":{"items":[';
  const count = Math.floor((16 * 1_024 * 1_024 - head.length - 10) / (Buffer.byteLength(item) + 1));
  const input = Buffer.from(`${head}${Array(count).fill(item).join(',')}]}}`);
  assert.ok(input.byteLength > 15_000_000 && input.byteLength <= 16 * 1_024 * 1_024);
  const call = { outputSchema: 'none' };
  boundary.fit(input, call);
  await boundary.fitAsync(input, call);
  const rounds = [];
  for (let round = 0; round < 5; round += 1) {
    const started = busyMillis();
    boundary.fit(input, call);
    const blocking = busyMillis() - started;
    const begun = busyMillis();
    await boundary.fitAsync(input, call);
    rounds.push({ blocking, free: busyMillis() - begun });
  }
  const best = (name) => Math.min(...rounds.map((round) => round[name]));
  const [blocking, free] = [best('blocking'), best('free')];
  context.diagnostic(
    `the event loop's thread works ${free.toFixed(2)} ms for a call on another thread, ${blocking.toFixed(1)} ms for one on its own`,
  );
  // Relative, since machines differ.
  assert.ok(free < blocking / 4, `${free} of ${blocking} ms`);
});

/** How long this thread has worked: what it waited for a processor does not count, where the system tells. */
function busyMillis() {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.eventLoopUtilization().active;
  }
}
