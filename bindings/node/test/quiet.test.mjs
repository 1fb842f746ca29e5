// The example server, as its README says.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { PACKAGE, ROOT } from '../scripts/build.mjs';

const QUIET = path.join(ROOT, 'host-examples/quiet');

test('the quiet server answers as its README says', () => {
  const tsc = path.join(PACKAGE, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--project', 'tsconfig.json'], { cwd: QUIET });
  const file = path.join(QUIET, 'README.md');
  const readme = readFileSync(file, 'utf8');
  const [whole, command, shown] = readme.match(/\n```console\n\$ ([^\n]+)\n([\s\S]*?)```/);
  const { stdout, stderr, status } = spawnSync(command, { cwd: QUIET, encoding: 'utf8', shell: true });
  assert.equal(status, 0, stderr);
  const printed = `${stderr}${stdout}`;
  if (process.env.RESULT_BUDGET_BLESS)
    writeFileSync(
      file,
      readme.replace(whole, () => whole.slice(0, -3 - shown.length) + printed + '```'),
    );
  else assert.equal(printed, shown);
});
