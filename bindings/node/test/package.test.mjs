// The packages as they are published, installed in a fresh folder, where README's
// programs run and print what README says. `RESULT_BUDGET_BLESS=1` writes into
// README what they print now, for a person to review.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { PACKAGE, ROOT, TARGET } from '../scripts/build.mjs';
import { OUT } from '../scripts/pack.mjs';

const MAX_BYTES = 4_000_000;
const folder = mkdtempSync(path.join(tmpdir(), 'result-budget-fresh-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const README = path.join(PACKAGE, 'README.md');
const tarballs = () => readdirSync(OUT).filter((name) => name.endsWith('.tgz'));
const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
const node = (args, cwd) => execFileSync(process.execPath, args, { cwd, encoding: 'utf8' });

function install(to, names) {
  mkdirSync(to, { recursive: true });
  writeFileSync(path.join(to, 'package.json'), '{"private":true}');
  // Offline: nothing but the tarballs is needed.
  npm(['install', '--offline', '--no-audit', '--no-fund', ...names.map((name) => path.join(OUT, name))], to);
}

/** The blocks of one language in README, each with the block of output after it. */
function programs(readme, language) {
  const found = [];
  const fence = new RegExp(
    `\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\`\\n[^\`]*?\\n\`\`\`text\\n([\\s\\S]*?)\`\`\``,
    'g',
  );
  for (const match of readme.matchAll(fence))
    found.push({ code: match[1], output: match[2], at: match.index + match[0].length - 3 - match[2].length });
  return found;
}

before(() => install(folder, tarballs()));

test('both tarballs together are small, and there is no dependency at run time', (context) => {
  const bytes = tarballs().map((name) => statSync(path.join(OUT, name)).size);
  context.diagnostic(`${tarballs().join(' and ')}: ${bytes.join(' and ')} bytes`);
  assert.equal(bytes.length, 2);
  assert.ok(bytes[0] + bytes[1] < MAX_BYTES);
  const installed = readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  assert.ok(installed.length === 2 && installed.every((name) => name.startsWith('result-budget')), installed.join());
  const manifest = JSON.parse(readFileSync(path.join(folder, 'node_modules/result-budget/package.json'), 'utf8'));
  assert.equal(manifest.dependencies, undefined);
  assert.ok(existsSync(path.join(folder, 'node_modules/result-budget/engine/result-budget.wasm')));
});

test('the addon runs on old C libraries', { skip: process.platform === 'linux' ? false : 'Linux alone' }, () => {
  const addon = readFileSync(path.join(PACKAGE, 'native/result-budget.node'), 'latin1');
  const minors = [...addon.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
  assert.ok(minors.length > 0 && Math.max(...minors) <= 17, `GLIBC_2.${Math.max(...minors)}`);
});

for (const [readmePath, language, file] of [
  [README, 'js', 'program.mjs'],
  [README, 'cjs', 'program.cjs'],
  [path.join(ROOT, 'README.md'), 'js', 'short.mjs'],
]) {
  test(`README's program runs as it says (${file})`, () => {
    const readme = readFileSync(readmePath, 'utf8');
    const [{ code, output, at }] = programs(readme, language);
    writeFileSync(path.join(folder, file), code);
    const printed = node([file], folder);
    if (process.env.RESULT_BUDGET_BLESS) {
      writeFileSync(readmePath, readme.slice(0, at) + printed + readme.slice(at + output.length));
    } else {
      assert.equal(printed, output);
    }
  });
}

test("README's server holds under `tsc --strict`, and runs", () => {
  const [, code] = readFileSync(README, 'utf8').match(/\n```ts\n([\s\S]*?)```/);
  // Where the SDK is installed; the package is the one that was packed.
  const home = path.join(TARGET, 'node/readme');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const sdk = path.join(ROOT, 'host-examples/quiet/node_modules');
  const left = ['result-budget', 'typescript', '@typescript', '.bin', '.package-lock.json', 'installed.json'];
  for (const name of readdirSync(sdk).filter((name) => !left.includes(name))) {
    cpSync(path.join(sdk, name), path.join(home, 'node_modules', name), { recursive: true });
  }
  cpSync(path.join(folder, 'node_modules'), path.join(home, 'node_modules'), { recursive: true });
  writeFileSync(path.join(home, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(path.join(home, 'server.ts'), code);
  const client = `
    import { Client } from '@modelcontextprotocol/client';
    import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
    const client = new Client({ name: 'shell', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.js'], stderr: 'inherit' }));
    const result = await client.callTool({ name: 'read_log', arguments: {} });
    console.log(JSON.stringify(result).length, result.content[0].text);
    await client.close();`;
  writeFileSync(path.join(home, 'client.mjs'), client);
  const tsc = path.join(PACKAGE, 'node_modules/typescript/bin/tsc');
  node(
    [
      tsc,
      '--strict',
      '--target',
      'es2023',
      '--module',
      'node16',
      '--types',
      'node',
      '--skipLibCheck',
      'false',
      'server.ts',
    ],
    home,
  );
  const { stdout, stderr } = spawnSync(process.execPath, ['client.mjs'], { cwd: home, encoding: 'utf8' });
  assert.match(stdout, /^\d{5} \[result-budget\] \d+ of 1050000 bytes/);
  const [line] = readFileSync(README, 'utf8').match(/^result-budget: preset normal.*$/m);
  assert.equal(stderr.trim(), line);
});

test('types are found by both kinds of modules, under every check', () => {
  const program = `import { Boundary, Engine, ResultBudgetError, type Answer } from 'result-budget';
    import { Boundary as Wasm } from 'result-budget/wasm';
    const boundary: Boundary = new Boundary({ engine: Engine.shared(), onReport: ({ outBytes }) => outBytes.toFixed() });
    const text: string = boundary.fit('{}', { maxBytes: 300, outputSchema: 'none' });
    const bytes: Promise<Buffer> = boundary.fitAsync(Buffer.from('{}'));
    const object: { content: string[] } = new Wasm().fit({ content: ['x'] });
    const answer: Answer<string> = boundary.answer(text);
    // @ts-expect-error a number is no result
    boundary.fit(5);
    // @ts-expect-error a misspelt option
    new Boundary({ limitByte: 5 });
    export { answer, bytes, object, ResultBudgetError };`;
  const tsc = path.join(PACKAGE, 'node_modules/typescript/bin/tsc');
  cpSync(path.join(PACKAGE, 'node_modules/@types'), path.join(folder, 'node_modules/@types'), { recursive: true });
  cpSync(path.join(PACKAGE, 'node_modules/undici-types'), path.join(folder, 'node_modules/undici-types'), {
    recursive: true,
  });
  for (const file of ['types.mts', 'types.cts']) {
    writeFileSync(path.join(folder, file), program);
    node(
      [
        tsc,
        '--strict',
        '--noEmit',
        '--target',
        'es2023',
        '--module',
        'node16',
        '--types',
        'node',
        '--exactOptionalPropertyTypes',
        file,
      ],
      folder,
    );
  }
  rmSync(path.join(folder, 'node_modules/@types'), { recursive: true });
  rmSync(path.join(folder, 'node_modules/undici-types'), { recursive: true });
});

test('npx runs the command, with the bytes and exit codes of the program', () => {
  const shell = process.platform === 'win32';
  const command = (...args) =>
    spawnSync('npx', ['--offline', 'result-budget', ...args], { cwd: folder, encoding: 'utf8', shell });
  const program = path.join(TARGET, 'debug', `result-budget${shell ? '.exe' : ''}`);
  if (!existsSync(program))
    execFileSync('cargo', ['build', '--quiet', '--package', 'result-budget-cli'], { cwd: ROOT });
  const file = path.join(ROOT, 'tests/fixtures/sqlite-select-600-rows.json');
  const bad = path.join(folder, 'bad.json');
  writeFileSync(bad, 'no json');
  for (const args of [
    ['--engine-sha'],
    ['--version'],
    ['--help'],
    ['fit', '--limit-bytes', '1000', '--report', file],
    ['fit', '--limit-bytes', '255', file],
    ['fit', bad],
    ['inspect', file],
    ['limits', '--json'],
    ['no-such-command'],
  ]) {
    const ours = command(...args);
    const theirs = spawnSync(program, args, { cwd: folder, encoding: 'utf8' });
    assert.deepEqual(
      [ours.status, ours.stdout, ours.stderr],
      [theirs.status, theirs.stdout, theirs.stderr],
      args.join(' '),
    );
  }
  const piped = spawnSync('npx', ['--offline', 'result-budget', 'fit', '--limit-bytes', '500'], {
    cwd: folder,
    input: readFileSync(file),
    shell,
  });
  assert.ok(piped.status === 0 && piped.stdout.byteLength <= 500);
});

test('where no addon fits, WebAssembly serves by itself, and the command says why it cannot', () => {
  // Elsewhere: Node looks for packages in the folders above, too.
  const bare = `${folder}-bare`;
  after(() => rmSync(bare, { recursive: true, force: true }));
  install(
    bare,
    tarballs().filter((name) => /^result-budget-\d/.test(name)),
  );
  writeFileSync(
    path.join(bare, 'p.mjs'),
    `import { Boundary, Engine } from 'result-budget';
    const boundary = new Boundary({ limitBytes: 300 });
    console.log(boundary.engine.kind, boundary.engine.sha256, boundary.fit({ content: [{ type: 'text', text: 'x'.repeat(500) }] }).content.length);
    try { new Engine({ deadlineMillis: 5 }); } catch (error) { console.log(error.code); }`,
  );
  const { sha256 } = JSON.parse(readFileSync(path.join(PACKAGE, 'engine/engine.json'), 'utf8'));
  assert.equal(node(['p.mjs'], bare), `wasm ${sha256} 2\nunsupported-machine\n`);
  const shell = process.platform === 'win32';
  const { status, stderr } = spawnSync('npx', ['--offline', 'result-budget', '--engine-sha'], {
    cwd: bare,
    encoding: 'utf8',
    shell,
  });
  assert.equal(status, 2);
  assert.match(stderr, /the command needs result-budget-/);
});

test('a program that imports the package starts fast', (context) => {
  const file = path.join(folder, 'time.cjs');
  writeFileSync(
    file,
    "const t = performance.now(); const { Boundary } = require('result-budget'); const i = performance.now(); new Boundary(); console.log(i - t, performance.now() - i);",
  );
  const runs = Array.from({ length: 5 }, () => node([file], folder).trim().split(' ').map(Number));
  const [load, first] = [0, 1].map((at) => Math.min(...runs.map((run) => run[at])));
  context.diagnostic(`import ${load.toFixed(1)} ms, first boundary ${first.toFixed(1)} ms`);
});
