// What is JavaScript's own: kinds of values, numbers, errors, modules.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';

import { ENTRIES } from './support/entries.mjs';

const LONG = { content: [{ type: 'text', text: 'é"\n'.repeat(2_000) }] };

for (const [kind, { Boundary, Engine, ResultBudgetError }] of Object.entries(ENTRIES)) {
  const thrown = (code, pattern) => (error) => {
    assert.ok(error instanceof ResultBudgetError && error instanceof Error);
    assert.equal(error.name, 'ResultBudgetError');
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  };

  describe(kind, () => {
    const boundary = new Boundary({ limitBytes: 1_000 });

    test('the entry runs what it says', () => {
      assert.equal(boundary.engine.kind, kind);
      assert.equal(boundary.engine, Engine.shared());
      assert.match(boundary.engine.sha256, /^[0-9a-f]{64}$/);
    });

    test('text in gives text out, bytes bytes, an object an object, all of the same result', async () => {
      const text = JSON.stringify(LONG);
      const asText = boundary.fit(text);
      assert.equal(typeof asText, 'string');
      assert.ok(Buffer.byteLength(asText) <= 1_000);
      const asBuffer = boundary.fit(Buffer.from(text));
      assert.ok(Buffer.isBuffer(asBuffer));
      assert.equal(asBuffer.toString(), asText);
      const asArray = boundary.fit(new Uint8Array(Buffer.from(text)));
      assert.ok(asArray instanceof Uint8Array && !Buffer.isBuffer(asArray));
      assert.equal(Buffer.from(asArray).toString(), asText);
      const asView = boundary.fit(new DataView(Uint8Array.from(Buffer.from(text)).buffer));
      assert.equal(Buffer.from(asView).toString(), asText);
      assert.equal(JSON.stringify(boundary.fit(LONG)), asText);
      assert.equal(await boundary.fitAsync(text), asText);
      assert.equal((await boundary.fitAsync(Buffer.from(text))).toString(), asText);
      assert.equal(JSON.stringify(await boundary.fitAsync(LONG)), asText);
    });

    test('what fits comes back as it is', async () => {
      const object = { content: [], structuredContent: { a: 1 } };
      assert.equal(boundary.fit(object), object);
      assert.equal(await boundary.fitAsync(object), object);
      const bytes = Buffer.from('{"content":[]}');
      assert.equal(boundary.fit(bytes), bytes);
      assert.equal(boundary.fit('{"content":[]}'), '{"content":[]}');
      // The engine's text, white space gone; numbers as they were written.
      const wide = `{"content":[], "structuredContent":{"n":1.50e400}${' '.repeat(1_000)}}`;
      assert.equal(boundary.fit(wide), '{"content":[],"structuredContent":{"n":1.50e400}}');
    });

    test('a lone surrogate becomes U+FFFD and is reported, wherever it comes from', () => {
      for (const input of [
        '{"content":[{"type":"text","text":"a\ud800b"}]}',
        { content: [{ type: 'text', text: 'a\ud800b' }] },
      ]) {
        const { result, report } = boundary.answer(input);
        const object = typeof result === 'string' ? JSON.parse(result) : result;
        assert.equal(object.content[0].text, 'a\ufffdb');
        assert.ok(report.repairs.length === 1, JSON.stringify(report));
      }
      const pair = '{"content":[{"type":"text","text":"\u{1f600}"}]}';
      assert.equal(boundary.fit(pair), pair);
    });

    test('a bad result gives a small error result and no exception', async () => {
      const circle = {};
      circle.self = circle;
      const bad = [
        '',
        'no json',
        '[1]',
        Buffer.from([0x7b, 0x22, 0xff]),
        circle,
        { content: [], n: 1n },
        { toJSON: () => undefined },
      ];
      for (const input of bad) {
        for (const result of [boundary.fit(input), await boundary.fitAsync(input)]) {
          const text =
            typeof result === 'string'
              ? result
              : result instanceof Uint8Array
                ? Buffer.from(result).toString()
                : JSON.stringify(result);
          assert.ok(Buffer.byteLength(text) <= 256, text);
          assert.equal(JSON.parse(text).isError, true);
        }
      }
      const { outcome, failure } = boundary.answer('no json');
      assert.equal(outcome, 'failed-closed');
      assert.deepEqual([failure.code, failure.offsetBytes], ['malformed-json', 1]);
      assert.equal(boundary.answer(Buffer.from([0x7b, 0xff])).failure.offsetBytes, 1);
    });

    test('the place of a fault in UTF-8 is told exactly', () => {
      const wrong = [
        [0xff],
        [0xc3, 0x28],
        [0xe2, 0x82],
        [0xf0, 0x9f, 0x98, 0x41],
        [0xed, 0xa0, 0x80],
        [0xc3],
        [0xf4, 0x90, 0x80, 0x80],
      ];
      for (const bytes of wrong) {
        for (const before of [0, 1, 2, 3, 100]) {
          const input = Buffer.concat([Buffer.from('é'.repeat(before)), Buffer.from(bytes)]);
          const { failure } = boundary.answer(input);
          assert.deepEqual([failure.code, failure.offsetBytes], ['not-utf8', 2 * before], `${bytes}, ${before}`);
        }
      }
    });

    test('numbers are checked as JavaScript has them, and never coerced', () => {
      const wrong = [
        -1,
        0,
        255,
        1.5,
        256.0000001,
        Number.NaN,
        Infinity,
        2 ** 32 + 1_000,
        2 ** 53,
        1e21,
        1_000n,
        '1000',
        '',
        true,
        null,
        {},
        [1_000],
        () => 1,
      ];
      for (const limitBytes of wrong) {
        assert.throws(
          () => new Boundary({ limitBytes }),
          thrown('limit-out-of-range', /`max_result_bytes` must be a whole number from 256 to 16777216, got `/),
        );
      }
      for (const maxBytes of wrong) {
        assert.throws(
          () => boundary.fit('{}', { maxBytes }),
          thrown('limit-out-of-range', /`call_max_bytes` must be a whole number from 256 to 1000, got `/),
        );
      }
      assert.equal(new Boundary({ limitBytes: 256 }).inForce().limits.max_result_bytes, 256);
      assert.equal(boundary.inForce({ maxBytes: 500 }).limits.max_result_bytes, 500);
      assert.ok(boundary.fit(JSON.stringify(LONG), { maxBytes: 400 }).length <= 400);
    });

    test('wrong arguments are thrown: who is at fault, what was given, what is allowed', async () => {
      assert.throws(
        () => new Boundary({ limitByte: 1 }),
        thrown('invalid-argument', /a boundary has no `limitByte`, allowed: .*the caller is at fault/),
      );
      assert.throws(() => new Boundary(null), thrown('invalid-argument', /`options` must be an object, got null/));
      assert.throws(
        () => new Boundary({ preset: 5 }),
        thrown('invalid-argument', /`preset` must be a text, got the number `5`/),
      );
      assert.throws(
        () => new Boundary({ preset: 'huge' }),
        thrown('unknown-name', /no preset is called `huge`, allowed: small, normal, large/),
      );
      assert.throws(() => new Boundary({ profile: 'x' }), thrown('unknown-name', /no wire-profile is called `x`/));
      assert.throws(
        () => new Boundary({ policy: { version: 1, tool: {} } }),
        thrown('policy', /the policy is faulty at `\/tool`/),
      );
      assert.throws(() => new Boundary({ policy: '{' }), thrown('policy', /malformed-json/));
      assert.throws(() => new Boundary({ mode: 'off' }), thrown('invalid-argument', /`mode`/));
      assert.throws(() => new Boundary({ engine: {} }), thrown('invalid-argument', /`engine` must be an `Engine`/));
      for (const result of [undefined, null, 5, true, 1n, Symbol('x'), () => 1]) {
        assert.throws(
          () => boundary.fit(result),
          thrown('invalid-argument', /`result` must be a text, bytes or an object/),
        );
        await assert.rejects(boundary.fitAsync(result), thrown('invalid-argument', /`result`/));
      }
      assert.throws(() => boundary.fit('{}', { tool: 5 }), thrown('invalid-argument', /`tool` must be a text/));
      assert.throws(() => boundary.fit('{}', { maxByte: 5 }), thrown('invalid-argument', /a call has no `maxByte`/));
      assert.throws(
        () => boundary.fit('{}', { revision: '1999-01-01' }),
        thrown('unknown-name', /no revision is called/),
      );
      assert.throws(() => boundary.measure('no json'), thrown('malformed-json', /first fault at byte 1/));
      assert.throws(
        () => boundary.attach({}),
        thrown('unsupported-server', /@modelcontextprotocol\/server 2, @modelcontextprotocol\/sdk 1, got `Object`/),
      );
    });

    test('measure tells the sizes that the limits speak of', () => {
      const measured = boundary.measure(LONG);
      assert.equal(measured.resultBytes, Buffer.byteLength(JSON.stringify(LONG)));
      assert.equal(measured.contentItems, 1);
      assert.ok(measured.parts.some(({ pointer }) => pointer === '/content/0/text'));
      assert.deepEqual(boundary.measure(JSON.stringify(LONG)), measured);
      assert.deepEqual(boundary.measure(Buffer.from(JSON.stringify(LONG))), measured);
    });

    test('a policy, a tool and a schema reach the engine', () => {
      const policy = { version: 1, preset: 'small', tools: { log: { limits: { max_text_bytes: 500 } } } };
      const named = new Boundary({ policy });
      assert.equal(named.inForce({ tool: 'log' }).limits.max_text_bytes, 500);
      assert.equal(named.inForce().limits.max_text_bytes, 8_000);
      assert.equal(new Boundary({ policy: JSON.stringify(policy) }).inForce().limits.max_text_bytes, 8_000);
      assert.equal(named.inForce({ revision: '2025-06-18' }).revision, 'r20250618');
      const data = {
        content: [],
        structuredContent: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key ${at}`, at])),
      };
      // Keys go only where no schema is declared, or it lets them; else an error stands in.
      assert.equal(boundary.answer(data, { outputSchema: 'none' }).outcome, 'bounded');
      assert.equal(boundary.answer(data, { outputSchema: 'unknown' }).outcome, 'replaced-by-error');
      assert.equal(boundary.answer(data, { outputSchema: { type: 'object' } }).outcome, 'bounded');
      assert.equal(boundary.answer(data, { outputSchema: { minProperties: 500 } }).outcome, 'replaced-by-error');
    });

    test('reports tell of every call, and a listener that throws harms nothing', () => {
      const reports = [];
      const lines = [];
      const options = { limitBytes: 1_000, tenant: () => 'acme', onReport: (report) => reports.push(report) };
      new Boundary(options).fit(LONG, { tool: 'log', client: 'shell' });
      const [{ elapsedMicros, report, ...rest }] = reports;
      assert.ok(elapsedMicros >= 0 && report.truncated === true);
      assert.deepEqual(rest, {
        tool: 'log',
        client: 'shell',
        tenant: 'acme',
        inBytes: 12_039,
        outBytes: rest.outBytes,
        enforced: true,
        preset: 'normal',
        presetChosenBy: 'default',
        outcome: 'bounded',
      });
      assert.ok(rest.outBytes <= 1_000);
      const onReport = () => {
        throw new Error('no');
      };
      assert.ok(new Boundary({ limitBytes: 1_000, onReport, logger: (line) => lines.push(line) }).fit(LONG));
      assert.match(lines[0], /onReport threw: Error: no/);
    });

    test('report-only changes nothing and tells what would have been', () => {
      const reports = [];
      const boundary = new Boundary({
        limitBytes: 1_000,
        mode: 'report-only',
        onReport: (report) => reports.push(report),
      });
      assert.equal(boundary.fit(LONG), LONG);
      assert.equal(boundary.fit('no json'), 'no json');
      assert.deepEqual(
        reports.map(({ outcome, enforced }) => [outcome, enforced]),
        [
          ['bounded', false],
          ['failed-closed', false],
        ],
      );
      assert.equal(new Boundary({ limitBytes: 1_000, mode: 'report-only' }).fit(LONG), LONG);
    });
  });
}

test('the words of both entries are the same', () => {
  const [addon, wasm] = Object.values(ENTRIES).map((entry) => {
    const boundary = new entry.Boundary({ limitBytes: 1_000 });
    const told = (work) => {
      try {
        return work().failure;
      } catch ({ code, message, fault, offsetBytes }) {
        return { code, message, fault, offsetBytes };
      }
    };
    const works = [
      () => new entry.Boundary({ preset: 'x' }),
      () => new entry.Boundary({ policy: '' }),
      () => new entry.Boundary({ policy: '{"version":2}' }),
      () => new entry.Boundary({ policy: '{"version":1,"limits":{"max_depth":3}}' }),
      () => new entry.Boundary({ limitBytes: -1 }),
      () => boundary.answer('{}', { maxBytes: 2 ** 60 }),
      () => boundary.answer('{"a":'),
      () => boundary.answer('5'),
      () => boundary.answer(Buffer.from([0xff])),
      () => boundary.answer(Buffer.alloc(16 * 1_024 * 1_024 + 1)),
      () => boundary.answer('é'.repeat(16 * 1_024 * 1_024)),
    ];
    return works.map((work) => JSON.parse(JSON.stringify(told(work) ?? null)));
  });
  assert.deepEqual(wasm, addon);
  assert.ok(addon.filter((failure) => failure !== null).length >= 10);
});

test('ESM and CommonJS have the same classes', () => {
  const require = createRequire(import.meta.url);
  assert.equal(require('../dist/index.js').Boundary, ENTRIES.addon.Boundary);
  assert.equal(require('../dist/wasm.js').Boundary, ENTRIES.wasm.Boundary);
  assert.equal(ENTRIES.addon.ResultBudgetError, ENTRIES.wasm.ResultBudgetError);
});
