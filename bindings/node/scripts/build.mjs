// Builds the package: the addon and its types, the component for Node itself, and
// the code in `ts/`. `--portable` builds the addon for old C libraries, as it is
// released; `--no-addon` leaves it as it is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { transpile } from '@bytecodealliance/jco-transpile';
import { generateTypeDef } from '@napi-rs/cli';

export const PACKAGE = path.resolve(import.meta.dirname, '..');
export const ROOT = path.resolve(PACKAGE, '../..');
export const TARGET = path.resolve(ROOT, process.env.CARGO_TARGET_DIR ?? 'target');

/** The oldest C library on which the addon runs, for each processor that is built for. */
const LIBRARY = '2.17';

/** Runs a program; its output is ours. */
export function run(program, args, options = {}) {
  execFileSync(program, args, { cwd: PACKAGE, stdio: 'inherit', shell: process.platform === 'win32', ...options });
}

/** The addon, into `native/`. */
export function buildAddon({ portable } = {}) {
  const crate = ['--release', '--package', 'result-budget-node'];
  let folder = path.join(TARGET, 'release');
  if (portable) {
    const target = `${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu`;
    run('cargo-zigbuild', ['zigbuild', ...crate, '--target', `${target}.${LIBRARY}`], { cwd: ROOT });
    folder = path.join(TARGET, target, 'release');
  } else {
    run('cargo', ['build', ...crate], { cwd: ROOT });
  }
  const names = { win32: 'result_budget_node.dll', darwin: 'libresult_budget_node.dylib' };
  const addon = path.join(PACKAGE, 'native', 'result-budget.node');
  mkdirSync(path.dirname(addon), { recursive: true });
  // A new file: one that a process has loaded must not change under it.
  rmSync(addon, { force: true });
  cpSync(path.join(folder, names[process.platform] ?? 'libresult_budget_node.so'), addon);
  if (process.platform === 'linux') run('strip', [addon]);
}

/** The addon's types, as text, made from the crate. */
export async function addonTypes() {
  const typeDefDir = mkdtempSync(path.join(tmpdir(), 'result-budget-types-'));
  try {
    // The macros write what they see while the crate is checked.
    const env = {
      ...process.env,
      NAPI_TYPE_DEF_TMP_FOLDER: typeDefDir,
      NAPI_FORCE_BUILD_RESULT_BUDGET_NODE: typeDefDir,
    };
    run('cargo', ['check', '--quiet', '--package', 'result-budget-node'], { cwd: ROOT, env });
    const { dts } = await generateTypeDef({
      typeDefDir,
      cwd: PACKAGE,
      dtsHeader: '// Made from `src/` by `npm run build`.\n',
    });
    return dts;
  } finally {
    rmSync(typeDefDir, { recursive: true, force: true });
  }
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
    const code = new TextDecoder()
      .decode(content)
      .replace('export function instantiate', 'exports.instantiate = instantiate;\nfunction instantiate');
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
    options: { portable: { type: 'boolean' }, 'no-addon': { type: 'boolean' } },
  });
  if (!values['no-addon']) buildAddon(values);
  writeFileSync(path.join(PACKAGE, 'native', 'index.d.ts'), await addonTypes());
  await transpileComponent(path.join(TARGET, 'engine/result-budget.wasm'), path.join(PACKAGE, 'engine'));
  compile();
}
