// Judges what was cut with Ajv, formats included: `check.mjs FILE FOLDER`, where FOLDER has the packages of
// `package.json`. `check.py` tells the format.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const load = createRequire(`${resolve(process.argv[3])}/`);
const Ajv2020 = load('ajv/dist/2020').default;
const Ajv7 = load('ajv').default;
const addFormats = load('ajv-formats').default;

// Parts of names of schemas about which Ajv and the validator that grew the instances disagree before any cut, and why.
// What Ajv takes before the cut is judged after it all the same.
const DISAGREE = {
  dynamicRef: 'Ajv knows neither the dynamic scope of other resources nor references that are more than a fragment',
  'Javascript object property names': 'Ajv looks such names up in the prototype',
  'annotations from if without then and else': 'Ajv does not run an `if` alone',
  'if/then/else, then not defined': 'Ajv does not run an `if` alone',
  'unevaluatedItems with nested items': 'Ajv forgets what one of two branches has evaluated',
  'ref overrides any sibling keywords': 'Ajv reads what stands beside a reference, in draft-07 as well',
  vocabulary: 'Ajv wants the metaschema',
  'unevaluatedItems with $dynamicRef': 'Ajv recurses without end',
  'refs with relative uris and defs': 'Ajv recurses without end',
  'relative refs with absolute uris and defs': 'Ajv recurses without end',
};

// Named formats that Ajv does not have.
const OTHER_FORMATS = ['idn-email', 'idn-hostname', 'iri', 'iri-reference', 'base64'];

const options = { strict: false, allErrors: false, logger: false, validateSchema: true };
function validator(text) {
  const ajv = text.includes('draft-07') ? new Ajv7(options) : new Ajv2020(options);
  addFormats(ajv);
  for (const name of OTHER_FORMATS) ajv.addFormat(name, true);
  return ajv.compile(JSON.parse(text));
}

const bytes = readFileSync(process.argv[2]);
let at = 0;
function text() {
  const end = bytes.indexOf(10, at);
  const length = Number(bytes.toString('ascii', at, end));
  at = end + length + 2;
  return bytes.toString('utf8', end + 1, end + 1 + length);
}

let [count, judged, conforming, disagreeing, unlisted] = [0, 0, 0, 0, 0];
let known = { schema: undefined, judge: undefined };
while (at < bytes.length) {
  const [name, schema, before, after] = [text(), text(), text(), text()];
  count += 1;
  let why = 'it is not valid before the cut';
  if (known.schema !== schema) {
    known = { schema, judge: undefined };
    try {
      known.judge = validator(schema);
    } catch (error) {
      known.why = error.message;
    }
  }
  let agrees = false;
  try {
    agrees = known.judge?.(JSON.parse(before)) === true;
  } catch (error) {
    why = error.message;
  }
  if (!agrees) {
    disagreeing += 1;
    if (!Object.keys(DISAGREE).some((part) => name.includes(part))) {
      unlisted += 1;
      console.log(`DISAGREES: ${name}: ${known.why ?? why}: ${schema.slice(0, 400)}: ${before.slice(0, 300)}`);
    }
    continue;
  }
  judged += 1;
  if (known.judge(JSON.parse(after))) {
    conforming += 1;
  } else if (judged - conforming <= 5) {
    console.log(`DOES NOT CONFORM: ${name}: ${schema.slice(0, 600)}: ${JSON.stringify(known.judge.errors?.[0])}`);
    console.log(`    before: ${before.slice(0, 600)}`);
    console.log(`    after: ${after.slice(0, 600)}`);
  }
}
console.log(
  `Ajv: ${conforming} of ${judged} results conform; of ${count}, ${disagreeing} were refused before, ${unlisted} without a known reason`,
);
process.exitCode = judged > 0 && conforming === judged && unlisted === 0 ? 0 : 1;
