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
  const { limits, preset, presetChosenBy } = boundary.inForce({ client });
  const what = `preset ${preset} (${WHY[presetChosenBy] ?? presetChosenBy}, client ${name})`;
  const sizes = `text ${limits['max_text_bytes']}, binary ${limits['max_binary_bytes']}, result ${limits['max_result_bytes']} bytes`;
  const units = [
    [limits['max_text_tokens'], 'tokens'],
    [limits['max_text_lines'], 'lines'],
  ].map(([most, unit]) => (most === undefined ? '' : `, text ${most} ${unit}`));
  const mode = boundary.mode === 'report-only' ? ', report-only' : '';
  log(`result-budget: ${what}: ${sizes}${units.join('')}${mode}`);
}

const WHY: Record<string, string> = {
  request: 'asked for by this server',
  client: 'auto: that of the client',
  policy: "the policy's own",
  default: 'the default: nobody named another',
};
const SAID = new WeakMap<Boundary, Set<string>>();
const SAID_MAX_ITEMS = 64;
