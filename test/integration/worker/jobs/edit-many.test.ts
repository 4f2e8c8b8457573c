// Jobs that change many records, over HTTP with a real worker: finding and replacing, trimming, ARKs, slugs, copies of resources; each
// run twice, and killed before its commit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import { generateArks } from '#domain/jobs/generate-arks.ts';
import { trimWhitespace } from '#domain/jobs/trim-whitespace.ts';
import { readCaller } from '#store/access/grants.ts';
import { sql } from '#store/connection/sql.ts';
import { handler as findAndReplaceHandler } from '../../../../apps/worker/jobs/find-and-replace.ts';
import { handler as generateArksHandler } from '../../../../apps/worker/jobs/generate-arks.ts';
import { handler as trimHandler } from '../../../../apps/worker/jobs/trim-whitespace.ts';
import { replaceInBodies } from '#domain/text/replace-in-bodies.ts';
import { namingOff } from '#domain/identifiers/naming.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { noThreads } from '#test/support/worker.ts';
import { generatedValues } from '../../../../apps/generated-values.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_SLUGS: 'title', MUNIMENT_ARKS: 'true' } });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const created = (plural: string, body: object) => api.create(`/repositories/${repoId}/${plural}`, body);
const component = (resource: string, title: string, more: object = {}) =>
  created('archival_objects', { title, level: 'file', resource: { ref: resource }, ...more });
const read = async (uri: string) => (await api.get(uri)).json;

const run = (job: object, session = api.session): Promise<EndedJob> => runJob(api, repoId, job, { session });

/** What a handler is given that a test runs itself, at once: the worker does not see its job. */
const payload = (job: object) => ({ repoId, actor: 'admin', job: { ...job } as Record<string, string>, params: {} });

