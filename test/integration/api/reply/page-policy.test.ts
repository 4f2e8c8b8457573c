// Every HTML page of the service comes with a policy under which nothing in it is run, fetched or framed.
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it } from 'vitest';
import { runJob } from '#test/support/api-jobs.ts';
import { startTestApi } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';
import { policyOfPages } from '../../../../apps/api/reply/page-policy.ts';

const { api, records } = await serveRecords({ environment: { MUNIMENT_OAI_URL: 'https://archives.example.org/oai' } });

const policyOf = async (path: string): Promise<string | null> => {
  const reply = await api.get(path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
  return reply.headers.get('content-security-policy');
};

it('says so of finding aids and the version', async () => {
  const resource = await records.one('resource');
  const page = resource.replace(/\/resources\/(\d+)$/, '/resource_descriptions/$1.html');
  for (const path of [page, '/version']) expect(await policyOf(path)).toBe(policyOfPages("'self'"));
  expect(policyOfPages("'self'")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
});

it('gives reports in HTML as downloads, which no browser takes for pages', async () => {
  const job = { jsonmodel_type: 'report_job', report_type: 'accession_report', format: 'html' };
  const { uri } = await runJob(api, Number((await records.one('accession')).split('/')[2]), job);
  const [file] = (await api.get(`${uri}/output_files`)).json;
  const { headers } = await api.get(`${uri}/output_files/${file}`);
  expect(headers.get('content-type')).not.toMatch(/html/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

it('lets the forms of the page to try OAI-PMH go to where the provider is said to be', async () => {
  expect(await policyOf('/oai_sample')).toContain('form-action https://archives.example.org;');
});

it('lets them go to this service alone where a client names a host that is none', async () => {
  await using plain = await startTestApi({ worker: false });
  const asked = request(`${plain.url}/oai_sample`, { headers: { host: '[' } }).end();
  const [reply] = await once(asked, 'response');
  reply.resume();
  expect([reply.statusCode, reply.headers['content-security-policy']]).toEqual([200, policyOfPages("'self'")]);
});
