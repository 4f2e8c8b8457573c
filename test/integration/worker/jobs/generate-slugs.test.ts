// Slugs that jobs give, beside somebody who saves a record of the same name at that moment; and names that imports bring along.
import { utils, write as writeWorkbook } from '@e965/xlsx';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { beside } from '#test/support/lock-waits.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true' } });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const slugOf = async (uri: string): Promise<string> => (await api.get(uri)).json.slug;

/** Enters a slug as the save of another record does, which has not ended yet. */
const taking = (slug: string) => async (tx: Transaction) =>
  tx.run(sql`INSERT INTO unique_key (rule, scope, value, kind, id) VALUES ('slug', '', ${slug}, 'accession', 999999)`);

it('are looked for again by the job that makes all of them', async () => {
  const accession = (id: string) =>
    api.create(`/repositories/${repoId}/accessions`, { id_0: id, title: 'Beside', accession_date: '2020-01-01' });
  const [one, two] = [await accession('One'), await accession('Two')];
  await api.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET body = with_property(body, 'slug', NULL) WHERE kind = 'accession'`);
    await tx.run(sql`DELETE FROM unique_key WHERE kind = 'accession' AND rule = 'slug'`);
  });
  const ended = await beside(api.database, taking('beside'), () =>
    runJob(api, repoId, { jsonmodel_type: 'generate_slugs_job' }),
  );
  expect(ended, ended.log).toMatchObject({ status: 'completed', result: { changed: { accession: 2 } } });
  expect([await slugOf(one), await slugOf(two)].toSorted()).toEqual(['beside_1', 'beside_2']);
});

it('are looked for again by an import, which came to its end', async () => {
  const uri = `/repositories/${repoId}/resources/import_1`;
  const body = { ...resourceBody('B1', { title: 'Batched' }), jsonmodel_type: 'resource', uri };
  const reply = await beside(api.database, taking('batched'), () =>
    api.post(`/repositories/${repoId}/batch_imports`, [body]),
  );
  const { saved, errors } = reply.json.at(-1);
  expect(errors).toBeUndefined();
  expect(await slugOf(saved[uri][0])).toBe('batched_1');
});

it('leave what is published of an agent as it is, in an import and in the job that makes all of them', async () => {
  const vocabulary = '/vocabularies/1';
  const terms = [{ term: 'Shipping', term_type: 'topical', vocabulary }];
  const subject = await api.create('/subjects', { vocabulary, source: 'local', terms });
  const agent = (primary_name: string) => ({
    names: [{ primary_name, name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    publish: true,
    agent_topics: [{ subjects: [{ ref: subject }] }],
  });
  const topicsOf = async (uri: string) => (await api.get(uri)).json.agent_topics;
  const uri = '/agents/people/import_1';
  const imported = await api.post(`/repositories/${repoId}/batch_imports`, [
    { ...agent('Imported'), jsonmodel_type: 'agent_person', uri },
  ]);
  expect(await topicsOf(imported.json.at(-1).saved[uri][0])).toMatchObject([{ publish: true }]);
  const made = await api.create('/agents/people', agent('Made'));
  await api.database.transaction(async (tx) => {
    await tx.run(sql`UPDATE record SET body = with_property(body, 'slug', NULL) WHERE kind = 'agent_person'`);
    await tx.run(sql`DELETE FROM unique_key WHERE kind = 'agent_person' AND rule = 'slug'`);
  });
  const ended = await runJob(api, repoId, { jsonmodel_type: 'generate_slugs_job' });
  expect(ended, ended.log).toMatchObject({ status: 'completed' });
  expect(await slugOf(made)).toBe('made');
  expect(await topicsOf(made)).toMatchObject([{ publish: true }]);
});

it('are made anew where a job changes titles, with a number where another has them, and stay where they were given by hand', async () => {
  const R = `/repositories/${repoId}`;
  const resource = await api.create(`${R}/resources`, resourceBody('S1', { title: 'Renamed Papers' }));
  const part = (title: string, more: object = {}) =>
    api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource }, ...more });
  const [one, two] = [await part('Draft minutes'), await part('Draft minutes')];
  const own = await part('Draft letters', { is_slug_auto: false, slug: 'our_letters' });
  const replaced = await runJob(api, repoId, {
    jsonmodel_type: 'find_and_replace_job',
    find: 'Draft ',
    replace: 'Final ',
    record_type: 'archival_object',
    property: 'title',
    base_record_uri: resource,
  });
  expect(replaced, replaced.log).toMatchObject({ status: 'completed', result: { changed: 3 } });
  expect(await slugOf(one)).toBe('final_minutes');
  expect(await slugOf(two)).toBe('final_minutes_1');
  expect(await slugOf(own)).toBe('our_letters');
  expect((await api.get('/slug?slug=draft_minutes&controller=&action=')).json.id).toBe(-1);
  const book = utils.book_new();
  const { lock_version } = (await api.get(one)).json;
  const row = [one.split('/').at(-1), String(lock_version), 'Protocols'];
  utils.book_append_sheet(
    book,
    utils.aoa_to_sheet([['Id', 'Version', 'Title'], ['id', 'lock_version', 'title'], row]),
    'Updates',
  );
  const content: Buffer = writeWorkbook(book, { type: 'buffer', bookType: 'xlsx' });
  const ended = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'bulk_archival_object_updater_job' },
    { file: { name: 'updates.xlsx', content } },
  );
  expect(ended.status, ended.log).toBe('completed');
  expect([await slugOf(one), await slugOf(two)]).toEqual(['protocols', 'final_minutes_1']);
});

it('are cleaned where an import brings them along, as where a record is saved, and have a number where another has them', async () => {
  const [one, two] = ['import_2', 'import_3'].map((id) => `/repositories/${repoId}/resources/${id}`);
  const sent = { jsonmodel_type: 'resource', slug: 'Ours, by Hand!', is_slug_auto: false };
  const reply = await api.post(`/repositories/${repoId}/batch_imports`, [
    { ...resourceBody('H1'), ...sent, uri: one },
    { ...resourceBody('H2'), ...sent, uri: two },
  ]);
  const { saved } = reply.json.at(-1);
  const made = await Promise.all([one, two].map(async (uri) => (await api.get(saved[uri ?? ''][0])).json));
  expect(made.map(({ slug, is_slug_auto }) => [slug, is_slug_auto])).toEqual([
    ['ours_by_hand', false],
    ['ours_by_hand_1', false],
  ]);
});

it('tells which record of an import brings along the ARK of another', async () => {
  const R = `/repositories/${repoId}/resources`;
  const stands = await api.create(R, resourceBody('K1'));
  const { current } = (await api.get(stands)).json.ark_name;
  const copy = {
    ...resourceBody('K2', { title: 'Copy' }),
    jsonmodel_type: 'resource',
    uri: `${R}/import_4`,
    import_current_ark: current,
  };
  const { errors } = (await api.post(`/repositories/${repoId}/batch_imports`, [copy])).json.at(-1);
  expect(errors).toEqual([expect.stringMatching(/^Server error: Problem creating 'Copy': ark ark_collision \(record/)]);
});
