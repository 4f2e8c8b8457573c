// Batch imports over HTTP: the stream of the recorded exchanges, and what is refused before it begins.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/json.ts';
import { NumberRow, column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { PlanRow } from '#test/support/rows.ts';
import type { TestApi } from '../../../support/api.ts';
import { startTestApi } from '../../../support/api.ts';
import { endOfJob } from '../../../support/api-jobs.ts';
import { resourceBody } from '../../../support/records.ts';

let api: TestApi;
let repoId = 0;
let path = '';
beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository();
  path = `/repositories/${repoId}/batch_imports`;
});
afterAll(async () => api[Symbol.asyncDispose]());

const labels = [
  'Reading JSON records',
  'Validating records and checking links',
  'Evaluating record relationships',
  'Looking for cyclic relationships',
  'Saving records: cycle 1',
  'Cleaning up',
];
const everyPhase = labels.flatMap((label, index) => [
  { id: index + 1, label, type: 'started' },
  { id: index + 1, label, type: 'done' },
]);
const resource = (id: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'resource',
  uri: `/repositories/${repoId}/resources/import_${id}`,
  ...resourceBody(id),
  ...more,
});
const component = (id: string, root: string, more: JsonObject = {}): JsonObject => ({
  jsonmodel_type: 'archival_object',
  uri: `/repositories/${repoId}/archival_objects/import_${id}`,
  title: `Imp ${id}`,
  level: 'file',
  resource: { ref: `/repositories/${repoId}/resources/import_${root}` },
  ...more,
});

type Streamed = {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly statuses: readonly JsonObject[];
  readonly last: JsonObject;
};

async function send(body: string | readonly JsonObject[], query = ''): Promise<Streamed> {
  const reply = await api.ask(`${path}${query}`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  const lines = JSON.parse(reply.text) as readonly JsonObject[];
  const statuses = lines.flatMap((line) =>
    Array.isArray(line['status']) ? (line['status'] as readonly JsonObject[]) : [],
  );
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: reply.text,
    statuses,
    last: lines.at(-1) ?? {},
  };
}

describe('a batch whose client goes away while it is sent', () => {
  test('leaves nothing of it', async () => {
    const incomplete = async (): Promise<number> =>
      (await api.database.reader.one(sql.type(NumberRow)`SELECT count(*) AS n FROM blob WHERE NOT complete`)).n;
    const leaving = new AbortController();
    const { promise: more, resolve: end } = Promise.withResolvers<void>();
    const half = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('['.padEnd(1_000_000));
      await more;
    };
    // Node's fetch sends a stream in this way alone; the types of the browser's do not know the setting.
    const request = {
      method: 'POST',
      headers: { 'x-service-session': api.session },
      body: ReadableStream.from(half()),
      duplex: 'half',
      signal: leaving.signal,
    } as RequestInit;
    const gone = fetch(`${api.url}${path}`, request).catch(() => 'gone');
    await expect.poll(incomplete).toBe(1);
    leaving.abort();
    end();
    expect(await gone).toBe('gone');
    await expect.poll(incomplete).toBe(0);
  });
});

