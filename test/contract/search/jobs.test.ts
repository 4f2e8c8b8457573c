// Jobs in the search index (contract: behaviour-search.md section 9, `job`), as the list of jobs of a staff interface asks for them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runJob } from '#test/support/api-jobs.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import type { Parameters } from '#test/support/search-query.ts';
import { toQuery } from '#test/support/search-query.ts';
import type { Collection } from './collection.ts';
import { startCollection } from './collection.ts';

let c: Collection;
beforeAll(async () => {
  c = await startCollection();
});
afterAll(() => c[Symbol.asyncDispose]());

const report = { jsonmodel_type: 'report_job', report_type: 'resources_list_report', format: 'csv' };
const jobs = async (parameters: Parameters = {}, session?: string): Promise<any> => {
  await untilIndexed(c.api.database);
  return (await c.api.get(`/repositories/${c.repo}/search?${toQuery({ type: ['job'], ...parameters })}`, session)).json;
};

describe('jobs', () => {
  it('are found with their state, their settings and what they made', async () => {
    const { uri } = await runJob(c.api, c.repo, report);
    const [file] = (await c.api.get(`${uri}/output_files`)).json;
    const { json: record } = await c.api.get(uri);
    const [found] = (await jobs({ q: 'resources', sort: 'time_submitted desc' })).results;
    expect(found).toMatchObject({
      id: uri,
      uri,
      primary_type: 'job',
      types: ['job', 'report_job', 'resources_list_report'],
      jsonmodel_type: 'job',
      title: 'Resources',
      job_type: 'report_job',
      report_type: 'resources_list_report',
      job_report_type: 'resources_list_report',
      status: 'completed',
      owner: 'admin',
      time_submitted: record.time_submitted,
      time_started: record.time_started,
      time_finished: record.time_finished,
      files: [`${uri}/output_files/${file}`],
      job_data: ['report_type --- resources_list_report', 'format --- csv'],
      repository: `/repositories/${c.repo}`,
      publish: false,
      suppressed: false,
    });
    expect(JSON.parse(found.json)).toMatchObject({
      uri,
      status: 'completed',
      job: { report_type: 'resources_list_report' },
    });
  });

  it('are counted and sorted by what lists of jobs show', async () => {
    await runJob(c.api, c.repo, { jsonmodel_type: 'trim_whitespace_job' });
    const page = await jobs({
      facet: ['status', 'job_type', 'report_type', 'owner'],
      facet_mincount: 1,
      sort: 'time_finished desc,title_sort desc',
    });
    expect(page.facets.facet_fields).toMatchObject({
      status: ['completed', page.total_hits],
      owner: ['admin', page.total_hits],
    });
    expect(page.facets.facet_fields.job_type).toEqual(expect.arrayContaining(['trim_whitespace_job', 1]));
    expect(page.results[0]).toMatchObject({ title: 'Trim Whitespace', job_type: 'trim_whitespace_job' });
    expect((await jobs({ type: ['trim_whitespace_job'] })).total_hits).toBe(1);
  });

  it('of another repository are not found, nor by the public', async () => {
    await runJob(c.api, c.away, report);
    const here = await jobs();
    expect(
      here.results.every((row: { readonly repository: string }) => row.repository === `/repositories/${c.repo}`),
    ).toBe(true);
    expect((await jobs({}, c.viewer)).total_hits).toBe(here.total_hits);
    expect((await c.search({ type: ['job'] }, c.publicUser)).json.total_hits).toBe(0);
  });

  it('are no longer found once deleted', async () => {
    const { uri } = await runJob(c.api, c.repo, report);
    expect((await jobs({ q: `uri:"${uri}"` })).total_hits).toBe(1);
    expect((await c.api.del(uri)).status).toBe(200);
    expect((await jobs({ q: `uri:"${uri}"` })).total_hits).toBe(0);
  });

  it('stay when everything is indexed anew, and come back where documents were lost', async () => {
    const before = (await jobs()).total_hits;
    await c.api.database.transaction((tx) => tx.run({ sql: `DELETE FROM search_doc WHERE kind = 'job'`, values: [] }));
    expect((await jobs()).total_hits).toBe(0);
    const { json } = await c.api.post('/system/reindex', undefined);
    expect(json.status).toBe('Accepted');
    await expect.poll(async () => (await jobs()).total_hits).toBe(before);
  });
});
