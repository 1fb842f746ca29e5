// Answers vectors through the package for Node; `../README.md` tells how. The
// argument says which entry: `addon` or `wasm`.
import { createInterface } from 'node:readline';

const REFUSALS = new Set([
  'limit-out-of-range',
  'input-too-large',
  'malformed-json',
  'not-an-object',
  'output-schema',
  'previous-report',
  'policy',
  'unknown-name',
]);

const entry = process.argv[2];
const place = { addon: 'index.mjs', wasm: 'wasm.mjs' }[entry];
const { Engine } = await import(`../../../bindings/node/${place}`);

const engine = Engine.shared();
if (engine.kind !== entry) throw new Error(`the entry \`${entry}\` runs as ${engine.kind}`);
say({ engine: engine.sha256 });
for await (const line of createInterface({ input: process.stdin })) {
  const { name, call, given } = JSON.parse(line);
  say({ name, answer: answer(call, given) });
}

function answer(call, given) {
  if (call === 'limit-rows')
    return { rows: engine.limits().map((row) => snake({ ...row, defaultValue: row.defaultValue ?? null })) };
  if (call === 'preset-rows') {
    const off = { maxTextTokens: null, maxTextLines: null };
    return { rows: engine.presets().map((row) => snake({ ...off, ...only(row) })) };
  }
  const { preset, limit_bytes, limit_tokens, wire_profile } = given.request ?? {};
  const { tool, revision, client_name, call_max_bytes, call_max_tokens } = given.request ?? {};
  // One step below the public class, which takes JavaScript's numbers: vectors
  // give them as the texts that the engine reads.
  const boundary = engine.host.boundary(
    only({
      preset,
      limitBytes: limit_bytes,
      limitTokens: limit_tokens,
      wireProfile: wire_profile,
      policyJson: given.policy_json || undefined,
      reportOnly: false,
      accounts: false,
    }),
  );
  if (isFailure(boundary)) return { error: told(boundary) };
  const schema = given.output_schema?.given ?? given.output_schema;
  const outputSchema = schema === 'unknown' ? undefined : schema;
  const budgets = { maxBytes: call_max_bytes, maxTokens: call_max_tokens };
  const { kind, previous_report: previousReport } = given;
  const about = only({ tool, revision, client: client_name, ...budgets, outputSchema, kind, previousReport });
  const input = given.tool_result_json ?? '';
  if (call === 'settle') return orRefusal(boundary.inForce(about), settled);
  if (call === 'measure') return orRefusal(boundary.measure(input, about), (found) => ({ measurement: snake(found) }));
  if (call === 'measure-tools')
    return orRefusal(boundary.measureTools(input, about), (found) => ({ measurement: snake(found) }));
  if (call === 'prepare-tools') {
    const prepared = boundary.prepareTools(input, about) ?? undefined;
    if (prepared === undefined) return { outcome: 'unchanged' };
    return typeof prepared === 'string'
      ? { outcome: 'prepared', tool_result_json: prepared }
      : { error: told(prepared) };
  }
  if (call === 'failure-result') {
    const { code, offset_bytes, given_bytes, max_bytes } = given.failure;
    const numbers = [offset_bytes, given_bytes, max_bytes].filter((value) => value !== undefined);
    return { tool_result_json: boundary.failureResult(code, numbers, about) };
  }
  if (given.limits_by_hand) {
    const { outcome, failure } = boundary.fitUnder(input, about, given.limits_by_hand);
    if (outcome !== 'failed-closed') throw new Error(`limits set by hand gave ${outcome}`);
    return { error: told(failure) };
  }
  // The engine's own answers say `bounded` of both.
  const fitted = boundary.fit(input, about) ?? { outcome: 'unchanged' };
  const { outcome, output, reportJson, failure } = fitted;
  if (failure) return { error: told(failure) };
  if (outcome === 'unchanged') return { outcome };
  if (outcome === 'compacted') return { outcome, tool_result_json: output };
  if (outcome === 'protocol-error') return { outcome, error_json: output, report_json: reportJson };
  const replaced = outcome === 'replaced-by-error';
  return { outcome: 'bounded', tool_result_json: output, report_json: reportJson, replaced_by_error: replaced };
}

function told({ code, message, offsetBytes, fault }) {
  if (!REFUSALS.has(code)) throw new Error(`the engine broke: ${message}`);
  if (offsetBytes !== undefined) return { code, offset_bytes: offsetBytes };
  if (code === 'previous-report') return { code, pointer: fault.pointer };
  return fault === undefined ? { code } : { code, fault };
}

function settled({ limits, preset, presetChosenBy, ...rest }) {
  const rows = engine.limits().map(({ name }) => [name, limits[name] ?? null]);
  const settings = { limits: Object.fromEntries(rows), max_description_bytes: null, ...snake(only(rest)) };
  return { settings, preset, chosen_by: presetChosenBy };
}

function orRefusal(found, tell) {
  return isFailure(found) ? { error: told(found) } : tell(found);
}

function isFailure(found) {
  return 'code' in found && 'message' in found;
}

function snake(value) {
  if (Array.isArray(value)) return value.map(snake);
  if (typeof value !== 'object' || value === null) return value;
  const named = Object.entries(value).map(([name, inner]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    snake(inner),
  ]);
  return Object.fromEntries(named);
}

function only(fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function say(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
