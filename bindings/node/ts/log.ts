// What a boundary behind a server says of itself.

import type { Boundary } from './boundary.js';

/** Says what is in force, once for each client. */
export function sayOnce(boundary: Boundary, client: string | undefined, log: (line: string) => void): void {
  if (client === undefined) return;
  const said = SAID.get(boundary) ?? new Set();
  SAID.set(boundary, said);
  // Names come from clients.
  const name = JSON.stringify(client.slice(0, 64));
  if (said.has(name) || said.size >= SAID_MAX_ITEMS) return;
  said.add(name);
  const { limits } = boundary.inForce();
  const taken = boundary.engine
    .presets()
    .find(
      (row) =>
        row.maxTextBytes === limits['max_text_bytes'] &&
        row.maxBinaryBytes === limits['max_binary_bytes'] &&
        row.maxResultBytes === limits['max_result_bytes'],
    );
  const why =
    boundary.preset === 'auto'
      ? `auto: this engine has no preset for the client ${name}`
      : `asked for by this server, client ${name}`;
  const what = taken ? `preset ${taken.name} (${why})` : `limits of this server (client ${name})`;
  const sizes = `text ${limits['max_text_bytes']}, binary ${limits['max_binary_bytes']}, result ${limits['max_result_bytes']} bytes`;
  const mode = boundary.mode === 'report-only' ? ', report-only' : '';
  log(`result-budget: ${what}: ${sizes}${mode}`);
}

const SAID = new WeakMap<Boundary, Set<string>>();
const SAID_MAX_ITEMS = 64;