describe('find and replace', () => {
  test('changes a property of all records of a kind below a record, once', async () => {
    const resource = await created('resources', resourceBody('F1', { title: 'Letters of Smith' }));
    const first = await component(resource, 'Letter to Smith, Smith & Co');
    await component(resource, 'Other', { parent: { ref: first } });
    const job = {
      jsonmodel_type: 'find_and_replace_job',
      find: 'Smith',
      replace: 'Smythe',
      record_type: 'archival_object',
      property: 'title',
      base_record_uri: resource,
    };
    const before = await read(first);
    const ended = await run(job);
    expect(ended).toMatchObject({ status: 'completed', result: { changed: 1 }, records: [first] });
    expect(ended.log).toContain(
      `Updating ArchivalObject[${first.split('/').at(-1)}].title\nAll done, logging modified records.`,
    );
    expect(await read(first)).toMatchObject({
      title: 'Letter to Smythe, Smythe & Co',
      display_string: 'Letter to Smythe, Smythe & Co',
      lock_version: before.lock_version + 1,
      last_modified_by: 'admin',
      ref_id: before.ref_id,
    });
    expect((await read(resource)).title).toBe('Letters of Smith');
    expect(await run({ ...job, find: '/Smith\\b/' })).toMatchObject({
      status: 'completed',
      result: { changed: 0 },
      records: [],
      log: expect.stringContaining('All done, no records modified.'),
    });
  });

  test('takes the text out where it is replaced by nothing', async () => {
    const resource = await created('resources', resourceBody('F0'));
    const first = await component(resource, 'Draft: Minutes');
    const job = {
      jsonmodel_type: 'find_and_replace_job',
      find: 'Draft: ',
      replace: '',
      record_type: 'archival_object',
      property: 'title',
      base_record_uri: resource,
    };
    expect(await run(job)).toMatchObject({ status: 'completed', records: [first] });
    expect((await read(first)).title).toBe('Minutes');
    const { replace: _, ...without } = job;
    expect((await api.post(`/repositories/${repoId}/jobs`, { jsonmodel_type: 'job', job: without })).json).toEqual({
      error: { replace: ['Property is required but was missing'] },
    });
  });

  test('changes parts of records, and reports their owners', async () => {
    const resource = await created('resources', resourceBody('F2'));
    const first = await component(resource, 'With dates', {
      dates: [{ date_type: 'single', label: 'creation', expression: 'circa 1900' }],
    });
    const ended = await run({
      jsonmodel_type: 'find_and_replace_job',
      find: '/circa (\\d+)/',
      replace: 'about \\1',
      record_type: 'date',
      property: 'expression',
      base_record_uri: resource,
    });
    expect(ended).toMatchObject({ status: 'completed', records: [first] });
    expect((await read(first)).dates[0].expression).toBe('about 1900');
    expect((await read(first)).display_string).toBe('With dates, about 1900');
  });

  test('changes nothing where one record would not be valid, or two would have one identifier', async () => {
    const resource = await created('resources', resourceBody('F3'));
    const first = await component(resource, 'aab');
    const second = await component(resource, 'a');
    const ended = await run({
      jsonmodel_type: 'find_and_replace_job',
      find: '/^a$|aa/',
      replace: '\\1',
      record_type: 'archival_object',
      property: 'title',
      base_record_uri: resource,
    });
    expect(ended).toMatchObject({ status: 'failed', records: [] });
    expect([(await read(first)).title, (await read(second)).title]).toEqual(['aab', 'a']);
    const one = await created('accessions', { title: 'One', id_0: 'F3-1', accession_date: '2020-01-01' });
    await created('accessions', { title: 'Two', id_0: 'F3-2', accession_date: '2020-01-01' });
    expect(
      (
        await run({
          jsonmodel_type: 'find_and_replace_job',
          find: '-1',
          replace: '-2',
          record_type: 'accession',
          property: 'id_0',
          base_record_uri: one,
        })
      ).status,
    ).toBe('failed');
    expect((await read(one)).id_0).toBe('F3-1');
  });

  test('refuses properties that are no texts, and records of elsewhere', async () => {
    const resource = await created('resources', resourceBody('F4'));
    const job = {
      jsonmodel_type: 'find_and_replace_job',
      find: 'a',
      replace: 'b',
      record_type: 'archival_object',
      property: 'title',
      base_record_uri: resource,
    };
    for (const wrong of [
      { property: 'instances' },
      { property: 'uri' },
      { base_record_uri: '/repositories/1/resources/1' },
      { find: '/(/' },
    ]) {
      expect((await run({ ...job, ...wrong })).status, JSON.stringify(wrong)).toBe(
        wrong.find === undefined ? 'failed' : 'completed',
      );
    }
    const refused = await api.post(`/repositories/${repoId}/jobs`, {
      jsonmodel_type: 'job',
      job: { ...job, record_type: 'nonsense' },
    });
    expect([refused.status, refused.json.error]).toEqual([400, { record_type: ['Is no record type'] }]);
  });

  test('leaves nothing where it is killed before its commit, and may then run again', async () => {
    const resource = await created('resources', resourceBody('F5', { title: 'Killed' }));
    const job = payload({
      find: 'Killed',
      replace: 'Alive',
      record_type: 'resource',
      property: 'title',
      base_record_uri: resource,
    });
    const around = {
      caller: await readCaller(api.database.reader, 'admin'),
      threads: { ...noThreads, run: async (_name: string, work: never) => replaceInBodies(work) as never },
    };
    await expect(killedOnce(api.database, findAndReplace, findAndReplaceHandler, job, around)).rejects.toThrow(
      'killed',
    );
    expect((await read(resource)).title).toBe('Killed');
    await runHandler(api.database, findAndReplace, findAndReplaceHandler, job, around);
    expect((await read(resource)).title).toBe('Alive');
    // Run by itself a handler names nothing: it would be found to want a slug.
    expect((await api.del(resource)).status).toBe(200);
  });
});

