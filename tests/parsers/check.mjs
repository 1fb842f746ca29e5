// Reads results, one a record, with JSON.parse; `check.py` tells the format.
import { readFileSync } from 'node:fs';

const bytes = readFileSync(process.argv[2]);
const decoder = new TextDecoder('utf-8', { fatal: true });
let [at, count, taken] = [0, 0, 0];
while (at < bytes.length) {
  const end = bytes.indexOf(10, at);
  const length = Number(bytes.toString('ascii', at, end));
  const record = bytes.subarray(end + 1, end + 1 + length);
  at = end + length + 2;
  count += 1;
  try {
    JSON.parse(decoder.decode(record));
    taken += 1;
  } catch (error) {
    if (count - taken <= 5) console.log(`JSON.parse: ${error.message}: ${record.toString('utf8', 0, 300)}`);
  }
}
console.log(`JSON.parse of Node ${process.version}: ${taken} of ${count} results accepted`);
process.exitCode = count > 0 && taken === count ? 0 : 1;