describe('POST /repositories/:repo_id/batch_imports', () => {
  test('streams the phases and answers temporary uris with real ones', async () => {
    const reply = await send([component('a1-1', 'a1'), resource('a1')]);
    expect(reply.status).toBe(200);
    expect(reply.type).toContain('text/plain');
    expect(reply.text.startsWith('[\n{"status":[{"id":1,')).toBe(true);
    expect(reply.text.endsWith('}\n\n]\n')).toBe(true);
    expect(reply.statuses).toEqual(everyPhase);
    const saved = reply.last['saved'] as { readonly [uri: string]: readonly [string, number] };
    expect(Object.keys(saved).toSorted()).toEqual([
      `/repositories/${repoId}/archival_objects/import_a1-1`,
      `/repositories/${repoId}/resources/import_a1`,
    ]);
    for (const [uri, id] of Object.values(saved)) {
      expect(uri.endsWith(`/${id}`)).toBe(true);
      expect((await api.get(uri)).status).toBe(200);
    }
  });

  test('answers at once with the job where the client does not wait: its file has what was saved, its log what was wrong', async () => {
    const later = (records: readonly JsonObject[], headers = {}) =>
      api.ask(path, {
        method: 'POST',
        body: JSON.stringify(records),
        headers: { prefer: 'respond-async', ...headers },
      });
    const accepted = await later([component('async-1', 'async'), resource('async')], { 'idempotency-key': 'async' });
    expect([accepted.status, accepted.headers.get('location'), accepted.json]).toEqual([
      202,
      accepted.json.uri,
      { status: 'Accepted', id: expect.any(Number), uri: `/repositories/${repoId}/jobs/${accepted.json.id}` },
    ]);
    const ended = await endOfJob(api, accepted.json.uri);
    expect(ended.status).toBe('completed');
    const [file] = (await api.get(`${accepted.json.uri}/output_files`)).json;
    const saved = (await api.get(`${accepted.json.uri}/output_files/${file}`)).json;
    expect(Object.keys(saved).toSorted()).toEqual([
      `/repositories/${repoId}/archival_objects/import_async-1`,
      `/repositories/${repoId}/resources/import_async`,
    ]);
    // Whoever sends it again and waits is told the same.
    const again = await api.ask(path, {
      method: 'POST',
      body: JSON.stringify([component('async-1', 'async'), resource('async')]),
      headers: { 'idempotency-key': 'async' },
    });
    expect(again.json.at(-1)).toEqual({ saved });
    const wrong = await later([resource('wrong', { title: 5 })]);
    const failed = await endOfJob(api, wrong.json.uri);
    expect([failed.status, failed.log]).toEqual(['failed', expect.stringContaining('title')]);
    expect((await later([])).json.at(-1)).toEqual({ saved: {} });
  });

  test('leaves the uris out where the client wants no results', async () => {
    expect((await send([resource('a2')], '?skip_results=true')).last).toEqual({ saved: [] });
    expect((await send([resource('a3')], '?migration=ead')).last['saved']).toMatchObject({
      [`/repositories/${repoId}/resources/import_a3`]: expect.anything(),
    });
  });

  test.each(['[]', '{}', ''])('takes %j for an empty batch', async (body) => {
    const reply = await send(body);
    expect(reply.last).toEqual({ saved: {} });
    expect(reply.statuses).toEqual(everyPhase);
  });

  test('tells faults of the data at the end of the stream, as one text', async () => {
    const dangling = await send([component('b1', 'abad1dea')]);
    expect(dangling.status).toBe(200);
    expect(dangling.last).toEqual({
      saved: [],
      errors: [
        expect.stringMatching(
          /^Server error: .*Reference does not exist! \(Reference: '\/repositories\/\d+\/resources\/import_abad1dea'\).*record 1/,
        ),
      ],
    });
    const invalid = await send([resource('b2'), component('b2', 'b2', { level: undefined })]);
    expect(invalid.last).toEqual({
      saved: [],
      errors: [
        expect.stringMatching(
          /^Server error: Problem creating 'Imp b2': level Property is required but was missing \(record 2, archival_object/,
        ),
      ],
    });
    await send([resource('b3')]);
    expect((await send([resource('b3')])).last).toEqual({
      saved: [],
      errors: [expect.stringMatching(/^Server error: Problem creating 'Resource b3': id_0 That ID is already in use/)],
    });
    expect((await send('[{"jsonmodel_type": ')).last).toEqual({
      saved: [],
      errors: [expect.stringMatching(/^Server error: /)],
    });
  });

  test('tells of every bad record beside the text about the first, and stores nothing', async () => {
    const reply = await send([
      resource('c1'),
      component('c1-1', 'c1', { level: undefined }),
      component('c1-2', 'c1'),
      component('c1-3', 'c1', { level: 'heap' }),
      component('c1-4', 'nowhere'),
    ]);
    expect(reply.last).toEqual({
      saved: [],
      errors: [
        expect.stringMatching(
          /^Server error: Problem creating 'Imp c1-1': level Property is required but was missing \(record 2, /,
        ),
      ],
      report: {
        complete: true,
        faults: [
          {
            record_number: 2,
            record_type: 'archival_object',
            record_uri: component('c1-1', 'c1')['uri'],
            record_title: 'Imp c1-1',
            errors: { level: ['Property is required but was missing'] },
          },
          expect.objectContaining({ record_number: 4, errors: { level: [expect.stringContaining('heap')] } }),
          expect.objectContaining({
            record_number: 5,
            errors: { resource: [expect.stringContaining('Reference does not exist!')] },
          }),
        ],
      },
    });
    expect(Object.keys(reply.last)).toEqual(['saved', 'errors', 'report']);
    expect(reply.text.endsWith('}\n\n]\n')).toBe(true);
    // The same labels as of any import that fails in its second pass; looking for more faults is no phase of its own.
    expect(reply.statuses.map((status) => status['label']).every((label) => labels.includes(String(label)))).toBe(true);
    expect(
      (await api.get(`/repositories/${repoId}/search?q=${encodeURIComponent('"Resource c1"')}&page=1`)).json.total_hits,
    ).toBe(0);
  });

  test('is closed to those who may not import, and needs a repository', async () => {
    const viewer = await api.userWith(['view_repository'], repoId);
    expect((await api.ask(path, { method: 'POST', body: '[]', session: viewer })).status).toBe(403);
    expect((await api.ask(path, { method: 'POST', body: '[]', session: null })).status).toBe(403);
    expect((await api.ask('/repositories/99999/batch_imports', { method: 'POST', body: '[]' })).status).toBe(400);
  });
});

test('the planner knows the tree soon after: one node is not looked up by reading all', async () => {
  await send([resource('Z'), ...Array.from({ length: 1200 }, (_, n) => component(`Z${n}`, 'Z'))]);
  // The answer does not wait for it.
  await expect
    .poll(
      async () =>
        (
          await api.database.reader.one(sql.type(z.strictObject({ known: column.int }))`
            SELECT reltuples::int AS known FROM pg_class WHERE oid = 'tree_node'::regclass`)
        ).known,
    )
    .toBeGreaterThanOrEqual(1200);
  const plan = await api.database.reader.any(sql.type(PlanRow)`
    EXPLAIN SELECT (SELECT t.root_id FROM tree_node t WHERE t.repo_id = r.repo_id AND t.kind = 1 AND t.id = r.id) FROM record r WHERE r.kind = 'archival_object' AND r.id = 1`);
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('tree_node_pkey');
});
