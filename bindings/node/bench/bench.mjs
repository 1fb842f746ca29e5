// What the boundary costs in Node, beside `JSON.stringify` and what else cuts
// results: one table. Times are the best of many batches; ratios to
// `JSON.stringify` of the same result are what counts. `--short` proves that it runs.
import { readdirSync } from 'node:fs';

import * as addon from '../index.mjs';
import * as wasm from '../wasm.mjs';

// Its entry runs on its maker's platform alone; the part that cuts runs anywhere.
const dist = new URL('./node_modules/@cloudflare/codemode/dist/', import.meta.url);
const part = readdirSync(dist).find((name) => /^truncate-.*\.js$/.test(name));
const truncateResult = Object.values(await import(new URL(part, dist).href)).find(
  ({ name }) => name === 'truncateResult',
);

const SHORT = process.argv.includes('--short');
const SIZES = [
  ['2 KB', 2_000],
  ['64 KB', 64_000],
  ['1 MB', 1_000_000],
];
const BATCHES = SHORT ? 3 : 101;
const BATCH_MILLIS = 1;
const ENCODER = new TextEncoder();

/** A result of about so many bytes, as a search would answer. */
function document(bytes, seed) {
  const items = [];
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const item = {
      id: seed * 1_000_003 + at,
      title: `Issue ${at} of run ${seed}`,
      state: at % 3 ? 'open' : 'closed',
      labels: ['bug', 'needs "triage"'],
      body: 'It fails when the path has a space in it.\nSee the log, and try again. '.repeat(1 + (at % 4)),
    };
    items.push(item);
    length += JSON.stringify(item).length + 1;
  }
  return { content: [], structuredContent: { items } };
}

/**
 * Milliseconds of a call, and of `JSON.stringify` in the batches between: the best
 * of each, over documents in turn. Whatever else the machine does falls on both.
 */
function time(objects, inputs, work) {
  const own = batches(inputs, work);
  const base = batches(objects, (object) => JSON.stringify(object));
  const pairs = Array.from({ length: BATCHES }, () => [own(), base()]);
  const best = (side) => Math.min(...pairs.map((pair) => pair[side]));
  return { took: best(0), base: best(1) };
}

function batches(inputs, work) {
  let at = 0;
  const once = () => work(inputs[at++ % inputs.length]);
  const started = performance.now();
  let warm = 0;
  while (performance.now() - started < BATCH_MILLIS * 20 || warm < 4) {
    once();
    warm += 1;
  }
  const calls = Math.max(1, Math.round((warm * BATCH_MILLIS) / (performance.now() - started)));
  return () => {
    const begun = performance.now();
    for (let call = 0; call < calls; call += 1) once();
    return (performance.now() - begun) / calls;
  };
}

const rows = [];
const missed = [];
for (const [size, bytes] of SIZES) {
  const objects = Array.from({ length: 4 }, (_, seed) => document(bytes, seed + 1));
  const texts = objects.map((object) => JSON.stringify(object));
  const buffers = texts.map((text) => Buffer.from(text));
  const row = (what, inputs, work, goal) => {
    const { took, base } = time(objects, inputs, work);
    const ratio = took / base;
    rows.push([size, what, (took * 1_000).toFixed(1), ratio.toFixed(2), goal === undefined ? '' : goal.toFixed(1)]);
    if (goal !== undefined && ratio > goal) missed.push(`${what} at ${size}: ${ratio.toFixed(2)}, the goal is ${goal}`);
  };
  row('JSON.stringify', objects, (object) => JSON.stringify(object));
  // V8 leaves the text in pieces until somebody reads it: everybody pays this.
  const bytesOf = new Uint8Array(4 * texts[0].length);
  row('JSON.stringify, made into bytes', objects, (object) => ENCODER.encodeInto(JSON.stringify(object), bytesOf));
  row('JSON.parse', texts, (text) => JSON.parse(text));
  // The default preset's text, where the input is that long.
  const room = Math.max(500, Math.min(32_000, bytes / 4));
  const cut = `cut to ${room.toLocaleString('en')} bytes`;
  row(`codemode truncateResult, ${cut}`, objects, (object) => truncateResult(object, { maxTokens: room / 4 }));
  for (const [kind, { Boundary }] of Object.entries({ addon, wasm })) {
    const limits = { max_text_bytes: 16_000_000, max_result_bytes: 16_000_000 };
    const fits = new Boundary({ policy: { version: 1, limits } });
    const call = { outputSchema: 'none' };
    const cuts = new Boundary({ limitBytes: room });
    for (const [form, inputs] of Object.entries({ text: texts, Buffer: buffers, object: objects })) {
      row(`${kind}, ${form}, fits`, inputs, (input) => fits.fit(input, call));
      const goal = kind === 'addon' && bytes === 1_000_000 ? (form === 'object' ? 1.6 : 1) : undefined;
      row(`${kind}, ${form}, ${cut}`, inputs, (input) => cuts.fit(input, call), goal);
    }
    if (fits.fit(objects[0], call) !== objects[0] || cuts.fit(texts[0], call) === texts[0])
      throw new Error('not what is said');
  }
}
const head = ['size', 'what', 'microseconds', 'of JSON.stringify', 'goal'];
const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)));
for (const line of [head, ...rows]) {
  console.log(line.map((cell, at) => (at === 1 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '));
}
console.log(missed.length === 0 ? 'every goal is met' : `missed: ${missed.join('; ')}`);
