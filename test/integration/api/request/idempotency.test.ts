// Idempotency-Key: the same request again gets the first answer and does nothing.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { directlyDeleted } from '#domain/jobs/delete-record.ts';
import { releaseKey } from '#store/access/idempotency.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { holding } from '#test/support/held-table.ts';
import { largeTree } from '#test/support/large-tree.ts';

const KeyOfJob = z.strictObject({ userId: column.int, keyHash: column.text, bodyHash: column.maybeText });

let api: TestApi;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
});
afterAll(async () => api[Symbol.asyncDispose]());

const post = (path: string, key: string, json: unknown, session?: string): Promise<Reply> =>
  api.ask(path, {
    method: 'POST',
    json,
    headers: { 'idempotency-key': key },
    ...(session === undefined ? {} : { session }),
  });
const accession = (id: string): object => ({ id_0: id, accession_date: '2020-01-01', title: id });
const accessions = (): string => `/repositories/${repoId}/accessions`;

describe('a create with a key', () => {
  it('is done once and answered alike', async () => {
    const first = await post(accessions(), 'a', accession('A'));
    const second = await post(accessions(), 'a', accession('A'));
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect((await api.get(`${accessions()}?all_ids=true`)).json).toEqual([first.json.id]);
  });

  it('is refused with another body, and done under another key, path or user', async () => {
    expect((await post(accessions(), 'b', accession('B'))).status).toBe(200);
    const other = await post(accessions(), 'b', accession('C'));
    expect([other.status, other.json]).toEqual([
      422,
      { error: { 'Idempotency-Key': ['Was sent before with another body'] } },
    ]);
    expect(
      (
        await post('/subjects', 'b', {
          source: 'local',
          vocabulary: '/vocabularies/1',
          terms: [{ term: 'T', term_type: 'topical', vocabulary: '/vocabularies/1' }],
        })
      ).status,
    ).toBe(200);
    const stranger = await api.userWith(['update_accession_record', 'view_repository'], repoId);
    expect((await post(accessions(), 'b', accession('D'), stranger)).json).toMatchObject({ status: 'Created' });
  });

  it('is refused where the key is empty or longer than any, and a client without a session has none', async () => {
    for (const key of ['', 'k'.repeat(201)]) {
      const reply = await post(accessions(), key, accession('K'));
      expect([reply.status, reply.json]).toEqual([
        400,
        { error: { 'Idempotency-Key': ['Must have 1 to 200 characters'] } },
      ]);
    }
    expect((await post(accessions(), 'k'.repeat(200), accession('K'))).status).toBe(200);
    const anonymous = await api.ask(accessions(), {
      json: accession('L'),
      headers: { 'idempotency-key': '' },
      session: null,
    });
    expect(anonymous.status).toBe(403);
  });

  it('may be mended and sent again after it failed', async () => {
    expect((await post(accessions(), 'e', { ...accession('E'), accession_date: 'never' })).status).toBe(400);
    expect((await post(accessions(), 'e', { ...accession('A') })).json.error).toHaveProperty('id_0');
    expect((await post(accessions(), 'e', accession('E'))).status).toBe(200);
  });

  it('is done once where two come together', async () => {
    const replies = await Promise.all([1, 2, 3].map(() => post(accessions(), 'f', accession('F'))));
    expect(replies.map((reply) => reply.status).filter((status) => status !== 409)).toContain(200);
    expect(
      replies.filter((reply) => reply.status === 200 && reply.headers.get('idempotency-replayed') === null),
    ).toHaveLength(1);
  });

  it('is forgotten after a day', async () => {
    const first = await post('/subjects', 'day', subject('Day'));
    await api.database.transaction((tx) => tx.client.query("UPDATE idempotency_key SET at = at - interval '25 hours'"));
    const again = await post('/subjects', 'day', subject('Other day'));
    expect([first.status, again.status]).toEqual([200, 200]);
  });
});

