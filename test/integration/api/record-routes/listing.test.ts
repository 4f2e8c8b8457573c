// Lists that differ from pages for who may read: by other permissions, or as plain arrays (contract 2.4, 4.2).
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { httpRecords } from '../../../support/make/http-records.ts';
import type { HttpRecords } from '../../../support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  records = await httpRecords(api);
});
afterAll(() => api[Symbol.asyncDispose]());

it('gives templates of reports to any of two permissions, and one of them alone reads a template', async () => {
  const uri = await records.make('custom_report_template');
  const list = `/repositories/${records.repoId}/custom_report_templates?page=1`;
  const keeper = await api.userWith(['manage_custom_report_templates'], records.repoId);
  const reporter = await api.userWith(['create_job'], records.repoId);
  const viewer = await api.userWith(['view_repository'], records.repoId);
  expect([
    (await api.get(list, keeper)).status,
    (await api.get(list, reporter)).status,
    (await api.get(list, viewer)).status,
  ]).toEqual([200, 200, 403]);
  expect([(await api.get(uri, keeper)).status, (await api.get(uri, reporter)).status]).toEqual([403, 200]);
});

it('refuses the name of a template that another repository has', async () => {
  const { name } = (await api.get(await records.make('custom_report_template'))).json;
  const reply = await api.post(`/repositories/${await api.repository()}/custom_report_templates`, {
    ...(await records.body('custom_report_template')),
    name,
  });
  expect([reply.status, reply.json.error]).toEqual([400, { name: ['custom report template name not unique'] }]);
});

it('lists templates of data entry of a repository to anybody, as an array', async () => {
  const uri = await records.make('rde_template');
  const other = await api.repository();
  expect((await api.get(`/repositories/${records.repoId}/rde_templates`, null)).json).toEqual([
    (await api.get(uri, null)).json,
  ]);
  expect((await api.get(`/repositories/${other}/rde_templates`, null)).json).toEqual([]);
});
