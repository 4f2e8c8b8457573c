// Keys of requests that may be sent twice: who claims one, what it is answered, which job it has, and when it is free again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  claimKey,
  jobOfKey,
  keepAnswer,
  oneJobOf,
  promisedOf,
  pruneKeys,
  releaseKey,
} from '#store/access/idempotency.ts';
import { Database } from '#store/connection/database.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { createDatabase } from '#test/support/database.ts';
import { step } from '#test/support/worker-jobs.ts';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createDatabase();
  database = new Database({ url: own.url, poolSize: 2 });
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await own.drop();
});

let made = 0;
const keyed = (bodyHash: string | null = 'a:1') => ({ userId: 1, keyHash: `key ${(made += 1)}`, bodyHash });
const age = (keyHash: string): Promise<number> =>
  database.transaction((tx) =>
    tx.run(sql`UPDATE idempotency_key SET at = now() - interval '25 hours' WHERE key_hash = ${keyHash}`),
  );
type Make = (tx: Transaction) => Promise<number>;
const makeJob: Make = async (tx) =>
  (await enqueueJob(tx, step, { box: 'a', note: 'x', ms: 0, failTimes: 0, code: '' })).jobId;
const endJob = (id: number, status: 'failed' | 'canceled' | 'completed'): Promise<number> =>
  database.transaction((tx) => tx.run(sql`UPDATE job SET status = ${status} WHERE id = ${id}`));
const jobOf = (key: ReturnType<typeof keyed>, make: Make = makeJob) =>
  database.transaction((tx) => jobOfKey(tx, key, () => make(tx)));
/** Where none is to be made. */
const fresh = (): never => expect.fail('a second job');

describe('a key', () => {
  it('is of who claims it first, until its answer is kept, which others get', async () => {
    const key = keyed();
    expect(await claimKey(database, key)).toEqual({ kind: 'ours' });
    expect(await claimKey(database, key)).toEqual({ kind: 'under_way' });
    await keepAnswer(database, key, { status: 201, reply: '{"id":1}', headers: { etag: '"1"' } });
    expect(await claimKey(database, key)).toEqual({
      kind: 'answered',
      status: 201,
      reply: '{"id":1}',
      headers: { etag: '"1"' },
    });
    expect(await claimKey(database, { ...key, userId: 2 }), 'of another user').toEqual({ kind: 'ours' });
  });

  it('is of one body, as far as digests of one form tell', async () => {
    const key = keyed();
    await claimKey(database, key);
    const kinds = ['a:1', 'a:2', 'b:2', null].map(
      async (bodyHash) => (await claimKey(database, { ...key, bodyHash })).kind,
    );
    expect(await Promise.all(kinds)).toEqual(['under_way', 'other_body', 'under_way', 'under_way']);
    const bare = keyed(null);
    await claimKey(database, bare);
    expect(await claimKey(database, { ...bare, bodyHash: 'a:1' })).toEqual({ kind: 'under_way' });
  });

  it('is free again once it is given back, and after a day; an answer that is kept is not given back', async () => {
    const [released, old, answered] = [keyed(), keyed(), keyed()];
    for (const key of [released, old, answered]) await claimKey(database, key);
    await keepAnswer(database, answered, { status: 200, reply: '{}', headers: {} });
    for (const key of [released, answered]) await releaseKey(database, key);
    await age(old.keyHash);
    const kinds = [released, { ...old, bodyHash: 'a:9' }, answered].map(
      async (key) => (await claimKey(database, key)).kind,
    );
    expect(await Promise.all(kinds)).toEqual(['ours', 'ours', 'answered']);
  });

  it('is forgotten after a day', async () => {
    await pruneKeys(database);
    const [young, old] = [keyed(), keyed()];
    for (const key of [young, old]) await claimKey(database, key);
    await age(old.keyHash);
    expect([await pruneKeys(database), await pruneKeys(database)]).toEqual([1, 0]);
    expect((await claimKey(database, young)).kind).toBe('under_way');
  });
});

describe('the job of a key', () => {
  it('is made once, and is that of whoever asks again with the same body', async () => {
    const key = keyed();
    const first = await jobOf(key);
    expect(first).toEqual({ jobId: expect.any(Number), isNew: true });
    const again = await jobOf(key, fresh);
    expect(again).toEqual({ ...(typeof first === 'object' ? first : {}), isNew: false });
    expect(await jobOf({ ...key, bodyHash: 'a:2' }, fresh)).toBe('other_body');
    expect(await claimKey(database, key), 'whoever asks again waits for it').toEqual({ kind: 'ours' });
  });

  it.each(['failed', 'canceled'] as const)('is made anew where it is %s, for another body too', async (status) => {
    const key = keyed();
    const first = await jobOf(key);
    await endJob(typeof first === 'object' ? first.jobId : 0, status);
    expect(await jobOf({ ...key, bodyHash: 'a:2' })).toMatchObject({ isNew: true });
    expect(await jobOf({ ...key, bodyHash: 'a:2' }, fresh)).toMatchObject({ isNew: false });
  });

  it('is made anew after a day, and not where it was completed', async () => {
    const [done, old] = [keyed(), keyed()];
    const first = await jobOf(done);
    await endJob(typeof first === 'object' ? first.jobId : 0, 'completed');
    expect(await jobOf(done, fresh)).toMatchObject({ isNew: false });
    await jobOf(old);
    await age(old.keyHash);
    expect(await jobOf(old)).toMatchObject({ isNew: true });
  });

  it('of a claimed key is one, with what was promised, until it did nothing', async () => {
    const key = keyed();
    await claimKey(database, key);
    const ask = (make: Make, promise?: string): Promise<number> =>
      database.transaction((tx) => oneJobOf(tx, key, () => make(tx), promise));
    expect(await promisedOf(database.reader, key)).toBeNull();
    const jobId = await ask(makeJob, '{"status":"later"}');
    expect(await ask(fresh)).toBe(jobId);
    expect(await promisedOf(database.reader, key)).toEqual({ jobId, reply: '{"status":"later"}' });
    await releaseKey(database, key);
    expect(await claimKey(database, key), 'a key with a job stays').toEqual({ kind: 'ours' });
    await endJob(jobId, 'failed');
    expect(await promisedOf(database.reader, key)).toBeNull();
    expect(await ask(makeJob)).not.toBe(jobId);
    expect(await promisedOf(database.reader, key), 'nothing was promised').toBeNull();
  });
});