describe('what is kept of a request with a key', () => {
  it('does not tell its password to who guesses it: the key, which nobody has, is part of the digest', async () => {
    const body = JSON.stringify({ username: 'guessed', name: 'Guessed' });
    const made = await api.ask('/users?password=guess-me-now', { body, headers: { 'idempotency-key': 'of-a-user' } });
    expect(made.status).toBe(200);
    const [{ digest = null } = {}] = await api.database.reader.any(sql.type(z.strictObject({ digest: column.text }))`
      SELECT body_hash AS digest FROM idempotency_key WHERE reply LIKE '%/users/%'`);
    const guess = ['password=guess-me-now', body, '[]']
      .reduce((hash, part) => hash.update(`${Buffer.byteLength(part)}:`).update(part), createHash('sha256'))
      .digest('hex');
    expect(digest).toMatch(/[0-9a-f]{64}$/);
    expect(digest).not.toContain(guess);
  });
});

describe('a create with a key whose client goes away while it is done', () => {
  /** Sends it while accessions cannot be written, goes away, and sends it again once it can have ended. */
  const twice = async (key: string, json: object): Promise<Reply> => {
    const leaving = new AbortController();
    await holding(api.database, { table: 'record_accession', against: 'writers' }, async (isMet) => {
      const gone = fetch(`${api.url}${accessions()}`, {
        method: 'POST',
        headers: { 'x-service-session': api.session, 'idempotency-key': key },
        body: JSON.stringify(json),
        signal: leaving.signal,
      }).catch(() => 'gone');
      await isMet();
      leaving.abort();
      expect(await gone).toBe('gone');
    });
    let again = await post(accessions(), key, json);
    await expect.poll(async () => (again = await post(accessions(), key, json)).status).not.toBe(409);
    return again;
  };

  it('is answered when it is sent again', async () => {
    const again = await twice('left', accession('LEFT'));
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect((await api.get(String(again.json.uri))).json.title).toBe('LEFT');
  });

  it('is told what is wrong when it is sent again, and may be mended', async () => {
    expect((await post(accessions(), 'taken', accession('TAKEN'))).status).toBe(200);
    const again = await twice('refused', accession('TAKEN'));
    expect([again.status, again.json.error]).toEqual([400, { id_0: ['That ID is already in use'] }]);
    expect((await post(accessions(), 'refused', accession('FREE'))).status).toBe(200);
  });
});

const subject = (term: string): object => ({
  source: 'local',
  vocabulary: '/vocabularies/1',
  terms: [{ term, term_type: 'topical', vocabulary: '/vocabularies/1' }],
});

