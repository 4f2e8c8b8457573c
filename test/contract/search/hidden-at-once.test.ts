// Whatever hides a record hides it from every search in the moment of the commit: while the index knows nothing of it yet, every caller finds
// what the records themselves say, by rows, totals, facets, suggested titles and spellings, and harvesters get no more.
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { oaiFollower } from '#store/oai/follow.ts';
import { indexFollower } from '#store/search/pending.ts';
import type { TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { amount, isLong } from '#test/support/long.ts';
import { personBody, resourceBody } from '#test/support/records.ts';
import { publicUserSession } from '#test/support/public-user.ts';
import { toQuery } from '#test/support/search-query.ts';
import type { World } from './hiding-steps.ts';
import { pickFrom, stepsOf } from './hiding-steps.ts';

let api: TestApi;
let holder: pg.Client;
const repositories: number[] = [];
const resources: string[] = [];
const nodes: string[] = [];
const leaves: string[] = [];
const others: string[] = [];
const words = new Map<string, string>();
let world: World;
const known = (): readonly string[] => [...resources, ...nodes, ...others];

type Caller = {
  readonly name: string;
  readonly session: string;
  /** Where they search: everywhere, or in their repository. */
  readonly at: string;
  readonly isPublic?: boolean;
  readonly sees: (repoId: number) => boolean;
  readonly seesSuppressed: boolean;
};
const callers: Caller[] = [];

const letters = (n: number): string =>
  [n / 676, n / 26, n].map((k) => 'bcdfghjklmnpqrstvwxzaeiouy'[Math.floor(k) % 26]).join('');
const uniqueWord = (): string => `quokka${letters(words.size * 7 + 11)}wal`;

async function make(list: string[], path: string, body: object): Promise<string> {
  const word = uniqueWord();
  const uri = await api.create(path, { publish: true, title: `Wombat ${word}`, ...body });
  words.set(uri, word);
  list.push(uri);
  return uri;
}

beforeAll(async () => {
  api = await startTestApi();
  world = { api, repositories, resources, nodes, leaves, others, words };
  for (const code of ['HERE', 'THERE']) {
    const id = await api.repository(code);
    ok(await api.post(`/repositories/${id}`, { ...ok(await api.get(`/repositories/${id}`)), publish: true }));
    repositories.push(id);
  }
  const [here = 0, there = 0] = repositories;
  // One in each repository is hidden in every way; two of one repository are for long runs.
  const planted = isLong ? [here, here, there] : [here, there];
  for (const repo of planted) await plant(repo);
  for (const repo of planted) {
    await make(others, `/repositories/${repo}/accessions`, { id_0: `A${words.size}`, accession_date: '1990-01-01' });
    const digital = await make(others, `/repositories/${repo}/digital_objects`, {
      digital_object_id: `D${words.size}`,
    });
    const part = { digital_object: { ref: digital } };
    const upper = await make(others, `/repositories/${repo}/digital_object_components`, part);
    await make(others, `/repositories/${repo}/digital_object_components`, { ...part, parent: { ref: upper } });
  }
  others.push(await api.create('/agents/people', { ...personBody('Wombat, Ada'), publish: true }));
  const publicUser = await publicUserSession(api, here);
  const readerOf = (name: string, id: number, session: string): Caller => ({
    name,
    session,
    at: `/repositories/${id}`,
    sees: (repo) => repo === id,
    seesSuppressed: false,
  });
  callers.push(
    { name: 'anonymous', session: publicUser, at: '', isPublic: true, sees: () => true, seesSuppressed: false },
    readerOf('a reader', here, await api.userWith(['view_repository'], here)),
    readerOf('a reader of another repository', there, await api.userWith(['view_repository'], there)),
    { name: 'the administrator', session: api.session, at: '', sees: () => true, seesSuppressed: true },
  );
  holder = new pg.Client({ connectionString: api.databaseUrl });
  await holder.connect();
  await index();
});
afterAll(async () => {
  await holder.end();
  await api[Symbol.asyncDispose]();
});

/** A resource of a subject, a container and three levels of components. */
async function plant(repo: number): Promise<void> {
  const at = `/repositories/${repo}`;
  const topic = (word: string) => ({ term: `Wombat ${word}`, term_type: 'topical', vocabulary: '/vocabularies/1' });
  const subject = await api.create('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    publish: true,
    terms: [topic(uniqueWord())],
  });
  const box = await api.create(`${at}/top_containers`, { indicator: `${words.size}`, type: 'box' });
  others.push(subject, box);
  const resource = await make(
    resources,
    `${at}/resources`,
    resourceBody(`R${words.size}`, { publish: true, title: `Wombat ${uniqueWord()}`, subjects: [{ ref: subject }] }),
  );
  const component = (list: string[], parent: string | null, more: object = {}): Promise<string> =>
    make(list, `${at}/archival_objects`, {
      level: 'file',
      resource: { ref: resource },
      ...(parent === null ? {} : { parent: { ref: parent } }),
      ...more,
    });
  const instances = [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }];
  for (const _ of [1, 2]) {
    const series = await component(nodes, null);
    const file = await component(nodes, series, { instances });
    for (const parent of [series, file]) leaves.push(await component(nodes, parent));
  }
}