describe('trimming', () => {
  test('takes white space from titles, once', async () => {
    const resource = await created('resources', resourceBody('T1'));
    const first = await component(resource, 'Plain');
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE record SET body = replace(body::text, '"Plain"', '" Plain \\n"')::json WHERE kind = 'archival_object' AND body->>'title' = 'Plain'`,
      ),
    );
    expect(await run({ jsonmodel_type: 'trim_whitespace_job' })).toMatchObject({
      status: 'completed',
      result: { changed: { archival_object: 1, resource: 0 } },
      records: [first],
    });
    expect(await read(first)).toMatchObject({ title: 'Plain', display_string: 'Plain' });
    expect(await run({ jsonmodel_type: 'trim_whitespace_job' })).toMatchObject({
      result: { changed: { archival_object: 0 } },
      records: [],
    });
  });

  test('leaves nothing where it is killed before its commit', async () => {
    const resource = await created('resources', resourceBody('T2', { title: 'Untrimmed' }));
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE record SET body = replace(body::text, '"Untrimmed"', '" Untrimmed"')::json WHERE kind = 'resource'`,
      ),
    );
    const caller = await readCaller(api.database.reader, 'admin');
    await expect(killedOnce(api.database, trimWhitespace, trimHandler, payload({}), { caller })).rejects.toThrow(
      'killed',
    );
    expect((await read(resource)).title).toBe(' Untrimmed');
    expect(await runHandler(api.database, trimWhitespace, trimHandler, payload({}), { caller })).toMatchObject({
      changed: { resource: 1 },
    });
    expect((await api.del(resource)).status).toBe(200);
  });

  test('leaves kinds alone that the owner may not change', async () => {
    const session = await api.userWith(['view_repository', 'create_job', 'update_accession_record'], repoId);
    const ended = await run({ jsonmodel_type: 'trim_whitespace_job' }, session);
    expect(ended).toMatchObject({ status: 'completed', result: { changed: { accession: 0 } } });
    expect(ended.log).toContain('Left alone: resource');
  });
});

