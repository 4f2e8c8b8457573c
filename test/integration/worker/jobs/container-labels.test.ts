// Container labels as a job: the file is what the route answers, again when made twice, and nothing where it is killed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { containerLabels } from '#domain/jobs/container-labels.ts';
import { readCaller } from '#store/access/grants.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { EndedJob } from '#test/support/api-jobs.ts';
import { runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { handler } from '../../../../apps/worker/jobs/container-labels.ts';

let api: TestApi;
let repoId: number;
let resource: string;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  resource = await tree(api, repoId);
});
afterAll(() => api[Symbol.asyncDispose]());

/** A resource with a series and a file in a box; gives its uri. */
async function tree(on: TestApi, repo: number): Promise<string> {
  const made = (plural: string, body: object) => on.create(`/repositories/${repo}/${plural}`, body);
  const root = await made('resources', resourceBody('L1'));
  const box = await made('top_containers', { indicator: '7', type: 'box', barcode: 'b7' });
  const series = await made('archival_objects', { title: 'Letters', level: 'series', resource: { ref: root } });
  await made('archival_objects', {
    title: 'A to C',
    level: 'file',
    resource: { ref: root },
    parent: { ref: series },
    instances: [
      {
        instance_type: 'mixed_materials',
        sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '1' },
      },
    ],
  });
  return root;
}

async function run(job: object, session = api.session): Promise<EndedJob & { readonly files: readonly string[] }> {
  const ended = await runJob(api, repoId, { jsonmodel_type: 'container_labels_job', ...job }, { session });
  const ids: number[] = (await api.get(`${ended.uri}/output_files`)).json;
  return {
    ...ended,
    files: await Promise.all(ids.map(async (id) => (await api.get(`${ended.uri}/output_files/${id}`)).text)),
  };
}

test('gives the table of the route as its file, the same the second time', async () => {
  const shown = (await api.get(resource.replace('/resources/', '/resource_labels/') + '.tsv')).text;
  expect(shown).toContain('Letters\tA to C\t\tbox: 7\tb7\t');
  for (const _ of [1, 2])
    expect(await run({ source: resource })).toMatchObject({
      status: 'completed',
      result: { labels: 1, format: 'tsv' },
      files: [shown],
    });
});

test('fails for what is no resource of the repository, for other formats, and for owners who may not look', async () => {
  for (const job of [
    { source: '/repositories/1/resources/1' },
    { source: `/repositories/${repoId}/resources/99999` },
    { source: 'nonsense' },
    { source: resource, format: 'pdf' },
  ])
    expect(await run(job), JSON.stringify(job)).toMatchObject({ status: 'failed', files: [] });
  expect(await run({ source: resource }, await api.userWith(['create_job'], repoId))).toMatchObject({
    status: 'failed',
    log: expect.stringContaining('view_repository'),
  });
  expect(
    (
      await api.post(`/repositories/${repoId}/jobs`, {
        jsonmodel_type: 'job',
        job: { jsonmodel_type: 'container_labels_job' },
      })
    ).status,
  ).toBe(400);
});

test('leaves suppressed components out, and all below them; of a suppressed resource there are labels for those who may see it', async () => {
  const [series] = (await api.get(`${resource}/tree/root`)).json.precomputed_waypoints['']['0'];
  const suppress = async (uri: string, suppressed: boolean) =>
    expect((await api.post(`${uri}/suppressed?suppressed=${suppressed}`)).status).toBe(200);
  const codes = ['view_repository', 'create_job'];
  const sees = await api.userWith([...codes, 'view_suppressed'], repoId);
  const plain = await api.userWith(codes, repoId);
  await suppress(series.uri, true);
  for (const session of [sees, plain])
    expect(await run({ source: resource }, session)).toMatchObject({ status: 'completed', result: { labels: 0 } });
  await suppress(series.uri, false);
  await suppress(resource, true);
  const made = await run({ source: resource }, sees);
  expect(made).toMatchObject({ status: 'completed' });
  const [file] = (await api.get(`${made.uri}/output_files`)).json;
  const readBy = async (session: string) => (await api.get(`${made.uri}/output_files/${file}`, session)).status;
  // Nor do they read what was written for others, as long as the resource is suppressed.
  expect([await readBy(sees), await readBy(plain)]).toEqual([200, 404]);
  expect(await run({ source: resource }, plain)).toMatchObject({
    status: 'failed',
    log: expect.stringContaining('Resource not found'),
  });
  await suppress(resource, false);
  expect(await readBy(plain)).toBe(200);
});

test('lists no file where it is killed before its commit, and may then run again', async () => {
  const repo = await api.repository();
  const payload = { repoId: repo, actor: 'admin', job: { source: await tree(api, repo) }, params: {} };
  const around = { caller: await readCaller(api.database.reader, 'admin') };
  const files = () =>
    api.database.reader.any(sql.type(AnyRow)`
        SELECT 1 FROM job_file f JOIN job j ON j.id = f.job_id WHERE j.owner IS NULL`);
  await expect(killedOnce(api.database, containerLabels, handler, payload, around)).rejects.toThrow('killed');
  expect(await files()).toHaveLength(0);
  expect(await runHandler(api.database, containerLabels, handler, payload, around)).toEqual({
    labels: 1,
    format: 'tsv',
  });
  expect(await files()).toHaveLength(1);
});
