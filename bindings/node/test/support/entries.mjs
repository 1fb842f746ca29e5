// Both entries of the package, and the engines that tests swap in.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import * as addon from '../../index.mjs';
import { PACKAGE, TARGET, transpileComponent } from '../../scripts/build.mjs';
import * as wasm from '../../wasm.mjs';

const require = createRequire(import.meta.url);

/** The entries by the name of what runs the engine. */
export const ENTRIES = { addon, wasm };

/** An engine that is not the product's, `broken` or `other`, in each entry. */
export async function otherEngines(name) {
  const folder = path.join(TARGET, 'other-engines', name);
  const component = path.join(folder, 'result-budget.wasm');
  if (!existsSync(component)) throw new Error(`${component} is not there: run \`cargo xtask test\``);
  const out = path.join(TARGET, 'node/engines', name);
  await transpileComponent(component, out);
  const { addonHost, findAddon } = require(path.join(PACKAGE, 'dist/addon.js'));
  const { componentHost } = require(path.join(PACKAGE, 'dist/component.js'));
  const { Engine } = require(path.join(PACKAGE, 'dist/engine.js'));
  const { loadSource } = require(path.join(PACKAGE, 'dist/wasm-engine.js'));
  const image = readFileSync(path.join(folder, `result-budget.${ARCH}.cwasm`));
  const options = { image, deadlineMillis: 200, memoryMaxBytes: 128 * 1_024 * 1_024 };
  return {
    addon: new Engine(addonHost(findAddon(), options)),
    wasm: new Engine(componentHost(loadSource(out))),
  };
}

const ARCH = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
