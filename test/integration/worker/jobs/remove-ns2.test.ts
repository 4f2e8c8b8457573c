// Taking ns2: out of the markup in notes, over HTTP with a real worker: in all repositories, run dry, run twice, and killed between its steps.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeNs2 } from '#domain/jobs/remove-ns2.ts';
import { anonymous } from '#domain/access/caller.ts';
import { checkDatabase } from '#store/check/check-database.ts';
import { readCaller } from '#store/access/grants.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/remove-ns2.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { runHandler } from '#test/support/run-handler.ts';

let api: TestApi;
let repoId: number;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(() => api[Symbol.asyncDispose]());

const dirty = 'See <extref ns2:href="https://example.org/a">ns2:a</extref>';
const clean = 'See <extref href="https://example.org/a">ns2:a</extref>';
const multipart = (content: string) => ({
  jsonmodel_type: 'note_multipart',
  type: 'odd',
  persistent_id: 'abc',
  subnotes: [{ jsonmodel_type: 'note_text', content }],
});
const textOf = async (on: TestApi, uri: string) => (await on.get(uri)).json.notes[0].subnotes[0].content;
const run = (job: object = {}): Promise<EndedJob> => runJob(api, repoId, { jsonmodel_type: 'ns2_remover_job', ...job });

test('cleans the notes of all repositories and of agents once, and tells which records changed', async () => {
  const other = await api.repository();
  const resource = await api.create(
    `/repositories/${repoId}/resources`,
    resourceBody('S1', { notes: [multipart(dirty)] }),
  );
  const far = await api.create(
    `/repositories/${other}/resources`,
    resourceBody('S2', { notes: [multipart(dirty)], title: dirty }),
  );
  const component = await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'A',
    level: 'file',
    resource: { ref: resource },
    notes: [multipart('No markup, ns2: only')],
  });
  const agent = await api.create('/agents/people', {
    names: [{ primary_name: 'Noted', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    notes: [{ jsonmodel_type: 'note_bioghist', subnotes: [{ jsonmodel_type: 'note_text', content: dirty }] }],
  });
  const suppressed = await api.create(`/repositories/${repoId}/accessions`, {
    title: 'S',
    id_0: 'S',
    accession_date: '2020-01-01',
    lang_materials: [{ notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: [dirty] }] }],
  });
  expect((await api.post(`${suppressed}/suppressed?suppressed=true`)).status).toBe(200);
  const dry = await run({ dry_run: true });
  expect(dry, dry.log).toMatchObject({
    status: 'completed',
    result: { changed: { resource: 2, agent_person: 1 }, dry_run: true },
    records: [],
  });
  expect(dry.log).toContain(`Would change: ${far}\n`);
  expect([await textOf(api, resource), (await api.get(resource)).json.lock_version]).toEqual([dirty, 0]);
  const ended = await run();
  expect(ended, ended.log).toMatchObject({
    status: 'completed',
    result: { changed: { resource: 2, agent_person: 1 } },
  });
  expect(new Set(ended.records)).toEqual(new Set([resource, far, agent]));
  expect(await Promise.all([resource, far, agent, component].map((uri) => textOf(api, uri)))).toEqual([
    clean,
    clean,
    clean,
    'No markup, ns2: only',
  ]);
  expect((await api.get(far)).json).toMatchObject({
    lock_version: 1,
    last_modified_by: 'admin',
    title: dirty,
    notes: [{ persistent_id: 'abc' }],
  });
  expect((await api.get(component)).json.lock_version).toBe(0);
  expect(await run()).toMatchObject({
    status: 'completed',
    result: { changed: {} },
    records: [],
    log: expect.stringContaining('All done, 0 record(s) changed.'),
  });
  expect((await checkDatabase(api.database)).filter((each: any) => each.count > 0)).toEqual([]);
});

test('is for administrators alone, when it is asked for and when it runs', async () => {
  const session = await api.userWith(['create_job', 'view_repository', 'manage_repository'], repoId);
  expect(
    (
      await api.post(
        `/repositories/${repoId}/jobs`,
        { jsonmodel_type: 'job', job: { jsonmodel_type: 'ns2_remover_job' } },
        session,
      )
    ).status,
  ).toBe(403);
  expect((await api.get('/job_types')).json['ns2_remover_job']).toEqual({
    create_permissions: ['administer_system'],
    cancel_permissions: ['administer_system'],
  });
  const payload = { repoId, actor: 'admin', job: {}, params: {} };
  await expect(
    runHandler(api.database, removeNs2, handler, payload, { caller: { ...anonymous, username: 'nobody' } }),
  ).rejects.toThrow('lacks the permission');
});

test('keeps whole steps where it is killed between them, and does the rest when it runs again', async () => {
  await using quiet = await startTestApi({ worker: false });
  const R = `/repositories/${await quiet.repository()}`;
  const count = 700;
  await quiet.create(`${R}/digital_objects`, {
    title: 'D',
    digital_object_id: 'd',
    notes: [{ jsonmodel_type: 'note_digital_object', type: 'note', content: [dirty] }],
  });
  await quiet.database.transaction((tx) =>
    tx.run(
      sql`INSERT INTO record (kind, id, repo_id, publish, label, body) SELECT kind, id + n, repo_id, publish, label, body FROM record, generate_series(1, ${count - 1}::int) AS n WHERE kind = 'digital_object'`,
    ),
  );
  const left = async () =>
    (
      await quiet.database.reader.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM record WHERE kind = 'digital_object' AND strpos(body::text, 'ns2:href') > 0`)
    ).n;
  expect(await left()).toBe(count);
  const payload = { repoId: 2, actor: 'admin', job: {}, params: {} };
  const caller = await readCaller(quiet.database.reader, 'admin');
  let steps = 0;
  const killed = {
    caller,
    changedRecords: async () => {
      steps += 1;
      if (steps === 2) throw new Error('killed');
    },
  };
  await expect(runHandler(quiet.database, removeNs2, handler, payload, killed)).rejects.toThrow('killed');
  expect(await left()).toBe(count - 500);
  expect(await runHandler(quiet.database, removeNs2, handler, payload, { caller })).toEqual({
    changed: { digital_object: count - 500 },
  });
  expect(await left()).toBe(0);
  expect(
    (
      await quiet.database.reader.one(sql.type(NumberRow)`
        SELECT count(*)::int AS n FROM revision WHERE kind = 'digital_object'`)
    ).n,
  ).toBe(count);
});