describe('a move with a key', () => {
  it('is one job, and a client that gave up waiting gets the outcome when it asks again', async () => {
    const extents = [{ portion: 'whole', number: '1', extent_type: 'reels' }];
    const resource = await api.post(`/repositories/${repoId}/resources`, {
      title: 'R',
      id_0: 'R',
      level: 'collection',
      finding_aid_language: 'eng',
      finding_aid_script: 'Latn',
      extents,
      dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
      lang_materials: [{ language_and_script: { language: 'eng', script: 'Latn' } }],
    });
    const nodes = await Promise.all(
      ['One', 'Two'].map((title) =>
        api.post(`/repositories/${repoId}/archival_objects`, {
          title,
          level: 'file',
          resource: { ref: resource.json.uri },
        }),
      ),
    );
    const [one, two] = nodes.map((reply) => reply.json.id);
    const path = `/repositories/${repoId}/archival_objects/${one}/parent?parent=${two}&position=0`;
    const jobs = async (): Promise<number> =>
      Number(
        (await api.database.transaction((tx) => tx.client.query("SELECT count(*) FROM job WHERE type = 'move-nodes'")))
          .rows[0].count,
      );
    const before = await jobs();
    const first = await post(path, 'move', undefined);
    // As it is where the client went away: the job was made, and no answer was kept.
    await api.database.transaction((tx) =>
      tx.client.query('UPDATE idempotency_key SET status = NULL, reply = NULL WHERE job_id IS NOT NULL'),
    );
    const second = await post(path, 'move', undefined);
    expect([first.status, second.status, second.json]).toEqual([200, 200, first.json]);
    // Nor where the request gave up with the job at work: its key is not given back.
    const keys = await api.database.reader.any(sql.type(KeyOfJob)`
      SELECT user_id AS "userId", key_hash AS "keyHash", body_hash AS "bodyHash" FROM idempotency_key WHERE job_id IS NOT NULL`);
    await api.database.transaction((tx) =>
      tx.client.query('UPDATE idempotency_key SET status = NULL, reply = NULL WHERE job_id IS NOT NULL'),
    );
    for (const key of keys) await releaseKey(api.database, key);
    expect((await post(path, 'move', undefined)).status).toBe(200);
    expect([keys.length, await jobs()]).toEqual([1, before + 1]);
    // One that failed, of whatever it was, has done nothing: the request sent again is to do it.
    await api.database.transaction(async (tx) => {
      await tx.client.query("UPDATE job SET status = 'failed' WHERE id IN (SELECT job_id FROM idempotency_key)");
      await tx.client.query('UPDATE idempotency_key SET status = NULL, reply = NULL WHERE job_id IS NOT NULL');
    });
    expect((await post(path, 'move', undefined)).status).toBe(200);
    expect(await jobs()).toBe(before + 2);
  });
});

