// Bad input on the uniform routes: bodies from the schemas with hostile values in them, bytes of no meaning, impossible ids and
// parameters. Never a 5xx, nothing is stored by what is refused, and what is accepted can be read and sent back.
// FUZZ_SEED and FUZZ_RUNS choose other bodies than the usual ones.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds, kinds } from '#domain/kinds/index.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { bodyFor } from '#test/support/make/from-schema.ts';
import { amount, isLong } from '#test/support/long.ts';
import { seededRandom } from '#test/support/random.ts';
import { hostileBytes, hostileText, hostileValues, mutated } from '#test/support/make/hostile.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { referenceLists } from '#test/support/make/lists.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const runs = Number(process.env['FUZZ_RUNS'] ?? amount(3, 20));
const made = allKinds.filter((kind) => kind.may.create !== undefined && kind.uniform !== false);
const lists = referenceLists();
// One kind of each way to be listed: below a repository and beside them, in pages and as an array.
const whole = new Set(['accession', 'subject', 'rde_template', 'vocabulary']);

/**
 * What of impossible values a kind meets, as routes read ids and parameters alike for all kinds, and bodies but for their properties: all in a long
 * run, and for one kind of each way to be listed; one of `parts`, another for each kind, for the others. The number of each input is its place.
 */
const shareOf = <Input>(inputs: readonly Input[], kind: Kind, parts: number): readonly (readonly [number, Input])[] =>
  [...inputs.entries()].filter(([at]) => isLong || whole.has(kind.name) || at % parts === made.indexOf(kind) % parts);

let api: TestApi;
let records: HttpRecords;
let uris: ReadonlyMap<string, string>;
beforeAll(async () => {
  console.info(`bad input: FUZZ_SEED=${seed} FUZZ_RUNS=${runs}`);
  api = await startTestApi({ worker: 'jobs' });
  records = await httpRecords(api);
  const known: [string, string][] = [];
  for (const kind of allKinds)
    if (kind.may.create !== undefined && kind.name !== 'user') known.push([kind.name, await records.one(kind.name)]);
  // A container may have left a temporary place.
  uris = new Map([
    ...known,
    ['vocabulary', '/vocabularies/1'],
    ['location', await records.make('location', { temporary: 'conservation' })],
  ]);
});
afterAll(async () => api[Symbol.asyncDispose]());

