// The component of this package, loaded once for each thread.

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { componentHost, type Source } from './component.js';
import { Engine } from './engine.js';

let shared: Engine | undefined;

/** The engine that runs as WebAssembly. */
export function wasmEngine(): Engine {
  shared ??= new Engine(componentHost(loadSource(FOLDER)));
  return shared;
}

/** A transpiled component from a folder that the build filled. */
export function loadSource(folder: string): Source {
  const { sha256 } = JSON.parse(readFileSync(path.join(folder, 'engine.json'), 'utf8')) as { sha256: string };
  const { instantiate } = require(path.join(folder, 'engine.js')) as Pick<Source, 'instantiate'>;
  const module = new WebAssembly.Module(readFileSync(path.join(folder, 'engine.core.wasm')));
  return { instantiate, module, sha256 };
}

const FOLDER = path.join(__dirname, '..', 'engine');
