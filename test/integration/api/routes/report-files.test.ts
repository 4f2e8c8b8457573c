// Files of reports are for those who may make the report: a job's files are open to all who view the repository, users and contact details are not.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { runJob } from '#test/support/api-jobs.ts';

let api: TestApi;
let repoId: number;
let viewer: string;

beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_CUSTOM_REPORTS: 'true' } });
  repoId = await api.repository();
  viewer = await api.userWith(['view_repository'], repoId);
  await api.create('/agents/people', {
    names: [{ primary_name: 'Giver', name_order: 'direct', sort_name_auto_generate: true, source: 'local' }],
    agent_contacts: [{ name: 'Giver', email: 'giver@example.org' }],
  });
});
afterAll(() => api[Symbol.asyncDispose]());

/** Makes the report as the administrator, and gives what a session is answered for its file. */
async function fileOfReport(code: string, params: object, session: string): Promise<{ status: number; text: string }> {
  const { status, log, uri } = await runJob(
    api,
    repoId,
    { jsonmodel_type: 'report_job', report_type: code, format: 'json' },
    { params },
  );
  expect(status, log).toBe('completed');
  const [file] = (await api.get(`${uri}/output_files`)).json;
  expect((await api.get(`${uri}/output_files/${file}`)).status).toBe(200);
  return api.get(`${uri}/output_files/${file}`, session);
}

const template = async (name: string, data: object): Promise<string> =>
  api.create(`/repositories/${repoId}/custom_report_templates`, { name, limit: 10, data: JSON.stringify(data) });

test('the list of users is for holders of manage_users', async () => {
  const refused = await fileOfReport('user_groups_report', {}, viewer);
  expect(refused).toMatchObject({ status: 403, text: expect.stringContaining('Access denied') });
  expect((await fileOfReport('agent_list_report', {}, viewer)).status).toBe(200);
});

test('a custom report is for who holds what its template took', async () => {
  const fields = { name: { include: '1' } };
  const contacts = await template('contacts', {
    custom_record_type: 'agent',
    fields,
    subreports: { agent_contact: { include: '1' } },
  });
  const plain = await template('names', { custom_record_type: 'agent', fields });
  const users = await template('users', { custom_record_type: 'user', fields: { username: { include: '1' } } });
  expect((await fileOfReport('custom_report', { template: contacts }, viewer)).status).toBe(403);
  expect((await fileOfReport('custom_report', { template: users }, viewer)).status).toBe(403);
  expect((await fileOfReport('custom_report', { template: plain }, viewer)).status).toBe(200);

  const mayContact = await api.userWith(['view_repository', 'view_agent_contact_record'], repoId);
  const shown = await fileOfReport('custom_report', { template: contacts }, mayContact);
  expect(shown).toMatchObject({ status: 200, text: expect.stringContaining('giver@example.org') });
});
