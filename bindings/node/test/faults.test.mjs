// An engine that breaks gives a constant error result, and the next call is fine;
// an engine with another table of limits is another behaviour.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

import { ENTRIES, otherEngines } from './support/entries.mjs';

const broken = await otherEngines('broken');
const other = await otherEngines('other');

/** What the broken engine is asked to do, and what each entry makes of it. */
const FAULTS = [
  ['trap', 'trap', 'trap'],
  ['recurse', 'trap', 'trap'],
  // Node cannot stop its own WebAssembly.
  ['loop', 'deadline', undefined],
  ['memory', ['memory', 'trap'], 'trap'],
  ['over budget', 'bad-answer', 'bad-answer'],
  ['no json', 'bad-answer', 'bad-answer'],
  ['zero', 'bad-answer', 'bad-answer'],
  ['utf8', 'bad-answer', undefined],
  ['pointer', 'bad-answer', 'trap'],
];
const FINE = '{"do":"as it is"}';

for (const [at, [kind, { Boundary, ResultBudgetError }]] of Object.entries(ENTRIES).entries()) {
  test(`${kind}: each fault gives the constant error and the next call is fine`, async () => {
    const boundary = new Boundary({ engine: broken[kind] });
    let faults = 0;
    for (let round = 0; round < 5; round += 1) {
      for (const [what, ...codes] of FAULTS) {
        const code = codes[at];
        if (code === undefined) continue;
        const secret = `{"do":"${what}", "secret":"payload"}`;
        for (const input of [secret, Buffer.from(secret)]) {
          const { result, outcome, failure } = boundary.answer(input);
          assert.equal(outcome, 'failed-closed', what);
          assert.ok([code].flat().includes(failure.code), `${what}: ${failure.code}`);
          const text = result.toString();
          assert.ok(Buffer.byteLength(text) <= 256 && !text.includes('payload'), text);
          // What this engine says of itself where it can speak, else the product's constant.
          assert.ok(['{"failed":1}'].includes(text) || JSON.parse(text).isError === true, text);
          faults += 1;
          assert.equal(boundary.fit(FINE), FINE, `after ${what}`);
        }
        const { outcome } = await boundary.answerAsync(secret);
        assert.equal(outcome, 'failed-closed');
        assert.equal(await boundary.fitAsync(FINE), FINE);
      }
    }
    assert.ok(faults >= 60, `${faults}`);
  });

  test(`${kind}: a broken engine while settling is an error of the constructor`, () => {
    assert.throws(
      () => new Boundary({ engine: broken[kind], policy: 'trap' }),
      (error) => error instanceof ResultBudgetError && error.code === 'trap',
    );
  });

  test(`${kind}: an instance is not used again after it broke`, () => {
    const boundary = new Boundary({ engine: broken[kind] });
    boundary.fit('{"do":"trap"}');
    assert.equal(boundary.fit('{"do":"fits"}'), '{"n":001}');
    assert.equal(boundary.fit('{"do":"fits"}'), '{"n":002}');
  });

  test(`${kind}: another component is another behaviour, with no change here`, () => {
    const ours = new Boundary({ preset: 'small' });
    const theirs = new Boundary({ preset: 'small', engine: other[kind] });
    assert.notEqual(ours.engine.sha256, theirs.engine.sha256);
    const small = ({ engine }) => engine.presets().find(({ name }) => name === 'small').maxTextBytes;
    assert.deepEqual([small(ours), small(theirs)], [8_000, 9_000]);
    assert.equal(theirs.inForce().limits.max_text_bytes, 9_000);
    const long = { content: [{ type: 'text', text: 'line of prose\n'.repeat(2_000) }] };
    const kept = (boundary) => boundary.measure(boundary.fit(long)).textBytes;
    assert.ok(kept(ours) <= 8_000 && kept(theirs) > 8_000 && kept(theirs) <= 9_000);
  });
}

test('addon: three faults in a row open the circuit for a second', async () => {
  const boundary = new ENTRIES.addon.Boundary({ engine: broken.addon });
  for (let time = 0; time < 3; time += 1) boundary.fit('{"do":"trap"}');
  assert.equal(boundary.answer(FINE).failure.code, 'circuit-open');
  const opened = performance.now();
  while (boundary.answer(FINE).failure !== undefined) {
    assert.ok(performance.now() - opened < 5_000);
    await sleep(20);
  }
});
