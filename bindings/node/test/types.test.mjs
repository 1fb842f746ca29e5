// What is generated and committed is what would be generated now.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';

import { addonTypes, compile, PACKAGE } from '../scripts/build.mjs';

test('the types of the addon are those of the crate', async () => {
  const kept = readFileSync(path.join(PACKAGE, 'native/index.d.ts'), 'utf8');
  assert.equal(await addonTypes(), kept, 'run `npm run build` in bindings/node');
});

test('the types that users see are those of the code', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'result-budget-types-'));
  try {
    compile(['--emitDeclarationOnly', '--declarationDir', out]);
    const made = readdirSync(out).sort();
    const kept = readdirSync(path.join(PACKAGE, 'types'))
      .filter((name) => name.endsWith('.d.ts'))
      .sort();
    assert.deepEqual(kept, made, 'run `npm run build` in bindings/node');
    for (const name of made) {
      assert.equal(
        readFileSync(path.join(PACKAGE, 'types', name), 'utf8'),
        readFileSync(path.join(out, name), 'utf8'),
        name,
      );
    }
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
