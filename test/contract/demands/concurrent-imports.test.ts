// Eight imports at once, into eight repositories and into one, that share subjects, agents and new values of a list: each of these is there
// once, every import ends well, and no client is told of a lock. And what may be sent twice is done once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkDatabase } from '#store/check/check-database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { ok, startTestApi } from '#test/support/api.ts';
import { endOfJob, postJob } from '#test/support/api-jobs.ts';

const imports = 8;
const headings = 30;
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    worker: 'jobs',
    environment: { MUNIMENT_WORKER_CONCURRENCY: '8', MUNIMENT_WORKER_THREADS: '2' },
  });
});
afterAll(async () => {
  expect((await checkDatabase(api.database)).filter(({ count }) => count > 0)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

/** A batch of accessions, each with a subject, an agent and an acquisition type that all imports of this name have. */
function batch(repoId: number, name: string, number: number): string {
  // Each import has them in an order of its own, so that locks taken one by one would meet crosswise.
  const turned = Array.from(
    { length: headings },
    (_, n) => (n * (number % 2 === 0 ? 1 : headings - 1) + number) % headings,
  );
  return JSON.stringify(
    turned.flatMap((n) => [
      {
        jsonmodel_type: 'subject',
        uri: `/subjects/import_${n}`,
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [{ term: `${name} term ${n}`, term_type: 'topical', vocabulary: '/vocabularies/1' }],
      },
      {
        jsonmodel_type: 'agent_person',
        uri: `/agents/people/import_${n}`,
        names: [
          { primary_name: `${name} person ${n}`, name_order: 'direct', source: 'local', sort_name_auto_generate: true },
        ],
      },
      {
        jsonmodel_type: 'accession',
        uri: `/repositories/${repoId}/accessions/import_${n}`,
        id_0: `${name}${number}-${n}`,
        accession_date: '2020-01-01',
        acquisition_type: `${name}_new_${n % 3}`,
        subjects: [{ ref: `/subjects/import_${n}` }],
        linked_agents: [{ ref: `/agents/people/import_${n}`, role: 'creator' }],
      },
    ]),
  );
}
const send = (repoId: number, body: string, headers = {}): Promise<Reply> =>
  api.ask(`/repositories/${repoId}/batch_imports`, { body, headers });

async function expectShared(name: string, replies: readonly Reply[]): Promise<void> {
  expect(replies.filter((reply) => reply.json.at(-1).errors !== undefined).map((reply) => reply.json.at(-1))).toEqual(
    [],
  );
  const found = await api.database.reader.one(sql.type(AnyRow)`
    SELECT (SELECT count(*)::int FROM record WHERE kind = 'subject' AND label LIKE ${`${name} term %`}) AS subjects,
      (SELECT count(*)::int FROM record WHERE kind = 'agent_person' AND label LIKE ${`${name} person %`}) AS agents,
      (SELECT count(*)::int FROM record WHERE kind = 'accession' AND body->>'id_0' LIKE ${`${name}%`}) AS accessions`);
  expect(found).toEqual({ subjects: headings, agents: headings, accessions: headings * imports });
  const { values } = ok(await api.get('/config/enumerations/names/accession_acquisition_type'));
  expect(values.filter((value: string) => value.startsWith(`${name}_new_`)).toSorted()).toEqual(
    [0, 1, 2].map((n) => `${name}_new_${n}`),
  );
  // All imports of a heading link to the one that there is.
  expect(
    await api.database.reader.any(sql.type(AnyRow)`
      SELECT l.target_id FROM link l JOIN record r ON r.kind = l.target_kind AND r.id = l.target_id WHERE r.kind = 'subject' AND r.label LIKE ${`${name} term %`} GROUP BY 1 HAVING count(*) <> ${imports}`),
  ).toEqual([]);
}

test('eight repositories', async () => {
  const repositories = [];
  for (let n = 0; n < imports; n++) repositories.push(await api.repository());
  await expectShared(
    'apart',
    await Promise.all(repositories.map((repoId, n) => send(repoId, batch(repoId, 'apart', n)))),
  );
});

test('one repository', async () => {
  const repoId = await api.repository();
  await expectShared(
    'within',
    await Promise.all(Array.from({ length: imports }, (_, n) => send(repoId, batch(repoId, 'within', n)))),
  );
});

test('one batch sent eight times at once under one key is imported once, and all are told its outcome', async () => {
  const repoId = await api.repository();
  const body = batch(repoId, 'keyed', 0);
  const replies = await Promise.all(
    Array.from({ length: imports }, () => send(repoId, body, { 'idempotency-key': 'one' })),
  );
  const [first] = replies;
  expect(Object.keys(first?.json.at(-1).saved)).toHaveLength(3 * headings);
  expect(replies.map((reply) => reply.json.at(-1))).toEqual(replies.map(() => first?.json.at(-1)));
  expect((await api.get(`/repositories/${repoId}/accessions?all_ids=true`)).json).toHaveLength(headings);
});

test('one job asked for eight times at once under one key is one job', async () => {
  const repoId = await api.repository();
  const ask = () =>
    api.ask(`/repositories/${repoId}/jobs`, {
      json: { jsonmodel_type: 'job', job: { jsonmodel_type: 'trim_whitespace_job' } },
      headers: { 'idempotency-key': 'trim' },
    });
  const replies = [...(await Promise.all(Array.from({ length: imports }, ask))), await ask()];
  const made = replies.filter(({ status }) => status === 200);
  expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  expect(new Set(made.map(({ json }) => json.uri)).size).toBe(1);
  expect((await api.get(`/repositories/${repoId}/jobs?all_ids=true`)).json).toHaveLength(1);
  expect((await endOfJob(api, made[0]?.json.uri)).status).toBe('completed');
});

test('a file that no import can read ends its job with the reason, and the next import of the repository runs', async () => {
  const repoId = await api.repository();
  const job = { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['poison.xml'] };
  const poison = await postJob(api, repoId, job, { file: { name: 'poison.xml', content: '<ead><eadheader>' } });
  const next = send(repoId, batch(repoId, 'next', 0));
  const ended = await endOfJob(api, poison.json.uri);
  expect(ended).toMatchObject({ status: 'failed', records: [], log: expect.stringContaining('IMPORT ERROR') });
  expect(ended.log).toMatch(/line : \d/);
  expect((await next).json.at(-1).errors).toBeUndefined();
  const { attempts, failure } = await api.database.reader.one(sql.type(
    z.strictObject({ attempts: column.int, failure: column.text }),
  )`
    SELECT attempts, outcome->'failure'->>'code' AS failure FROM job WHERE id = ${Number(poison.json.id)}`);
  expect([attempts, failure]).toEqual([1, 'import_failed']);
});
