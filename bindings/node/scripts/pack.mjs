// Packs what is published: `result-budget`, with WebAssembly inside, and one
// package for each platform with the addon, named as an optional dependency. This
// machine packs its own platform; the release packs all.
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { PACKAGE, ROOT, run, TARGET } from './build.mjs';

/** The platforms that have an addon; any other runs WebAssembly. */
export const PLATFORMS = [
  { name: 'linux-x64-gnu', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { name: 'linux-arm64-gnu', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { name: 'darwin-x64', os: 'darwin', cpu: 'x64' },
  { name: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
  { name: 'win32-x64-msvc', os: 'win32', cpu: 'x64' },
];

/** Where the tarballs go. */
export const OUT = path.join(TARGET, 'node/packages');

/** The tarball of each package that this machine makes, by its name. */
export function pack() {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
  const { version } = manifest;
  const tarballs = {};
  const here = PLATFORMS.find(({ os, cpu }) => os === process.platform && cpu === process.arch);
  if (here !== undefined) {
    const name = `result-budget-${here.name}`;
    const { license, author, repository, engines } = manifest;
    const description = `The addon of result-budget for ${here.name}.`;
    const { os, cpu, libc } = here;
    const own = {
      name,
      version,
      description,
      license,
      author,
      repository,
      engines,
      main: 'result-budget.node',
      os: [os],
      cpu: [cpu],
    };
    tarballs[name] = stage(libc ? { ...own, libc: [libc] } : own, {
      'result-budget.node': 'native/result-budget.node',
    });
  }
  const { scripts: _, devDependencies: __, ...published } = manifest;
  const platforms = PLATFORMS.map(({ name }) => [`result-budget-${name}`, version]);
  published.optionalDependencies = Object.fromEntries(platforms);
  const files = Object.fromEntries([...manifest.files, 'README.md'].map((file) => [file, file]));
  tarballs['result-budget'] = stage(published, files);
  return tarballs;
}

function stage(manifest, files) {
  const folder = path.join(OUT, manifest.name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const [to, from] of Object.entries(files))
    cpSync(path.join(PACKAGE, from), path.join(folder, to), { recursive: true });
  for (const licence of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(path.join(ROOT, licence), path.join(folder, licence));
  if (!files['README.md'])
    writeFileSync(path.join(folder, 'README.md'), `# ${manifest.name}\n\n${manifest.description}\n`);
  run('npm', ['pack', '--silent', '--pack-destination', OUT], { cwd: folder });
  rmSync(folder, { recursive: true });
  const tarball = path.join(OUT, `${manifest.name}-${manifest.version}.tgz`);
  console.log(`${statSync(tarball).size} bytes  ${tarball}`);
  return tarball;
}

if (process.argv[1] === import.meta.filename) pack();
