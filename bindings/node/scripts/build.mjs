// Builds the package: the addon and its types, the component for Node itself, and
// the code in `ts/`. `--profile NAME` and `--features LIST` go to cargo; `--no-addon`
// leaves the addon as it is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { transpile } from '@bytecodealliance/jco-transpile';

export const PACKAGE = path.resolve(import.meta.dirname, '..');
export const ROOT = path.resolve(PACKAGE, '../..');
export const TARGET = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** Runs a program; its output is ours. */
export function run(program, args, options = {}) {
  execFileSync(program, args, { cwd: PACKAGE, stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

/** The addon and `native/index.d.ts`, made from the crate. */
export function buildAddon({ profile = 'release', features, out = path.join(PACKAGE, 'native') } = {}) {
  const args = ['build', '--manifest-path', 'Cargo.toml', '--package-json-path', 'package.json'];
  args.push('--target-dir', TARGET, '--output-dir', out, '--profile', profile, '--no-js', '--strip', '--dts', 'index.d.ts');
  if (features) args.push('--features', features);
  run('npx', ['napi', ...args]);
}

/** Transpiles a component into `out`, as a module of the kind that `require` takes. */
export async function transpileComponent(component, out) {
  const { files } = await transpile(component, {
    name: 'engine',
    instantiation: { tag: 'sync' },
    noTypescript: true,
  });
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (name.endsWith('.wasm')) writeFileSync(path.join(out, name), content);
    if (!name.endsWith('.js')) continue;
    const code = new TextDecoder().decode(content).replace('export function instantiate', 'exports.instantiate = instantiate;\nfunction instantiate');
    writeFileSync(path.join(out, name), code.replace('export const _util', 'const _util'));
  }
  const sha256 = createHash('sha256').update(readFileSync(component)).digest('hex');
  writeFileSync(path.join(out, 'engine.json'), `${JSON.stringify({ sha256 })}\n`);
  cpSync(component, path.join(out, 'result-budget.wasm'));
}

/** The code, and the types that users see. */
export function compile(outputs = []) {
  run('npx', ['tsc', '--project', 'tsconfig.json', ...outputs]);
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { profile: { type: 'string' }, features: { type: 'string' }, 'no-addon': { type: 'boolean' } },
  });
  if (!values['no-addon']) buildAddon(values);
  await transpileComponent(path.join(TARGET, 'engine/result-budget.wasm'), path.join(PACKAGE, 'engine'));
  compile();
}