describe('an answer that says where to go', () => {
  it('says so again: the job of a request that waits for none, and what undoes a merge', async () => {
    const names = ['Stays', 'Goes', 'Goes too'];
    const [stays, ...gone] = await Promise.all(names.map((name) => api.create('/subjects', subject(name))));
    const merge = async (uri: string | undefined, prefer: string): Promise<readonly Reply[]> => {
      const json = { merge_destination: { ref: stays }, merge_candidates: [{ ref: uri }] };
      const headers = { 'idempotency-key': `merge ${uri}`, prefer };
      const send = (): Promise<Reply> => api.ask('/merge_requests/subject', { json, headers });
      return [await send(), await send()];
    };
    const [done, again] = await merge(gone[0], 'handling=lenient');
    expect(done?.headers.get('link')).toMatch(/^<\/merge_requests\/\d+>/);
    expect(again?.headers.get('link')).toBe(done?.headers.get('link'));
    const [made, madeAgain] = await merge(gone[1], 'respond-async');
    expect([made?.status, made?.headers.get('location')]).toEqual([202, made?.json.uri]);
    expect([madeAgain?.status, madeAgain?.headers.get('location')]).toEqual([202, made?.json.uri]);
    expect(madeAgain?.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('a request with a key whose job takes away what it names', () => {
  const cases: readonly (readonly [what: string, make: () => Promise<readonly [path: string, body?: object]>])[] = [
    [
      'a merge',
      async () => {
        const [target, victim] = [
          await api.create('/subjects', subject('Harbors')),
          await api.create('/subjects', subject('Harbours')),
        ];
        return ['/merge_requests/subject', { target: { ref: target }, victims: [{ ref: victim }] }];
      },
    ],
    [
      'a transfer',
      async () => {
        const record = await api.create(accessions(), accession('T'));
        return [`${record}/transfer?target_repo=${encodeURIComponent(`/repositories/${await api.repository()}`)}`];
      },
    ],
    [
      'a deletion of much',
      async () => {
        const resource = await largeTree(api, repoId, { code: 'KEYED', count: directlyDeleted + 1 });
        return [`/batch_delete?record_uris[]=${resource}`];
      },
    ],
    ['a deletion of a repository', async () => [`/batch_delete?record_uris[]=/repositories/${await api.repository()}`]],
  ];

  it.each(cases)('%s is answered to a client that was gone before the end', async (what, make) => {
    const [path, body] = await make();
    const leaving = new AbortController();
    await holding(api.database, { table: 'record', against: 'writers' }, async (isMet) => {
      const first = fetch(`${api.url}${path}`, {
        method: 'POST',
        headers: { 'x-service-session': api.session, 'content-type': 'application/json', 'idempotency-key': what },
        body: body === undefined ? null : JSON.stringify(body),
        signal: leaving.signal,
      });
      await isMet();
      leaving.abort();
      await expect(first).rejects.toThrow('aborted');
      // The service has seen that, as it answers what came after it.
      await api.get('/');
    });
    const kept = async () =>
      (
        await api.database.transaction((tx) =>
          tx.client.query(
            'SELECT k.status, j.status AS job FROM idempotency_key k JOIN job j ON j.id = k.job_id ORDER BY j.id DESC LIMIT 1',
          ),
        )
      ).rows[0];
    await expect.poll(kept).toEqual({ status: null, job: 'completed' });
    const [again, later] = [await post(path, what, body), await post(path, what, body)];
    expect([again.status, again.headers.get('idempotency-replayed'), later.text]).toEqual([200, 'true', again.text]);
    if (what === 'a merge') expect(again.headers.get('link')).toMatch(/^<\/merge_requests\/\d+>/);
    // Under another key it is another request, for which nothing is there any more.
    expect((await post(path, `${what} anew`, body)).status).toBeGreaterThanOrEqual(400);
  });

  it('answers a deletion at once alike', async () => {
    const path = `/batch_delete?record_uris[]=${await api.create(accessions(), accession('ONE'))}`;
    const [first, second] = [await post(path, 'one', undefined), await post(path, 'one', undefined)];
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text]);
  });

  it('is run again where its job failed', async () => {
    const location = await api.create('/locations', { building: 'A', room: '1', barcode: 'keyed' });
    await api.create(`/repositories/${repoId}/top_containers`, {
      indicator: '1',
      container_locations: [{ status: 'current', start_date: '2020-01-01', ref: location }],
    });
    const resource = await largeTree(api, repoId, { code: 'JOINED', count: directlyDeleted + 1 });
    const path = `/batch_delete?record_uris[]=${resource}&record_uris[]=${location}`;
    expect((await post(path, 'joined', undefined)).status).toBe(403);
    expect((await post(path, 'joined', undefined)).json.error.failures).toEqual([
      { response: ['{"error":"Location cannot be deleted if linked"}\n'], uri: location },
    ]);
    expect((await api.get(resource)).status).toBe(200);
  });
});

describe('a batch import with a key', () => {
  const batch = (title: string): string =>
    JSON.stringify([
      {
        jsonmodel_type: 'accession',
        uri: `/repositories/${repoId}/accessions/import_1`,
        id_0: title,
        accession_date: '2020-01-01',
        title,
      },
    ]);
  const send = (body: string, key = 'batch'): Promise<Reply> =>
    api.ask(`/repositories/${repoId}/batch_imports`, { body, headers: { 'idempotency-key': key } });

  it('runs once, and tells the outcome to whoever sends it again', async () => {
    const first = await send(batch('Batch'));
    const second = await send(batch('Batch'));
    expect(first.json.at(-1)).toHaveProperty(['saved', `/repositories/${repoId}/accessions/import_1`]);
    expect(second.json.at(-1)).toEqual(first.json.at(-1));
    const other = await send(batch('Other'));
    expect([other.status, other.json]).toEqual([
      422,
      { error: { 'Idempotency-Key': ['Was sent before with another body'] } },
    ]);
  });

  it('may be mended and sent again after it failed', async () => {
    const bad = await send(batch('Mended').replace('2020-01-01', 'never'), 'mended');
    expect(bad.json.at(-1)).toHaveProperty('errors');
    expect((await send(batch('Mended'), 'mended')).json.at(-1)).toHaveProperty('saved');
  });
});