describe('naming', () => {
  test('are those of imported records too, and take over the ARKs that these bring', async () => {
    const named = (name: string, more: object = {}) => ({
      ...resourceBody(name, { title: 'Named by import', ...more }),
      jsonmodel_type: 'resource',
      uri: `/repositories/${repoId}/resources/import_${name}`,
    });
    const node = {
      jsonmodel_type: 'archival_object',
      uri: `/repositories/${repoId}/archival_objects/import_n`,
      title: 'Node by import',
      level: 'file',
      resource: { ref: named('I1').uri },
    };
    const imports = async (records: object[]) =>
      (await api.post(`/repositories/${repoId}/batch_imports`, records)).json.at(-1);
    const { saved } = await imports([
      named('I1'),
      named('I2', { import_current_ark: 'ark:/f00001/90001', import_previous_arks: ['ark:/f00001/90000'] }),
      named('I3', { import_current_ark: 'https://other.example/ark:/9/imported' }),
      node,
    ]);
    const [one, two, three, below] = await Promise.all(
      ['resources/import_I1', 'resources/import_I2', 'resources/import_I3', 'archival_objects/import_n'].map(
        async (name) => read(saved[`/repositories/${repoId}/${name}`][0]),
      ),
    );
    const minted = expect.stringMatching(/^ark:\/f00001\/\d+$/);
    expect(one.ark_name).toEqual({ previous: [], current: minted, current_is_external: false });
    expect(below).toMatchObject({ slug: 'node_by_import', ark_name: { current: minted }, lock_version: 0 });
    expect([one.slug, two.slug, three.slug].toSorted()).toEqual([
      'named_by_import',
      'named_by_import_1',
      'named_by_import_2',
    ]);
    expect(two.ark_name).toEqual({
      previous: ['ark:/f00001/90000'],
      current: 'ark:/f00001/90001',
      current_is_external: false,
    });
    expect([two.import_current_ark, two.import_previous_arks]).toEqual([undefined, []]);
    expect(three).toMatchObject({
      external_ark_url: 'https://other.example/ark:/9/imported',
      ark_name: { current: 'https://other.example/ark:/9/imported', current_is_external: true },
    });
    expect(one.ark_name.current).not.toBe(below.ark_name.current);
    const before = (await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json.length;
    const clash = await imports([named('I4'), named('I5', { import_current_ark: 'ark:/f00001/90001' })]);
    expect(JSON.stringify(clash)).toContain('ark_collision');
    expect((await api.get(`/repositories/${repoId}/resources?all_ids=true`)).json).toHaveLength(before);
  });

  test('gives ARKs and slugs to records without, and leaves those that have some', async () => {
    const resource = await created('resources', resourceBody('N1', { title: 'Named one' }));
    const other = await created('resources', resourceBody('N2', { title: 'Named one' }));
    const [ark, slug] = [(await read(resource)).ark_name.current, (await read(resource)).slug];
    const unname = (id: number): Promise<void> =>
      api.database.transaction(async (tx) => {
        await tx.run(
          sql`UPDATE record SET body = with_property(with_property(body, 'ark_name', NULL), 'slug', NULL) WHERE kind = 'resource' AND id = ${id}`,
        );
        await tx.run(sql`DELETE FROM unique_key WHERE kind = 'resource' AND id = ${id} AND rule IN ('ark', 'slug')`);
      });
    await unname(idOf(other));
    const version = (await read(other)).lock_version;
    const naming = { ...namingOff, arks: { ...namingOff.arks, isOn: true } };
    expect((await run({ jsonmodel_type: 'generate_arks_job' })).status).toBe('completed');
    expect(await run({ jsonmodel_type: 'generate_slugs_job' })).toMatchObject({
      status: 'completed',
      result: { changed: { resource: 1 } },
      records: expect.arrayContaining([other]),
    });
    const named = await read(other);
    expect(named).toMatchObject({ slug: `${slug}_1`, lock_version: version });
    expect(named.ark_name.current).toMatch(/^ark:\/f00001\/\d+$/);
    expect([(await read(resource)).ark_name.current, (await read(resource)).slug]).toEqual([ark, slug]);
    expect(await run({ jsonmodel_type: 'generate_slugs_job' })).toMatchObject({
      result: { changed: { resource: 0, archival_object: 0 } },
    });
    // A step by itself is a step again.
    await unname(idOf(other));
    const caller = await readCaller(api.database.reader, 'admin');
    const arks = () =>
      runHandler(api.database, generateArks, generateArksHandler, payload({}), {
        caller,
        generatedValues: { ...generatedValues, naming },
      });
    expect(await arks()).toMatchObject({ changed: { resource: 1 } });
    expect(await arks()).toEqual({ changed: { resource: 0, archival_object: 0 } });
    const reply = await api.post(
      `/repositories/${repoId}/jobs`,
      { jsonmodel_type: 'job', job: { jsonmodel_type: 'generate_arks_job' } },
      await api.userWith(['create_job'], repoId),
    );
    expect(reply.status).toBe(403);
  });
});

describe('a copy of a resource', () => {
  test('has the tree in its order, marked and unpublished, with links and new ref_ids', async () => {
    const subject = (
      await api.post('/subjects', {
        source: 'lcsh',
        vocabulary: '/vocabularies/1',
        terms: [{ term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      })
    ).json.uri;
    const box = await created('top_containers', { indicator: '1', type: 'box' });
    const resource = await created(
      'resources',
      resourceBody('D1', { title: 'Papers', publish: true, ead_id: 'd1.xml', subjects: [{ ref: subject }] }),
    );
    const series = await component(resource, 'Series', {
      publish: true,
      instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
    });
    await component(resource, 'Second');
    await component(resource, 'Third', { parent: { ref: series } });
    await component(resource, 'First', { parent: { ref: series }, position: 0 });
    const ended = await run({ jsonmodel_type: 'resource_duplicate_job', source: resource });
    expect(ended.status, ended.log).toBe('completed');
    expect(ended.records).toEqual([ended.result.uri]);
    const copy = await read(ended.result.uri);
    expect(copy).toMatchObject({
      title: '[Duplicated] Papers',
      id_0: '[Duplicated] D1',
      ead_id: '[Duplicated] d1.xml',
      publish: false,
      subjects: [{ ref: subject }],
    });
    const outline = async (uri: string) => {
      const nested = (await api.get(`${uri}/tree`)).json;
      const texts = (node: any): unknown => ({ title: node.title, children: node.children.map(texts) });
      return nested.children.map(texts);
    };
    expect(await outline(ended.result.uri)).toEqual(await outline(resource));
    const copied = (await api.get(`${ended.result.uri}/tree/root`)).json.precomputed_waypoints['']['0'][0].uri;
    expect((await read(copied)).instances[0].sub_container.top_container.ref).toBe(box);
    expect((await read(copied)).ref_id).not.toBe((await read(series)).ref_id);
    expect((await run({ jsonmodel_type: 'resource_duplicate_job', source: resource })).status).toBe('failed');
  });
});

test('a job with files needs some', async () => {
  const form = new FormData();
  form.set('job', JSON.stringify({ jsonmodel_type: 'job', job: { jsonmodel_type: 'trim_whitespace_job' } }));
  const reply = await fetch(`${api.url}/repositories/${repoId}/jobs_with_files`, {
    method: 'POST',
    headers: { 'x-service-session': api.session },
    body: form,
  });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { error: { files: ['Parameter required but no value provided'] } },
  ]);
});
