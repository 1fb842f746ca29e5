// Writes `fixtures/zod.json`: output schemas as Zod makes them, in both drafts. Needs the packages of `package.json`:
// `node tests/schemas/generate.mjs FOLDER`, with the folder that they are in.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const { z } = createRequire(`${resolve(process.argv[2])}/`)('zod');

const user = z.object({ id: z.number().int(), name: z.string(), email: z.email().optional(), tags: z.array(z.string()) });
const cat = z.object({ kind: z.literal('cat'), lives: z.number().int().min(0).max(9), story: z.string().optional() });
const dog = z.object({ kind: z.literal('dog'), barks: z.array(z.string()), loud: z.boolean().default(false) });
const fish = z.strictObject({ kind: z.enum(['fish', 'shark']), scales: z.record(z.string(), z.number()) });
const animal = z.discriminatedUnion('kind', [cat, dog, fish]);
const category = z.object({
  name: z.string(),
  get children() {
    return z.array(category);
  },
});
const linked = z.object({
  value: z.string(),
  get next() {
    return linked.nullable();
  },
});

const schemas = {
  user,
  users: z.object({ items: z.array(user), total: z.number().int().nonnegative(), nextCursor: z.string().optional() }),
  loose: z.looseObject({ id: z.string(), body: z.string() }),
  strict: z.strictObject({ rows: z.array(z.strictObject({ k: z.string(), v: z.unknown() })), note: z.string().nullish() }),
  animals: z.object({ animals: z.array(animal), star: animal.nullable() }),
  plainUnion: z.object({ values: z.array(z.union([user, z.string(), z.number(), z.null(), z.array(z.string())])) }),
  category,
  linked,
  bounded: z.object({
    code: z.string().regex(/^[A-Z]{2}-\d{4}$/),
    codes: z.array(z.string().regex(/^[a-z]+$/)).min(2).max(400),
    share: z.number().gt(0).lt(1),
    even: z.number().int().multipleOf(2),
    short: z.string().max(2000).optional(),
    long: z.string().min(100),
    exactly: z.array(z.number()).length(3),
    pair: z.tuple([z.number(), z.string()]),
    rest: z.tuple([z.string()], z.number()),
  }),
  formats: z.object({
    at: z.iso.datetime(),
    day: z.iso.date(),
    id: z.uuid(),
    link: z.url(),
    address: z.ipv4(),
    raw: z.base64(),
    mail: z.array(z.email()),
  }),
  maps: z.object({
    byName: z.record(z.string(), user),
    byKind: z.partialRecord(z.enum(['a', 'b', 'c']), z.array(z.string())),
    allKinds: z.record(z.enum(['x', 'y']), z.string()),
  }),
  catchAll: z.object({ id: z.number() }).catchall(z.string()),
  intersection: z.intersection(z.object({ a: z.string(), list: z.array(z.number()) }), z.object({ b: z.string().optional() })),
  literals: z.object({ mode: z.literal(['on', 'off', 3]), flags: z.array(z.enum(['r', 'w', 'x'])), fixed: z.literal('fixed text') }),
  files: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        type: z.enum(['file', 'directory']),
        size: z.number().optional(),
        lines: z.array(z.object({ n: z.number().int(), text: z.string() })).optional(),
      }),
    ),
    truncated: z.boolean(),
  }),
  search: z.object({
    query: z.string(),
    hits: z.array(z.object({ id: z.string(), score: z.number(), snippet: z.string(), fields: z.record(z.string(), z.any()) })),
    facets: z.record(z.string(), z.record(z.string(), z.number().int())),
  }),
  content: z.object({
    content: z.array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string() }),
        z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
      ]),
    ),
  }),
  matrix: z.object({ cells: z.array(z.array(z.number())), labels: z.array(z.string()).max(100).nullable() }),
  text: z.object({ content: z.string() }),
  strictText: z.strictObject({ content: z.string(), lines: z.number().int() }),
};

const found = {};
for (const [name, schema] of Object.entries(schemas)) {
  for (const target of ['draft-2020-12', 'draft-7']) {
    for (const io of ['output', 'input']) {
      found[`${name}, ${target}, ${io}`] = z.toJSONSchema(schema, { target, io, unrepresentable: 'any' });
    }
  }
}
writeFileSync(new URL('fixtures/zod.json', import.meta.url), `${JSON.stringify(found, null, 1)}\n`);
console.log(`${Object.keys(found).length} schemas`);
