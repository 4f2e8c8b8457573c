// A load over an earlier one: trees, moves out of what is deleted, transfers, and what two sides have written.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDatabase } from '#store/check/check-database.ts';
import type { TestApi } from '../../../support/api.ts';
import { ok, startTestApi } from '../../../support/api.ts';
import { endOfGlobalJob } from '../../../support/loads.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
});
afterAll(() => api[Symbol.asyncDispose]());

const load = async (lines: readonly object[], query = '?update=true') => {
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  return endOfGlobalJob(api, (await api.ask(`/system/load${query}`, { method: 'POST', body })).json.uri);
};
const repository = (id: number): object => ({
  jsonmodel_type: 'repository',
  uri: `/repositories/${id}`,
  repo_code: `R${id}`,
  name: `R${id}`,
});
const resource = (id: number, repo = 7): object => ({
  jsonmodel_type: 'resource',
  uri: `/repositories/${repo}/resources/${id}`,
  id_0: `R${id}`,
  title: `R${id}`,
  level: 'collection',
  publish: true,
  finding_aid_language: 'eng',
  finding_aid_script: 'Latn',
  lang_materials: [{ language_and_script: { language: 'eng' } }],
  extents: [{ portion: 'whole', number: '1', extent_type: 'cassettes' }],
  dates: [{ date_type: 'single', label: 'creation', begin: '2001' }],
});
const node = (
  id: number,
  root: number,
  position: number,
  more: { parent?: number; title?: string; repo?: number } = {},
) => {
  const at = `/repositories/${more.repo ?? 7}`;
  return {
    jsonmodel_type: 'archival_object',
    uri: `${at}/archival_objects/${id}`,
    title: more.title ?? `N${id}`,
    ref_id: `ref${id}`,
    level: 'file',
    publish: true,
    resource: { ref: `${at}/resources/${root}` },
    position,
    ...(more.parent === undefined ? {} : { parent: { ref: `${at}/archival_objects/${more.parent}` } }),
  };
};
const gone = (uri: string): object => ({ uri, at: null });
const order = async (uri: string): Promise<readonly string[]> =>
  (await api.get(`${uri}/ordered_records`)).json.uris.map(({ ref }: { ref: string }) =>
    ref.replace(/^.*\/(.)[a-z_]*\//, '$1'),
  );
const R = '/repositories/7';

it('is refused where nothing was loaded', async () => {
  const ended = await load([repository(7)]);
  expect([ended.status, ended.log]).toEqual(['failed', expect.stringContaining('load the whole folder')]);
});

it('lays trees anew: what changed, came, went and moved, out of what was deleted, and to another repository', async () => {
  const first = await load(
    [
      ...[repository(7), repository(8), resource(1), resource(2), resource(3)],
      ...[node(1, 1, 0), node(2, 1, 1), node(3, 1, 2), node(4, 1, 0, { parent: 2 }), node(5, 1, 1, { parent: 2 })],
      ...[node(6, 2, 0), node(7, 2, 0, { parent: 6 }), node(8, 3, 0)],
    ],
    '',
  );
  expect(first.status, first.log).toBe('completed');
  const second = await load([
    // 3 comes first, 4 goes up, 9 is new below 2; 1 and 5 stay as they are.
    ...[node(3, 1, 0), node(1, 1, 1), node(2, 1, 2), node(4, 1, 3, { title: 'Up' }), node(9, 1, 0, { parent: 2 })],
    // 7 is saved from the second tree, which is deleted.
    ...[node(7, 1, 4), gone(`${R}/resources/2`), gone(`${R}/archival_objects/6`)],
    // The third one is transferred.
    ...[resource(3, 8), node(8, 3, 0, { repo: 8 }), gone(`${R}/resources/3`), gone(`${R}/archival_objects/8`)],
  ]);
  expect(second.status, second.log).toBe('completed');
  expect(await order(`${R}/resources/1`)).toEqual(['r1', 'a3', 'a1', 'a2', 'a9', 'a5', 'a4', 'a7']);
  expect(await order('/repositories/8/resources/3')).toEqual(['r3', 'a8']);
  expect((await api.get(`${R}/archival_objects/4`)).json.title).toBe('Up');
  for (const uri of [`${R}/resources/2`, `${R}/resources/3`, `${R}/archival_objects/6`, `${R}/archival_objects/8`])
    expect([uri, (await api.get(uri)).status]).toEqual([uri, 404]);
  expect((await api.get('/delete-feed?page=1')).json.results).toContain(`${R}/resources/2`);
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});

it('tells every record that both sides have written, and what was made here stays in any case', async () => {
  const [three, five] = [`${R}/archival_objects/3`, `${R}/archival_objects/5`];
  for (const uri of [three, five]) ok(await api.post(uri, { ...(await api.get(uri)).json, title: 'Mine' }));
  const made = await api.create(`${R}/archival_objects`, {
    title: 'Made',
    level: 'file',
    publish: true,
    resource: { ref: `${R}/resources/1` },
  });
  const lines = [node(3, 1, 0, { title: 'Theirs' }), node(1, 1, 1, { title: 'Theirs' }), gone(five)];
  const refused = await load(lines);
  expect(refused.status).toBe('failed');
  expect(refused.log).toContain(`${three}: 'Mine' was changed here since it was loaded, and changed in the source`);
  expect(refused.log).toContain(`${five}: 'Mine' was changed here since it was loaded, and deleted in the source`);
  expect(refused.log).not.toContain(`${R}/archival_objects/1:`);
  const clash = await load([node(Number(made.split('/').at(-1)), 1, 0)], '?update=true&overwrite=true');
  expect(clash.log).toContain(`${made}: 'Made' was made here`);
  // What came and went in the source at that address is another record, of which nobody here is told.
  const passed = await load([gone(made)]);
  expect(passed.status, passed.log).toBe('completed');
  expect((await api.get(made)).json.title).toBe('Made');
  expect((await api.get('/delete-feed?page=1&page_size=250')).json.results).not.toContain(made);
  const twice = await load([node(3, 1, 0), node(3, 1, 1)], '?update=true&overwrite=true');
  expect(twice.log).toContain(`${three} (line 2): the address occurs more than once`);
  expect((await load(lines, '?update=true&overwrite=true')).status).toBe('completed');
  expect((await api.get(three)).json.title).toBe('Theirs');
  expect((await api.get(five)).status).toBe(404);
  expect((await api.get(`${three}/history`)).text).toContain('"op":"load"');
  // What was made here stands where it stood, behind all others.
  expect((await order(`${R}/resources/1`)).at(-1)).toBe(made.replace(/^.*\//, 'a'));
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});

it('is refused where a record names a term at whose address another one is, or one that is here at another address', async () => {
  const vocabulary = '/vocabularies/1';
  const plain = (text: string) => ({ term: text, term_type: 'topical', vocabulary });
  const subject = (id: number, source: string, termUri: string, text: string): object => ({
    jsonmodel_type: 'subject',
    uri: `/subjects/${id}`,
    vocabulary,
    source,
    terms: [{ jsonmodel_type: 'term', uri: termUri, ...plain(text) }],
  });
  const made = await api.create('/subjects', { vocabulary, source: 'local', terms: [plain('Here')] });
  const here: string = (await api.get(made)).json.terms[0].uri;
  const other = await load([subject(500, 'local', here, 'There')]);
  expect([other.status, other.log]).toEqual([
    'failed',
    expect.stringContaining(`${here} is another term here: 'Here' (topical)`),
  ]);
  // As where the term has a line of its own.
  const elsewhere = await load([subject(501, 'lcsh', '/terms/900', 'Here')]);
  expect([elsewhere.status, elsewhere.log]).toEqual(['failed', expect.stringContaining('Term must be unique')]);
  const twins = await load([subject(502, 'local', '/terms/901', 'Twin'), subject(503, 'lcsh', '/terms/902', 'Twin')]);
  expect([twins.status, twins.log]).toEqual([
    'failed',
    expect.stringContaining('Line 2, /terms/902: {"term":["Term must be unique"]}'),
  ]);
  const fitting = [subject(504, 'lcsh', here, 'Here'), subject(505, 'local', '/terms/903', 'Theirs')];
  const loaded = await load(fitting);
  expect(loaded.status, loaded.log).toBe('completed');
  expect((await api.get('/terms/903')).json).toMatchObject(plain('Theirs'));
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});

it('knows a term of any length as one that a record names later, and one that the record names first as its own', async () => {
  const vocabulary = '/vocabularies/1';
  // Of 600 bytes and more, where keys are kept as digests from 400 on.
  const long = (text: string) => ({ term: text.repeat(200), term_type: 'topical', vocabulary });
  const ofTerm = async (source: string, text: string): Promise<string> =>
    (await api.get(await api.create('/subjects', { vocabulary, source, terms: [long(text)] }))).json.terms[0].uri;
  const loaded = await load([{ jsonmodel_type: 'term', uri: '/terms/910', ...long('語') }]);
  expect(loaded.status, loaded.log).toBe('completed');
  expect([await ofTerm('local', '語'), await ofTerm('lcsh', '語')]).toEqual(['/terms/910', '/terms/910']);
  const named = [
    {
      jsonmodel_type: 'subject',
      uri: '/subjects/510',
      vocabulary,
      source: 'local',
      terms: [{ jsonmodel_type: 'term', uri: '/terms/911', ...long('字') }],
    },
  ];
  const completed = await load(named);
  expect(completed.status, completed.log).toBe('completed');
  expect(await ofTerm('lcsh', '字')).toBe('/terms/911');
  await ofTerm('local', '文');
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});

it('gives a record whose slug one here has the next number', async () => {
  const person = { primary_name: 'Roe', name_order: 'direct', sort_name: 'Roe', source: 'local' };
  await api.create('/agents/people', { names: [person], slug: 'roe', is_slug_auto: false });
  const uri = '/agents/people/700';
  const line = { jsonmodel_type: 'agent_person', uri, names: [{ ...person, primary_name: 'Rowe' }], slug: 'Roe' };
  const loaded = await load([line]);
  expect(loaded.status, loaded.log).toBe('completed');
  expect((await api.get(uri)).json.slug).toBe('Roe_1');
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});

it('keeps links that were made here alone to a record that the source has changed, and has those of the source once', async () => {
  const relation = (ref: string): object => ({
    jsonmodel_type: 'accession_sibling_relationship',
    relator: 'sibling_of',
    relator_type: 'bound_with',
    ref,
  });
  const uriOf = (id: number): string => `${R}/accessions/${id}`;
  const accession = (id: number, related: readonly number[], title = `A${id}`): object => ({
    jsonmodel_type: 'accession',
    uri: uriOf(id),
    id_0: `A${id}`,
    title,
    accession_date: '2020-01-01',
    related_accessions: related.map((other) => relation(uriOf(other))),
  });
  const first = await load([accession(50, [52, 53]), accession(51, []), accession(52, [50]), accession(53, [50])]);
  expect(first.status, first.log).toBe('completed');
  const made = await api.create(`${R}/accessions`, {
    id_0: 'Made',
    accession_date: '2020-01-01',
    related_accessions: [relation(uriOf(50))],
  });
  for (const uri of [51, 52].map(uriOf))
    ok(
      await api.post(uri, {
        ...(await api.get(uri)).json,
        title: 'Mine',
        related_accessions: [relation(uriOf(50))],
      }),
    );
  // As the source has them: 52 is linked still, and 53 is linked no more.
  const second = await load([accession(50, [52], 'Theirs')]);
  expect(second.status, second.log).toBe('completed');
  const related = async (uri: string): Promise<readonly string[]> =>
    (await api.get(uri)).json.related_accessions.map((each: { ref: string }) => each.ref).toSorted();
  expect((await api.get(uriOf(50))).json.title).toBe('Theirs');
  expect(await related(uriOf(50))).toEqual([uriOf(51), uriOf(52), made].toSorted());
  for (const uri of [uriOf(51), uriOf(52), made]) expect([uri, await related(uri)]).toEqual([uri, [uriOf(50)]]);
  expect(await related(uriOf(53))).toEqual([]);
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
});
