// Files of jobs made by somebody who sees suppressed records are for those who may see these, where the repository has any.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { endOfJob, runJob } from '#test/support/api-jobs.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let repoId = 0;
let [resource, component] = ['', ''];
let [viewer, seer] = ['', ''];

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  viewer = await api.userWith(['view_repository', 'create_job'], repoId);
  seer = await api.userWith(['view_repository', 'view_suppressed'], repoId);
  const user = ok(await api.get('/users/current-user')).uri;
  await api.create(`/repositories/${repoId}/preferences`, { user_id: idOf(user), defaults: { show_suppressed: true } });
  resource = await api.create(`/repositories/${repoId}/resources`, resourceBody('R1', { publish: true }));
  const box = await api.create(`/repositories/${repoId}/top_containers`, { indicator: '1', type: 'box' });
  component = await api.create(`/repositories/${repoId}/archival_objects`, {
    title: 'Hidden letters',
    level: 'file',
    publish: true,
    resource: { ref: resource },
    instances: [{ instance_type: 'text', sub_container: { top_container: { ref: box } } }],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

/** Makes a job by a request that does not wait for it. */
async function jobOf(path: string, form?: URLSearchParams): Promise<string> {
  const asked = await api.ask(path, {
    headers: { prefer: 'respond-async' },
    ...(form === undefined ? { method: 'GET' } : { form }),
  });
  expect(asked.status, asked.text).toBe(202);
  return (await endOfJob(api, asked.json.uri)).uri;
}
const asked = async (job: object, session?: string): Promise<string> => {
  const { uri, status, log } = await runJob(api, repoId, job, session === undefined ? {} : { session });
  expect(status, log).toBe('completed');
  return uri;
};
const makers: readonly (readonly [string, () => Promise<string>])[] = [
  ['a report', () => asked({ jsonmodel_type: 'report_job', report_type: 'resources_list_report', format: 'csv' })],
  ['a template', () => jobOf(`${resource}/templates/top_container_creation.csv`)],
  [
    'a sheet for changing components',
    () =>
      jobOf(
        `/bulk_archival_object_updater/repositories/${repoId}/generate_spreadsheet`,
        new URLSearchParams([
          ['uri[]', component],
          ['resource_uri', resource],
          ['selected_columns[]', 'title'],
        ]),
      ),
  ],
];
const fileOf = async (job: string): Promise<string> =>
  `${job}/output_files/${ok(await api.get(`${job}/output_files`))[0]}`;
const suppress = async (suppressed: boolean): Promise<void> => {
  ok(await api.ask(`${component}/suppressed?suppressed=${suppressed}`, { method: 'POST' }));
};
const statuses = async (file: string): Promise<readonly number[]> =>
  Promise.all([api.session, seer, viewer].map(async (session) => (await api.get(file, session)).status));

describe.each(makers)('%s', (_name, make) => {
  test('is for those who see what stands in it', async () => {
    const before = await fileOf(await make());
    await suppress(true);
    try {
      const beside = await fileOf(await make());
      expect(await statuses(beside)).toEqual([200, 200, 403]);
      expect((await api.get(beside, viewer)).json).toEqual({ error: 'Access denied' });
      // It is as it was made, and when nothing is suppressed any more so is this one.
      expect(await statuses(before)).toEqual([200, 200, 200]);
    } finally {
      await suppress(false);
    }
    expect(await statuses(await fileOf(await make()))).toEqual([200, 200, 200]);
  });
});

test('what somebody made who does not see them is for all who view the repository, and so is what never shows them', async () => {
  await suppress(true);
  const made = [
    await asked({ jsonmodel_type: 'report_job', report_type: 'resources_list_report', format: 'csv' }, viewer),
    await asked({ jsonmodel_type: 'print_to_pdf_job', source: resource }),
    await asked({ jsonmodel_type: 'container_labels_job', source: resource, format: 'tsv' }),
  ];
  for (const job of made) expect(await statuses(await fileOf(job))).toEqual([200, 200, 200]);
  const labels = await api.get(await fileOf(made[2] ?? ''), viewer);
  expect(labels.text).not.toContain('Hidden');
  await suppress(false);
});

test('what was made of a record that is suppressed by now is for those who see it, and for all when it is shown again', async () => {
  const job = await asked({ jsonmodel_type: 'container_labels_job', source: resource, format: 'tsv' });
  const file = await fileOf(job);
  expect(ok(await api.get(job)).reason.records).toMatchObject([{ ref: resource }]);
  const suppressAll = async (suppressed: boolean): Promise<void> => {
    ok(await api.ask(`${resource}/suppressed?suppressed=${suppressed}`, { method: 'POST' }));
  };
  await suppressAll(true);
  expect(await statuses(file)).toEqual([200, 200, 404]);
  await suppressAll(false);
  expect(await statuses(file)).toEqual([200, 200, 200]);
});
