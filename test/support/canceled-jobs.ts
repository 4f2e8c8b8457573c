// Jobs canceled over HTTP while a real worker is in the middle of them, in tests: what they are asked for with, what holds them meanwhile, and what is
// left of them.
import { expect } from 'vitest';
import { z } from 'zod';
import { directComponents } from '#domain/calculators/calculated.ts';
import { column } from '#store/connection/columns.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from './api.ts';
import { idOf, ok } from './api.ts';
import type { JobRequest } from './api-jobs.ts';
import { postJob } from './api-jobs.ts';
import type { Hold } from './held-table.ts';
import { holding } from './held-table.ts';
import { largeTree } from './large-tree.ts';
import { resourceBody } from './records.ts';

/** How a client asks for a job, as often as the test wants. */
type Asking = () => Promise<Reply>;

/** A service in which jobs are asked for, and what they are done to, in one repository. */
export type JobPlace = {
  readonly api: TestApi;
  /** The address of the repository. */
  readonly R: string;
  /** A code that nothing has yet. */
  next(): string;
  /** A resource with two components, the second of which has one below it; all in a box. */
  tree(): Promise<{ readonly resource: string; readonly nodes: readonly string[] }>;
  /** A resource whose parts are a job's: the same one each time, until somebody takes it to do away with it. */
  large(use?: 'read' | 'take'): Promise<string>;
  /** A request of its own, that does not wait for its job. */
  later(path: string, ask?: { readonly method?: string; readonly json?: object; readonly body?: string }): Asking;
  /** A job of clients. */
  job(type: string, given?: object, request?: JobRequest): Asking;
};

/** A job, the table that it waits for in the middle of its work, and what is to be there before it is asked for. */
export type CanceledJob = {
  readonly name: string;
  readonly hold: Hold;
  readonly prepare: (place: JobPlace) => Promise<Asking>;
};

// Whoever writes waits before the change log, with rows written already; whoever only reads, before the boxes of the tree, or its components.
export const changes: Hold = { table: 'change', against: 'writers' };
export const boxes: Hold = { table: 'record_top_container', against: 'all' };
export const components: Hold = { table: 'record_archival_object', against: 'all' };

/** When a job ended, as its record has it. */
export const finished = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/;

/** Asks for jobs in a service, in the repository given. */
export function jobPlace(api: TestApi, repoId: number): JobPlace {
  const R = `/repositories/${repoId}`;
  let made = 0;
  let large: Promise<string> | null = null;
  const next = (): string => `C${(made += 1)}`;
  const component = (resource: string, title: string, more: object) =>
    api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: resource }, ...more });
  const boxed = (box: string) => ({
    instances: [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }],
  });
  return {
    api,
    R,
    next,
    tree: async () => {
      const name = next();
      const box = await api.create(`${R}/top_containers`, { indicator: name, type: 'box' });
      const resource = await api.create(`${R}/resources`, resourceBody(name, { ead_id: name, publish: false }));
      const [two, one] = [await component(resource, 'Two', boxed(box)), await component(resource, 'One', boxed(box))];
      return { resource, nodes: [one, two, await component(resource, 'Three', { parent: { ref: two } })] };
    },
    large: (use = 'read') => {
      const found = large ?? largeTree(api, repoId, { code: next(), count: directComponents + 1 });
      large = use === 'read' ? found : null;
      return found;
    },
    later:
      (path, { method = 'POST', ...ask } = {}) =>
      () =>
        api.ask(path, { method, headers: { prefer: 'respond-async' }, ...ask }),
    job:
      (type, given = {}, request = {}) =>
      () =>
        postJob(api, repoId, { jsonmodel_type: type, ...given }, request),
  };
}

// What the job itself is, what follows the change log behind it, and uploads that a job names.
const ofTheService =
  /^(job|job_log|job_file|job_progress|blob|blob_chunk|stored_object|feed.*|follower|sequencer|session|reindex_due|reindex_fan|search_.*|oai_.*)$/;

/** A digest of every table of the archive, in whatever order its rows are, and the number of files that no job names. */
async function state({ reader }: Database): Promise<object> {
  const tables = await reader.any(sql.type(z.strictObject({ name: column.text }))`
    SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY 1`);
  // In one statement: a hundred of them, three times for each job, took longer than the jobs.
  const digests = await reader.any(
    sql.type(z.strictObject({ name: column.text, digest: column.text }))`${sql.join(
      tables
        .filter(({ name }) => !ofTheService.test(name))
        .map(
          ({ name }) =>
            sql.fragment`SELECT ${name} AS name, count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS digest FROM ${sql.identifier([name])} AS t`,
        ),
      sql.fragment` UNION ALL `,
    )}`,
  );
  const { files } = await reader.one(sql.type(z.strictObject({ files: column.int }))`
    SELECT count(*)::int AS files FROM blob WHERE id NOT IN (SELECT blob_id FROM job_file)`);
  return { ...Object.fromEntries(digests.map(({ name, digest }) => [name, digest])), files };
}

/** Cancels the job where it is held: it ends at once, nothing of it stays, a second cancel changes nothing, and asked for again it is done. */
export async function isCanceled(place: JobPlace, { hold, prepare }: CanceledJob): Promise<void> {
  const { api } = place;
  const ask = await prepare(place);
  const before = await state(api.database);
  const uri = await holding(api.database, hold, async (isMet) => {
    const asked = await ask();
    expect([200, 202], asked.text).toContain(asked.status);
    const { uri, id } = asked.json;
    await isMet();
    // The first to wait may be the indexer, which the table is held against as well.
    await expect.poll(async () => (await api.get(uri)).json.status).toBe('running');
    expect(ok(await api.post(`${uri}/cancel`))).toEqual({
      status: 'Updated',
      id,
      lock_version: expect.any(Number),
      stale: null,
    });
    // Still held: nothing but the cancel can have ended it.
    await expect.poll(async () => (await api.get(uri)).json.time_finished).toMatch(finished);
    return uri;
  });
  expect(await state(api.database)).toEqual(before);
  const ended = ok(await api.get(uri));
  expect(ended).toMatchObject({ status: 'canceled', inactive_record: false });
  expect([ended.has_modified_records, ended.queue_position, ended.progress, ended.result]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect((await api.get(`${uri}/log`)).text).toMatch(/(^|\n)The job was canceled\n$/);
  // A second cancel changes nothing.
  expect(ok(await api.post(`${uri}/cancel`))).toEqual({
    status: 'Updated',
    id: idOf(uri),
    lock_version: ended.lock_version,
    stale: null,
  });
  expect(ok(await api.get(uri))).toEqual(ended);
  const again = (await ask()).json.uri;
  await expect.poll(async () => (await api.get(again)).json.status).toMatch(/^(completed|failed)$/);
  expect(ok(await api.get(again)), (await api.get(`${again}/log`)).text).toMatchObject({ status: 'completed' });
  if (hold === changes) expect(await state(api.database)).not.toEqual(before);
}