/** How much is stored: rows of every table that a write of records fills. */
async function stored(): Promise<unknown> {
  return api.database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT count(*) FROM record) AS records, (SELECT count(*) FROM link) AS links, (SELECT count(*) FROM unique_key) AS keys,
    (SELECT count(*) FROM revision) AS revisions, (SELECT sum(lock_version) FROM record) AS versions, (SELECT count(*) FROM tree_node) AS nodes, (SELECT count(*) FROM tombstone) AS tombstones`);
}

const source = (random: () => number) => ({
  random,
  listValues: (name: string) => lists.get(name)?.values ?? [],
  uriOf: (wanted: readonly string[]) => wanted.map((kind) => uris.get(kind)).find((uri) => uri !== undefined) ?? null,
});

async function expectSane(reply: Reply, before: unknown, what: string): Promise<void> {
  expect(reply.status, `${what}: ${reply.text.slice(0, 300)}`).toBeLessThan(500);
  expect(reply.json, what).toBeDefined();
  if (reply.status === 200) return;
  expect(reply.json.error ?? null, what).not.toBeNull();
  expect(await stored(), what).toEqual(before);
}

const send = (path: string, body: JsonObject): Promise<Reply> =>
  api.ask(path, { method: 'POST', body: hostileText(body), headers: { 'content-type': 'application/json' } });

/** What was accepted is a record like any other. */
async function expectUsable(reply: Reply, what: string): Promise<void> {
  const read = await api.get(reply.json.uri);
  expect(read.status, what).toBe(200);
  if (kinds.get(read.json.jsonmodel_type)?.may.update === undefined) return;
  const back = await api.post(reply.json.uri, read.json);
  expect(back.status, `${what}: ${back.text.slice(0, 300)}`).toBe(200);
}

describe.each(made.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  it('accepts bodies made from its schema', async () => {
    const random = seededRandom(seed);
    for (let run = 0; run < Math.ceil(runs / 6); run += 1) {
      const body = unique(bodyFor(kind.schema, source(random), 0.6), `${name}${run}`);
      const reply = await api.post(records.collection(kind), body);
      expect(reply.status, `seed ${seed} run ${run}: ${reply.text.slice(0, 400)}`).toBe(200);
      await expectUsable(reply, `seed ${seed} run ${run}`);
    }
  });

  it('stays sane under bodies with hostile values', async () => {
    const random = seededRandom(seed + 1);
    for (let run = 0; run < runs; run += 1) {
      const change = mutated(unique(bodyFor(kind.schema, source(random), 0.5), `m${name}${run}`), random);
      const what = `seed ${seed} run ${run}: ${change.what}`;
      const before = await stored();
      const reply = await send(records.collection(kind), change.body);
      await expectSane(reply, before, what);
      if (reply.status === 200) await expectUsable(reply, what);
    }
  });

  it('stays sane under every hostile value, in properties of its example', async () => {
    // What is never changed has no address to send it to.
    if (kind.may.update === undefined) return;
    const example = await records.body(name);
    const uri = await records.make(name);
    const current = (await api.get(uri)).json;
    const texts = Object.entries(kind.properties)
      .filter(([, property]) => property.readonly !== true)
      .map(([property]) => property);
    const random = seededRandom(seed + 2);
    const before = await stored();
    const others = Object.keys(example);
    for (const [at, [label, value]] of shareOf(Object.entries(hostileValues), kind, 3)) {
      const property = texts[Math.floor(random() * texts.length)] ?? 'uri';
      const one = others[Math.floor(random() * others.length)] ?? property;
      // Half of the kinds have a value in a property of the schema, the other half in one that the example has.
      for (const chosen of isLong
        ? new Set([property, ...others])
        : [(at + made.indexOf(kind)) % 2 === 0 ? property : one]) {
        const what = `${chosen} = ${label}`;
        const reply = await send(uri, { ...current, [chosen]: value(), lock_version: -7 });
        expect([400, 409], `${what}: ${reply.text.slice(0, 300)}`).toContain(reply.status);
      }
    }
    expect(await stored()).toEqual(before);
  });

  it('stays sane under bytes of no meaning', async () => {
    const random = seededRandom(seed + 3);
    const before = await stored();
    for (let run = 0; run < runs / 2; run += 1) {
      const reply = await api.ask(records.collection(kind), {
        method: 'POST',
        body: hostileBytes(random),
        headers: { 'content-type': 'application/json' },
      });
      expect(reply.status, `seed ${seed} run ${run}: ${reply.text.slice(0, 200)}`).toBe(400);
    }
    expect(await stored()).toEqual(before);
  });

  it('knows no record under impossible ids', async () => {
    const collection = records.collection(kind);
    const ids = [
      '0',
      '-1',
      '2147483647',
      '2147483648',
      '99999999999999999999',
      '1e3',
      '1.5',
      '%00',
      '%ff',
      '%F0%9F%98%80',
      "1'--",
      '1%2F2',
      'NaN',
      '__proto__',
      'x'.repeat(3000),
    ];
    for (const [, id] of shareOf(ids, kind, 5)) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await api.ask(`${collection}/${id}`, {
          method,
          ...(method === 'POST' ? { json: await records.body(name) } : {}),
        });
        expect([400, 404, 414], `${method} ${id}: ${reply.text}`).toContain(reply.status);
      }
    }
  });

  it('stays sane under impossible parameters of lists', async () => {
    const collection = records.collection(kind);
    const values = [
      '',
      '-1',
      '0',
      'x',
      '1.5',
      '99999999999999999999',
      '2147483648',
      '%00',
      '%ff%fe',
      '%F0%9F%98%80',
      'null',
      '1,2,,x',
      '1'.repeat(5000),
      `${'1,'.repeat(400)}1`,
      "1'",
    ];
    const deep = Array.from({ length: 60 }, () => 'linked_agents').join('::');
    const queries = [
      ...['page', 'page_size', 'modified_since', 'id_set', 'all_ids', 'sort_field', 'sort_direction'].flatMap(
        (parameter) =>
          values.map(
            (value) =>
              `${parameter === 'page' || parameter === 'id_set' || parameter === 'all_ids' ? '' : 'page=1&'}${parameter}=${value}`,
          ),
      ),
      `page=1&resolve[]=${deep}`,
      'page=1&resolve[]=__proto__&resolve[]=constructor::prototype&resolve[]=::&resolve[]=%00',
      `page=1&${Array.from({ length: 500 }, (_, index) => `resolve[]=p${index}`).join('&')}`,
      'page[]=1',
      'page[x]=1',
      'page=1&page_size[]=3',
      'id_set[][]=1',
      'id_set[a]=1&id_set[b]=2',
      'page=1&page=2',
      `page=1&${'&'.repeat(3000)}`,
      '=&=&page=1',
      '[]=1&page=1',
      'page=1&a[b][c][d][e]=1',
      '%%%',
      'page=%zz',
    ];
    for (const [, query] of shareOf(queries, kind, 5)) {
      const reply = await api.get(`${collection}?${query}`);
      expect([200, 400], `${query.slice(0, 100)}: ${reply.text.slice(0, 200)}`).toContain(reply.status);
    }
  });
});

describe('trees', () => {
  it('stay sane under impossible parameters', async () => {
    const root = uris.get('resource') ?? '';
    const node = uris.get('archival_object') ?? '';
    const bad = [
      '',
      '-1',
      'x',
      '99999999999999999999',
      '2147483648',
      '%00',
      '/',
      '/subjects/1',
      node.replace(/\d+$/, '99999999'),
      node.replace(/\d+$/, '99999999999999'),
      '/repositories/1/archival_objects/1',
      '%F0%9F%98%80',
      '__proto__',
    ];
    const before = await stored();
    for (const value of bad) {
      for (const path of [
        `${root}/tree/waypoint?offset=${value}`,
        `${root}/tree/waypoint?offset=0&parent_node=${value}`,
        `${root}/tree/node?node_uri=${value}`,
        `${root}/tree/node_from_root?node_ids[]=${value}`,
        `${root}/tree/node_from_root?node_ids=${value}`,
        `${root}/tree/root?published_only=${value}`,
      ]) {
        const reply = await api.get(path);
        expect([200, 400, 404], `${path}: ${reply.text.slice(0, 200)}`).toContain(reply.status);
      }
      for (const path of [
        `${node}/parent?parent=${value}&position=0`,
        `${node}/parent?position=${value}&parent=99999999`,
        `${root}/accept_children?children[]=${value}&position=0`,
        `${root}/accept_children?children=${value}&position=0`,
        `${node}/accept_children?children[]=${node}&position=${value}`,
        `${node}/accept_children?children[]=${value}&children[]=${value}&position=0`,
      ]) {
        const reply = await api.ask(path, { method: 'POST' });
        // Without a parent a node goes below its root, where it is already.
        expect(
          path.includes('parent=&') ? [200, 400] : [400, 404, 409],
          `${path}: ${reply.text.slice(0, 200)}`,
        ).toContain(reply.status);
      }
    }
    expect(await stored()).toEqual(before);
  });

  it('refuse children that are none', async () => {
    const root = uris.get('resource') ?? '';
    const before = await stored();
    for (const [label, value] of Object.entries(hostileValues)) {
      const reply = await send(`${root}/children`, { children: value() });
      expect(reply.status, `${label}: ${reply.text.slice(0, 200)}`).toBe(label === 'empty list' ? 200 : 400);
    }
    for (const children of [
      [null],
      [5],
      [[]],
      [{ jsonmodel_type: 'subject' }],
      [{ title: 'a\u0000', level: 'file', resource: { ref: root } }],
    ] satisfies Json[]) {
      const reply = await api.post(`${root}/children`, { children });
      expect(reply.status, `${JSON.stringify(children)}: ${reply.text.slice(0, 200)}`).toBe(400);
    }
    expect(await stored()).toEqual(before);
  });
});

/** A made body with the values that may occur once set to ones of this run. */
function unique(body: JsonObject, n: string): JsonObject {
  const changes: { [property: string]: Json } = {};
  for (const property of [
    'id_0',
    'ead_id',
    'digital_object_id',
    'component_id',
    'ref_id',
    'barcode',
    'name',
    'refid',
    'authority_id',
  ])
    if (typeof body[property] === 'string') changes[property] = property === 'ref_id' ? n : `${n} ${property}`;
  // Terms of a classification are told apart among their siblings.
  if ('classification' in body || typeof body['identifier'] === 'string')
    Object.assign(changes, { title: n, identifier: n });
  if (Array.isArray(body['names'])) changes['names'] = body['names'].map((each, index) => named(each, `${n} ${index}`));
  if (Array.isArray(body['terms']))
    changes['terms'] = [{ term: n, term_type: 'topical', vocabulary: '/vocabularies/1' }];
  return { ...body, ...changes };
}

function named(name: Json, n: string): Json {
  if (typeof name !== 'object' || name === null || Array.isArray(name)) return name;
  const property = ['family_name', 'software_name', 'primary_name'].find((each) => each in name) ?? 'primary_name';
  return { ...name, [property]: n, ...('authority_id' in name ? { authority_id: n } : {}) };
}
