// The service with Typesense, over HTTP: searching, refusals that say what cannot be answered, and the index made anew beside the live one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { startTestApi } from '#test/support/api.ts';
import type { TestApi } from '#test/support/api.ts';
import { untilIndexed } from '#test/support/indexer.ts';
import { startTypesenseStandIn } from '#test/support/typesense/server.ts';
import type { StandIn } from '#test/support/typesense/server.ts';

let api: TestApi;
let standIn: StandIn;
let repoId: number;

beforeAll(async () => {
  standIn = await startTypesenseStandIn();
  api = await startTestApi({ environment: { TYPESENSE_URL: standIn.url, TYPESENSE_API_KEY: standIn.apiKey } });
  repoId = await api.repository();
  for (const title of ['Harbor maps', 'Maps of the harbor', 'Letters']) await add(title);
  await untilIndexed(api.database);
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await standIn[Symbol.asyncDispose]();
});

let made = 0;
const add = async (title: string): Promise<string> =>
  (
    await api.post(`/repositories/${repoId}/accessions`, {
      jsonmodel_type: 'accession',
      id_0: `T${(made += 1)}`,
      title,
      accession_date: '2020-01-01',
    })
  ).json.uri;
const statusOf = async (jobId: number): Promise<string> =>
  (
    await api.database.reader.one(sql.type(z.strictObject({ status: column.text }))`
    SELECT status FROM job WHERE id = ${jobId}`)
  ).status;
const search = (query: string) => api.get(`/repositories/${repoId}/search?page=1&${query}`);

describe('GET /repositories/:repo_id/search on Typesense', () => {
  it('finds, counts and answers the page as clients know it', async () => {
    const { status, json } = await search('q=harbor+maps&facet[]=primary_type&facet_mincount=1&sort=title_sort+desc');
    expect(status).toBe(200);
    expect(json).toMatchObject({ total_hits: 2, facets: { facet_fields: { primary_type: ['accession', 2] } } });
    expect(json.results.map(({ title }: { title: string }) => title)).toEqual(['Maps of the harbor', 'Harbor maps']);
    expect(standIn.requests).toContain('POST /multi_search');
  });

  it('refuses what it cannot answer with every part named', async () => {
    const { status, json } = await search(
      `q=${encodeURIComponent('"maps harbor"~3 OR title:maps^2')}&sort=title_sort+asc`,
    );
    expect(status).toBe(400);
    expect(json).toEqual({
      error:
        'The search index of this installation (Typesense) cannot answer: "maps harbor"~3 (proximity); title:maps^2 (boost)',
      unsupported: ['"maps harbor"~3 (proximity)', 'title:maps^2 (boost)'],
    });
  });

  it('streams CSV of all rows', async () => {
    const { text } = await search('q=maps&dt=csv&fields[]=title&sort=title_sort+asc');
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => line.replace(/[\r"]/g, '')),
    ).toEqual(['title', 'Harbor maps', 'Maps of the harbor']);
  });

  it('answers 503 while the server is away, and records are served all the same', async () => {
    standIn.fail(0, 4);
    expect((await search('q=maps')).status).toBe(503);
    expect((await api.get(`/repositories/${repoId}/accessions/1`)).status).toBe(200);
  });
});

describe('POST /system/reindex on Typesense', () => {
  it('fills a new collection while searches go on, then turns to it and drops the old', async () => {
    const [old] = standIn.collectionNames;
    const { json } = await api.ask('/system/reindex', { method: 'POST' });
    const totals = new Set<number>();
    await add('Written meanwhile');
    await expect
      .poll(async () => {
        totals.add((await search('q=harbor')).json.total_hits);
        return statusOf(json.id);
      })
      .toBe('completed');
    await untilIndexed(api.database);
    expect([...totals]).toEqual([2]);
    expect(standIn.collectionNames).toHaveLength(1);
    expect(standIn.collectionNames).not.toContain(old);
    expect((await search('q=meanwhile')).json.total_hits).toBe(1);
  });

  it('of a kind is in place', async () => {
    const before = standIn.collectionNames;
    const { json } = await api.ask('/system/reindex?kind[]=accession', { method: 'POST' });
    await expect.poll(() => statusOf(json.id)).toBe('completed');
    expect(standIn.collectionNames).toEqual(before);
    expect((await search('q=harbor')).json.total_hits).toBe(2);
  });
});
