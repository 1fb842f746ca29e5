// What `cargo xtask test` reads: failures in full, figures that a test tells, and
// one line that counts.
import { inspect } from 'node:util';

export default async function* report(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    const leaf = data?.details?.type !== 'suite';
    if (type === 'test:pass' && leaf) counts[data.skip === undefined ? 'passed' : 'skipped'] += 1;
    if (type === 'test:fail' && leaf) {
      counts.failed += 1;
      yield `FAILED ${data.name} (${data.file}:${data.line})\n${inspect(data.details.error.cause ?? data.details.error)}\n`;
    }
    if (
      type === 'test:diagnostic' &&
      !/^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(data.message)
    ) {
      yield `${data.message}\n`;
    }
    if (type === 'test:stderr') yield data.message;
  }
  const { passed, failed, skipped } = counts;
  yield `test result: ${failed === 0 ? 'ok' : 'FAILED'}. ${passed} passed; ${failed} failed; ${skipped} ignored\n`;
}