/** Lets index and harvesters' list come to what is committed, and holds both back from then on. */
async function index(): Promise<void> {
  await holder.query('ROLLBACK');
  await untilIndexed(api.database);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM follower WHERE name IN ($1, $2) FOR UPDATE', [indexFollower, oaiFollower]);
}

/** A record wherever it is: until the index knows of a transfer, those who see both repositories find it at its old address. */
const recordOf = (uri: string): string => uri.replace(/^\/repositories\/\d+/, '');

const Truth = z.strictObject({
  kind: column.text,
  id: column.int,
  repo: column.maybeInt,
  suppressed: column.bool,
  isPublic: column.bool,
});
type Truth = z.infer<typeof Truth>;

/** What the records say of themselves at this moment, by recordOf; none of one that is gone. */
async function readTruth(): Promise<ReadonlyMap<string, Truth>> {
  const rows = await api.database.reader.any(sql.type(Truth)`
    SELECT r.kind, r.id, r.repo_id AS repo, r.suppressed, (r.publish IS TRUE OR r.kind = 'top_container') AND NOT r.suppressed AND NOT has_hidden_ancestor(r.kind, r.id, r.repo_id)
      AND (r.repo_id IS NULL OR (SELECT p.publish FROM record p WHERE p.kind = 'repository' AND p.id = r.repo_id)) AS "isPublic" FROM record r`);
  const there = new Map(rows.map((row) => [recordOf(uriOf(kindNamed(row.kind), row.id, row.repo)), row]));
  // The service itself tells whether anything that the public sees is described with one.
  for (const [record, row] of there) {
    if (row.kind !== 'subject' && row.kind !== 'top_container') continue;
    const { json } = await api.get(uriOf(kindNamed(row.kind), row.id, row.repo));
    there.set(record, { ...row, isPublic: row.isPublic && json.is_linked_to_published_record === true });
  }
  const names = new Set(known().map(recordOf));
  return new Map([...there].filter(([record]) => names.has(record)));
}

const mayFind = (caller: Caller, { repo, suppressed, isPublic }: Truth): boolean =>
  (repo === null || caller.sees(repo)) &&
  (!suppressed || caller.seesSuppressed) &&
  (caller.isPublic !== true || isPublic);

const ofWorld = (uris: readonly string[]): readonly string[] =>
  uris.filter((uri) => known().some((one) => recordOf(one) === recordOf(uri))).sort();

/** What a caller finds by a query: uris of rows, and what the reply counts. */
async function find(
  caller: Caller,
  asked: Parameters<typeof toQuery>[0],
): Promise<{
  readonly uris: readonly string[];
  readonly rows: readonly any[];
  readonly total: number;
  readonly types: { readonly [type: string]: number };
}> {
  const query = toQuery({ page_size: 250, facet: ['primary_type'], facet_mincount: 1, ...asked });
  const { results, total_hits: total, facets } = ok(await api.get(`${caller.at}/search?${query}`, caller.session));
  const pairs = facets?.facet_fields?.primary_type ?? [];
  const types: { [type: string]: number } = {};
  for (let at = 0; at < pairs.length; at += 2) types[pairs[at]] = pairs[at + 1];
  return { uris: results.map(({ uri }: { uri: string }) => uri), rows: results, total, types };
}

