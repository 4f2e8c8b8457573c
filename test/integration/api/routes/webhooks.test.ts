// Webhooks over HTTP, with a worker that sends and a receiver that listens.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostAttempts } from '#domain/webhooks/retry.ts';
import { signatureOf } from '#domain/webhooks/signature.ts';
import { appendChange } from '#store/change-log/append.ts';
import { FeedEntry } from '#store/change-log/followers.ts';
import { sql } from '#store/connection/sql.ts';
import { enqueueDeliveries } from '#store/webhooks/deliveries.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import { lockWaits } from '#test/support/lock-waits.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { untilFollowed } from '#test/support/settled.ts';

let api: TestApi;
let receiver: Receiver;
let repoId = 0;
beforeAll(async () => {
  api = await startTestApi({ environment: { MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'true' } });
  receiver = await startReceiver();
  repoId = await api.repository();
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const secret = 'a secret of sixteen';
const make = async (path: string, more: object = {}): Promise<string> =>
  (await api.post('/webhooks', { url: `${receiver.url}/${path}`, secret, ...more })).json.uri;
const at = (path: string) => receiver.received.filter((request) => request.path === `/hook/${path}`);
const accession = async (title: string): Promise<string> =>
  (await api.post(`/repositories/${repoId}/accessions`, { id_0: title, title, accession_date: '2020-01-01' })).json.uri;

describe('a webhook', () => {
  it('that goes while changes are put down for it is left out, and the others are told', async () => {
    // What is published only after they are made is told to both, and the repository may be.
    await untilFollowed(api.database);
    const [going, staying] = [await make('going'), await make('staying')];
    const entry = await api.database.reader.one(sql.type(FeedEntry)`
      SELECT n, at, changed_at AS "changedAt", actor, kind, id, ids, repo_id AS "repoId", op, lock_version AS "lockVersion" FROM feed ORDER BY n DESC LIMIT 1`);
    await api.database.transaction((tx) =>
      tx.run(sql`UPDATE webhook SET create_time = '2001-01-01' WHERE id IN (${idOf(going)}, ${idOf(staying)})`),
    );
    const deleted = Promise.withResolvers<void>();
    const [pending, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deletion = api.database.transaction(async (tx) => {
      await tx.run(sql`DELETE FROM webhook WHERE id = ${idOf(going)}`);
      deleted.resolve();
      await ended.promise;
    });
    await deleted.promise;
    const putDown = api.database.transaction((tx) => {
      pending.resolve();
      return enqueueDeliveries(tx, [entry]);
    });
    await pending.promise;
    // It waits for the deletion.
    await expect.poll(() => lockWaits(api.database)).toBeGreaterThan(0);
    ended.resolve();
    await Promise.all([deletion, putDown]);
    await expect.poll(() => at('staying').length).toBe(1);
    expect(at('going')).toEqual([]);
    await api.del(staying);
  });

  it('is made, read, listed, changed and deleted, and shows its secret once', async () => {
    const made = await api.post('/webhooks', { url: 'https://example.org/x', kinds: ['accession'], active: false });
    expect(made.json).toMatchObject({
      status: 'Created',
      lock_version: 0,
      secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { json } = await api.get(made.json.uri);
    expect(json).toMatchObject({
      jsonmodel_type: 'webhook',
      uri: made.json.uri,
      url: 'https://example.org/x',
      kinds: ['accession'],
      repositories: [],
      operations: [],
      active: false,
      lock_version: 0,
    });
    expect(JSON.stringify(json)).not.toContain(made.json.secret);
    expect((await api.post(made.json.uri, { ...json, operations: ['delete'] })).json).toMatchObject({
      status: 'Updated',
      lock_version: 1,
    });
    expect((await api.post(made.json.uri, json)).status).toBe(409);
    expect((await api.get('/webhooks')).json.map((hook: { uri: string }) => hook.uri)).toContain(made.json.uri);
    expect((await api.del(made.json.uri)).status).toBe(200);
    expect((await api.get(made.json.uri)).json).toEqual({ error: 'Webhook not found' });
  });

  it('is for administrators, and names what exists', async () => {
    const stranger = await api.userWith(['manage_repository'], repoId);
    for (const reply of [
      await api.get('/webhooks', stranger),
      await api.post('/webhooks', { url: receiver.url }, stranger),
    ])
      expect(reply.status).toBe(403);
    expect(
      (await api.post('/webhooks', { url: 'ftp://example.org', kinds: ['box'], operations: ['read'] })).json.error,
    ).toEqual({
      url: ['Must begin with https:// or http://'],
      'kinds/0': ['Unknown: box'],
      'operations/0': ['Unknown: read'],
    });
    const repositories = [`/repositories/${repoId}`, '/repositories/999999'];
    expect((await api.post('/webhooks', { url: receiver.url, repositories })).json.error).toEqual({
      'repositories/1': ['Unknown: /repositories/999999'],
    });
    expect((await api.post('/webhooks', { url: 'https://u:p@example.org' })).json.error).toEqual({
      url: ['Must not hold a user or password'],
    });
  });
});

describe('deliveries', () => {
  it('tell of each change in order, signed', async () => {
    const startedAt = Date.now();
    await make('order', { kinds: ['accession'] });
    const uri = await accession('Order');
    await api.post(uri, { ...(await api.get(uri)).json, title: 'Changed' });
    await api.del(uri);
    await receiver.until(() => at('order').length === 3);
    expect(at('order').map(({ json }) => [json['operation'], json['lock_version'], json['uris']])).toEqual([
      ['create', 0, [uri]],
      ['update', 1, [uri]],
      ['delete', 2, [uri]],
    ]);
    const [first] = at('order');
    expect(first?.json).toMatchObject({
      type: 'change',
      kind: 'accession',
      repository: `/repositories/${repoId}`,
      actor: 'admin',
    });
    const timestamp = Number(first?.headers['webhook-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(Math.floor(startedAt / 1000));
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000);
    expect(first?.headers['webhook-signature']).toBe(signatureOf(secret, timestamp, first?.body ?? ''));
  });

  it('tell of what was changed before the webhook was made and committed after it', async () => {
    await api.database.transaction(async (tx) => {
      await appendChange(tx, { kind: 'event', id: 4711, repoId, op: 'create', actor: null, lockVersion: 0 });
      await make('late', { kinds: ['event'] });
    });
    await receiver.until(() => at('late').length === 1);
    expect(at('late')[0]?.json['uris']).toEqual([`/repositories/${repoId}/events/4711`]);
  });

  it('are of the kinds, operations and repositories that were asked for', async () => {
    const other = await api.repository();
    await make('kinds', { kinds: ['subject'] });
    await make('operations', { operations: ['delete'] });
    await make('repositories', { repositories: [`/repositories/${other}`] });
    const uri = await accession('Filter');
    await api.del(uri);
    const subject = (
      await api.post('/subjects', {
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [{ term: 'Filter', term_type: 'topical', vocabulary: '/vocabularies/1' }],
      })
    ).json.uri;
    const inOther = (await api.post(`/repositories/${other}/accessions`, { id_0: 'O', accession_date: '2020-01-01' }))
      .json.uri;
    await receiver.until(() => at('kinds').length > 0 && at('operations').length > 0 && at('repositories').length > 0);
    expect(
      [at('kinds'), at('operations'), at('repositories')].map((requests) => requests.map(({ json }) => json['uris'])),
    ).toEqual([[[subject]], [[uri]], [[inOther]]]);
  });

  it('wait where the receiver fails, are logged, and can be sent again', async () => {
    receiver.answer((request) => (request.path === '/hook/failing' ? 302 : 204));
    const hook = await make('failing', { kinds: ['accession'] });
    await accession('Failing');
    await receiver.until(() => at('failing').length === 1);
    const log = await until(
      async () => (await api.get(`${hook}/deliveries`)).json,
      (page) => page.results[0]?.attempts === 1,
    );
    expect(log).toMatchObject({
      total: 1,
      this_page: 1,
      results: [
        {
          status: 'pending',
          attempts: 1,
          http_status: 302,
          reason: 'The receiver answered 302',
          payload: { operation: 'create' },
        },
      ],
    });
    receiver.answer(204);
    expect((await api.post(`${hook}/deliveries/${log.results[0].id}/redeliver`)).json).toMatchObject({
      status: 'Accepted',
      id: log.results[0].id,
    });
    await receiver.until(() => at('failing').length === 2);
    await until(
      async () => (await api.get(`${hook}/deliveries?status=delivered`)).json,
      (page) => page.total === 1,
    );
    expect(at('elsewhere')).toEqual([]);
    expect((await api.post(`${hook}/deliveries/99999999/redeliver`)).status).toBe(404);
  });

  it('are given up after the last attempt, and what waits behind them goes', async () => {
    receiver.answer((request) => (request.path === '/hook/dying' ? 500 : 204));
    const hook = await make('dying', { kinds: ['accession'] });
    await accession('Dying');
    const first = () => api.get(`${hook}/deliveries`).then(({ json }) => json.results.at(-1));
    const { id } = await until(first, (delivery) => delivery?.attempts === 1);
    const attempted = (attempts: number) =>
      api.database.transaction((tx) =>
        tx.run(sql`UPDATE webhook_delivery SET attempts = ${attempts}, next_attempt = now() WHERE id = ${id}`),
      );
    await attempted(mostAttempts - 2);
    expect(await until(first, (delivery) => delivery.attempts === mostAttempts - 1)).toMatchObject({
      status: 'pending',
    });
    await attempted(mostAttempts - 1);
    expect(await until(first, (delivery) => delivery.attempts === mostAttempts)).toMatchObject({ status: 'dead' });
    receiver.answer(204);
    const sent = at('dying').length;
    await accession('Living');
    await receiver.until(() => at('dying').length === sent + 1);
    expect(await first()).toMatchObject({ id, status: 'dead', attempts: mostAttempts });
  });

  it('that wait go at once to another address, and to a webhook that is active again', async () => {
    receiver.answer((request) => (request.path === '/hook/right' ? 204 : 500));
    const hook = await make('wrong', { kinds: ['accession'] });
    await accession('Corrected');
    const failed = (attempts: number) =>
      until(
        async () => (await api.get(`${hook}/deliveries`)).json.results[0],
        (delivery) => delivery?.attempts === attempts && delivery.http_status === 500,
      );
    const { id } = await failed(1);
    // As after ten attempts.
    const later = () =>
      api.database.transaction((tx) =>
        tx.run(
          sql`UPDATE webhook_delivery SET attempts = 10, next_attempt = now() + interval '4 hours' WHERE id = ${id}`,
        ),
      );
    await later();
    const save = async (change: object) => api.post(hook, { ...(await api.get(hook)).json, ...change });
    await save({ operations: ['create'] });
    await save({ active: false });
    await save({ active: true });
    await receiver.until(() => at('wrong').length === 2);
    await failed(1);
    await later();
    await save({ url: `${receiver.url}/right` });
    await receiver.until(() => at('right').length === 1);
    receiver.answer(204);
  });

  it('are listed by the page, newest first', async () => {
    const hook = await make('pages', { active: false });
    for (let n = 0; n < 5; n += 1) await api.post(`${hook}/ping`);
    const page = async (number: number) => (await api.get(`${hook}/deliveries?page=${number}&page_size=2`)).json;
    const pages = [await page(1), await page(2), await page(3)];
    expect(pages).toMatchObject([1, 2, 3].map((this_page) => ({ first_page: 1, last_page: 3, this_page, total: 5 })));
    const ids = pages.flatMap(({ results }) => results.map(({ id }: { readonly id: number }) => id));
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(5);
  });

  it('are pings where one asks, active or not', async () => {
    const hook = await make('ping', { active: false });
    await accession('Not told');
    expect((await api.post(`${hook}/ping`)).json.status).toBe('Accepted');
    await receiver.until(() => at('ping').length === 1);
    expect(at('ping')[0]?.json).toMatchObject({ type: 'ping', webhook: hook, actor: 'admin' });
  });
});

/** Asks until the answer holds; the service notes an outcome right after the receiver has answered. */
async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let n = 0; ; n++) {
    const value = await ask();
    if (holds(value) || n > 12_000) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
