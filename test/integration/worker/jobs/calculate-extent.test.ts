// The extent calculator above a thousand components: a job with the same reply, also for strangers where record and repository are published, who are not
// sent to an address that they could not read.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { directComponents } from '#domain/calculators/calculated.ts';
import { anonymous } from '#domain/access/caller.ts';
import { calculateExtent } from '#domain/jobs/calculate-extent.ts';
import { readCaller } from '#store/access/grants.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import { handler } from '../../../../apps/worker/jobs/calculate-extent.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import { largeTree } from '#test/support/large-tree.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';

/** A resource with `count` components, by default more than are added up at once, in two boxes of five inches, and itself in a third. */
async function boxed(api: TestApi, repoId: number, publish = true, count = directComponents + 1): Promise<string> {
  const profile = await api.create('/container_profiles', {
    name: `Box ${repoId} ${publish}`,
    dimension_units: 'inches',
    extent_dimension: 'width',
    width: '5',
    height: '10',
    depth: '12',
  });
  const boxes: string[] = [];
  for (const indicator of ['1', '2', '3'])
    boxes.push(
      await api.create(`/repositories/${repoId}/top_containers`, {
        indicator,
        type: 'box',
        container_profile: { ref: profile },
      }),
    );
  const inBox = (n: number) => ({
    instances: [{ instance_type: 'text', sub_container: { top_container: { ref: boxes[n] ?? '' } } }],
  });
  return largeTree(api, repoId, {
    code: `B${publish}`,
    count,
    root: { publish, ...inBox(2) },
    bodyOf: (n) => inBox(n % 2),
  });
}

/** A repository whose published records are shown to strangers. */
const published = async (api: TestApi, code = 'PUBLIC'): Promise<number> =>
  idOf(await api.create('/repositories', { repo_code: code, name: `Archive ${code}`, publish: true }));

const withoutTime = (text: string): string => text.replace(/"timestamp":"[^"]+"/, '');
const asked = (api: TestApi, uri: string, session: string | null = api.session, headers: Record<string, string> = {}) =>
  api.ask(`/extent_calculator?record_uri=${uri}&unit=inches`, { session, headers });
const JobRow = z.strictObject({ owner: column.maybeText, visible: column.bool, status: column.text });
const jobs = (api: TestApi) =>
  api.database.reader.any(sql.type(JobRow)`
    SELECT owner, visible, status FROM job WHERE type = 'calculate-extent' ORDER BY id`);

let api: TestApi;
let repoId = 0;
let large = '';
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await published(api);
  large = await boxed(api, repoId);
});
afterAll(() => api[Symbol.asyncDispose]());

test('the reply is that of a small record, decimals included', async () => {
  const reply = await asked(api, large);
  expect(withoutTime(reply.text).trimEnd()).toBe(
    withoutTime(
      `{"object":{"uri":"${large}","jsonmodel_type":"resource","title":"Resource Btrue"},"resource":null,"total_extent":15.0,"container_count":3,"container_without_profile_count":0,"units":"inches","volume":false,"containers":{"Box ${repoId} true [12d, 10h, 5w inches] extent measured by width":{"count":3,"extent":15.0}},"timestamp":"x"}`,
    ),
  );
  expect(reply.json.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  expect(await jobs(api)).toEqual([{ owner: 'admin', visible: false, status: 'completed' }]);
});

test('strangers get it of published records, and wait for it whatever they prefer', async () => {
  const known = await asked(api, large);
  const reply = await asked(api, large, null, { prefer: 'respond-async' });
  expect([reply.status, withoutTime(reply.text)]).toEqual([200, withoutTime(known.text)]);
  expect((await jobs(api)).at(-1)).toEqual({ owner: null, visible: false, status: 'completed' });
  const hidden = await boxed(api, repoId, false);
  expect((await asked(api, hidden, null)).status).toBe(403);
  expect((await asked(api, hidden)).json).toMatchObject({ total_extent: 15 });
});

test('whoever may view the repository need not wait', async () => {
  const session = await api.userWith(['view_repository'], repoId);
  const reply = await asked(api, large, session, { prefer: 'respond-async' });
  expect(reply.status).toBe(202);
  expect(await endOfJob(api, reply.json.uri)).toMatchObject({
    status: 'completed',
    result: { object: { uri: large }, total_extent: 15, container_count: 3 },
  });
});

test('a stranger for whom it takes too long is told so and leaves no job behind; nor does a client that goes away', async () => {
  await using slow = await startTestApi({ worker: false, environment: { MUNIMENT_JOB_WAIT_SECONDS: '1' } });
  const uri = await boxed(slow, await published(slow));
  expect((await asked(slow, uri, null)).status).toBe(503);
  expect(await jobs(slow)).toEqual([{ owner: null, visible: false, status: 'canceled' }]);
  const gone = new AbortController();
  const waiting = fetch(`${slow.url}/extent_calculator?record_uri=${uri}`, { signal: gone.signal });
  await expect.poll(async () => (await jobs(slow)).at(-1)?.status).toBe('queued');
  gone.abort();
  await expect(waiting).rejects.toThrow();
  await expect.poll(async () => (await jobs(slow)).at(-1)?.status).toBe('canceled');
  // Others are sent to the job, which stays.
  expect((await asked(slow, uri)).status).toBe(202);
  expect((await jobs(slow)).at(-1)).toEqual({ owner: 'admin', visible: true, status: 'queued' });
});

test('killed before its end it tells nothing, each further run the same; what is not published needs a right when it runs', async () => {
  const at = await published(api, 'KILLED');
  const root = await boxed(api, at, true, 2);
  const caller = await readCaller(api.database.reader, 'admin');
  const form = { unit: null, decimals: 2, isVolume: false };
  const payload = { repoId: at, kind: 'resource', id: idOf(root), actor: 'admin', form, wantsSuppressed: false };
  await expect(killedOnce(api.database, calculateExtent, handler, payload, { caller })).rejects.toThrow('killed');
  for (const who of [caller, caller, anonymous])
    expect(await runHandler(api.database, calculateExtent, handler, payload, { caller: who })).toMatchObject({
      total_extent: 15,
    });
  await api.database.transaction((tx) =>
    tx.run(sql`UPDATE record SET publish = false WHERE kind = 'resource' AND id = ${idOf(root)}`),
  );
  await expect(runHandler(api.database, calculateExtent, handler, payload, { caller: anonymous })).rejects.toThrow(
    'view_repository',
  );
});