function countTypes(rows: readonly any[]): { readonly [type: string]: number } {
  const counts: { [type: string]: number } = {};
  for (const { primary_type: type } of rows) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

const askedFor: readonly (Parameters<typeof toQuery>[0] & { readonly q: string })[] = [
  { q: '*' },
  { q: 'wombat' },
  { q: '*', type: ['archival_object'] },
  { q: 'wombat', sort: 'title_sort asc' },
];

type Indexed = ReadonlyMap<string, ReadonlySet<string>>;

/** Compares all that callers get with what the records say. `indexed`: what callers found when the index last knew all and has not been hidden since, by name. Gives what is left of that. */
async function check(what: string, indexed: Indexed): Promise<Indexed> {
  const left = new Map<string, ReadonlySet<string>>();
  const truth = await readTruth();
  for (const caller of callers) {
    const may = (uri: string): boolean => {
      const one = truth.get(recordOf(uri));
      return one !== undefined && mayFind(caller, one);
    };
    // What is shown again comes with the index; what was shown and still may be, stays.
    const wanted = (uri: string): boolean => may(uri) && (indexed.get(caller.name)?.has(uri) ?? false);
    left.set(caller.name, new Set([...(indexed.get(caller.name) ?? [])].filter(may)));
    const all = await find(caller, { q: '*' });
    expect(
      ofWorld(all.uris).filter((uri) => !may(uri)),
      `${caller.name}, ${what}`,
    ).toEqual([]);
    expect(
      [...(indexed.get(caller.name) ?? [])].filter((uri) => wanted(uri) && !all.uris.includes(uri)),
      `${caller.name} misses, ${what}`,
    ).toEqual([]);
    for (const asked of askedFor) {
      const found = asked.q === '*' && asked.type === undefined ? all : await find(caller, asked);
      expect(
        ofWorld(found.uris).filter((uri) => !may(uri)),
        `${caller.name}, ${what}, ${asked.q}`,
      ).toEqual([]);
      expect(found.total, `total for ${caller.name}, ${what}`).toBe(found.uris.length);
      expect(found.types, `facets for ${caller.name}, ${what}`).toEqual(countTypes(found.rows));
    }
    const zero = await find(caller, { q: '*', facet_mincount: 0 });
    expect(Object.keys(zero.types).sort(), `values for ${caller.name}, ${what}`).toEqual(
      Object.keys(zero.types)
        .filter((type) => all.types[type] !== undefined)
        .sort(),
    );
    const { suggestions } = ok(await api.get(`${caller.at}/search/suggest?q=wombat&limit=20`, caller.session));
    expect(
      ofWorld(suggestions.map(({ uri }: { uri: string }) => uri)).filter((uri) => !may(uri)),
      `titles for ${caller.name}, ${what}`,
    ).toEqual([]);
    for (const uri of leaves.filter((leaf) => !may(leaf) && indexed.get(caller.name)?.has(leaf) === true).slice(0, 3)) {
      const misspelt = (words.get(uri) ?? '').replace(/wal$/, 'wul');
      const { did_you_mean: spellings } = ok(
        await api.get(`${caller.at}/search?${toQuery({ q: misspelt, did_you_mean: true })}`, caller.session),
      );
      expect(
        spellings.map(({ query }: { readonly query: string }) => query),
        `spellings for ${caller.name}, ${what}`,
      ).not.toContain(words.get(uri));
    }
  }
  const listed = (await api.ask('/oai?verb=ListIdentifiers&metadataPrefix=oai_dc', { session: null })).text;
  const harvested = [...listed.matchAll(/<header>\s*<identifier>[^<]*?(\/repositories[^<]*)</g)].map(
    ([, uri]) => uri ?? '',
  );
  expect(
    ofWorld(harvested).filter(
      (uri) => truth.get(recordOf(uri))?.isPublic !== true || truth.get(recordOf(uri))?.suppressed === true,
    ),
    `harvesters, ${what}`,
  ).toEqual([]);
  return left;
}

async function readIndexed(): Promise<Indexed> {
  const found = new Map<string, ReadonlySet<string>>();
  for (const caller of callers) found.set(caller.name, new Set(ofWorld((await find(caller, { q: '*' })).uris)));
  return found;
}

it('finds as every caller what the records say when the index knows all', async () => {
  const truth = await readTruth();
  for (const caller of callers) {
    const wanted = [...truth]
      .filter(([, one]) => mayFind(caller, one) && (caller.at === '' || one.repo !== null))
      .map(([record]) => record);
    const found = ofWorld((await find(caller, { q: '*' })).uris).filter(
      (uri) => caller.at === '' || truth.get(recordOf(uri))?.repo !== null,
    );
    expect(found.map(recordOf).sort(), caller.name).toEqual(wanted.sort());
  }
});

it.each(isLong ? [1, 2, 3, 4] : [1])(
  'is right after each of many changes, whenever the index comes to them (%i)',
  async (seed) => {
    const pick = pickFrom(seed);
    const { hiding, showing, showAll } = stepsOf(world);
    let indexed = await readIndexed();
    const done: string[] = [];
    for (let step = 0; step < amount(5, 9); step++) {
      done.push(await pick(pick([hiding, hiding, hiding, showing]))(pick));
      indexed = await check(done.slice(-4).join('; '), indexed);
      if (pick([true, false, false, false])) {
        await index();
        indexed = await readIndexed();
        await check(`${done.at(-1)}, and indexed`, indexed);
      }
    }
    await showAll();
    await index();
  },
);

it('finds nothing more of a repository once the permission is taken', async () => {
  const [here = 0] = repositories;
  const reader = await api.userWith(['view_repository'], here);
  const caller: Caller = {
    name: 'who was a reader',
    session: reader,
    at: `/repositories/${here}`,
    sees: () => false,
    seesSuppressed: false,
  };
  expect((await find(caller, { q: 'wombat', type: ['resource'] })).total).toBeGreaterThan(0);
  const groups: readonly { readonly uri: string; readonly group_code: string }[] = ok(
    await api.get(`/repositories/${here}/groups`),
  );
  const mine = groups.filter(({ group_code: code }) => /^g\d+$/.test(code)).at(-1);
  expect((await api.del(mine?.uri ?? '')).status).toBe(200);
  expect((await api.get(`/repositories/${here}/search?${toQuery({ q: 'wombat' })}`, reader)).status).toBe(403);
});
