// Feeds over HTTP: deletions in pages, changes and notifications by long poll, and who edits what.
// Contract: behaviour-records.md, section 5.8.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
beforeAll(async () => {
  api = await startTestApi({ environment: { MUNIMENT_LONG_POLL_SECONDS: '3' } });
  records = await httpRecords(api);
});
afterAll(async () => api[Symbol.asyncDispose]());

const get = async (path: string): Promise<any> => (await api.get(path)).json;
const published = async (): Promise<number> => {
  // Everything that was committed before is in the feed.
  await expect
    .poll(
      async () =>
        (
          await api.database.reader.one(sql.type(NumberRow)`
            SELECT count(*)::int AS n FROM change WHERE NOT EXISTS (SELECT FROM feed WHERE feed.seq = change.seq)`)
        ).n,
    )
    .toBe(0);
  return (await api.database.reader.one(sql.type(NumberRow)`SELECT n FROM sequencer`)).n;
};

describe('GET /delete-feed', () => {
  it('and lists tell what a transaction did that began before the time and ended after it', async () => {
    const [kept, deleted, early] = [
      await records.make('accession'),
      await records.make('accession'),
      await records.make('accession'),
    ];
    await api.del(deleted);
    await published();
    const ago = (minutes: number): number => Math.floor(Date.now() / 1000) - minutes * 60;
    // As after an import and a deletion that took ten minutes; and a record of two days ago, whose change was read from another service now.
    await api.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE record SET system_mtime = now() - interval '10 minutes' WHERE kind = 'accession'`);
      await tx.run(
        sql`UPDATE record SET system_mtime = now() - interval '2 days' WHERE kind = 'accession' AND id = ${idOf(early)}`,
      );
      await tx.run(sql`UPDATE tombstone SET at = now() - interval '10 minutes' WHERE uri = ${deleted}`);
    });
    const list = kept.slice(0, kept.lastIndexOf('/'));
    const named = async (since: number): Promise<readonly string[]> => [
      ...(await get(`${list}?all_ids=true&modified_since=${since}`)).map((id: number) => `${list}/${id}`),
      ...(await get(`/delete-feed?page=1&modified_since=${since}`)).results,
    ];
    expect(await named(ago(5))).toEqual([kept, deleted]);
    const { results } = await get(`${list}?page=1&modified_since=${ago(5)}`);
    expect(results.map(({ uri }: { uri: string }) => uri)).toEqual([kept]);
    // In an hour, both will have been told.
    expect(await named(ago(-60))).toEqual([]);
  });

  it('pages through the uris of what is deleted, without a total, from a time on', async () => {
    const uris = [await records.make('accession'), await records.make('subject'), await records.make('accession')];
    for (const uri of uris) await api.del(uri);
    const all = await get('/delete-feed?page=1&page_size=250');
    expect(Object.keys(all)).toEqual(['first_page', 'last_page', 'this_page', 'results']);
    expect(all.results.slice(-3)).toEqual(uris);
    const first = await get('/delete-feed?page=1&page_size=2');
    expect([first.results.length, first.last_page]).toEqual([2, Math.ceil(all.results.length / 2)]);
    expect(await get('/delete-feed?page=1&modified_since=4102444800')).toEqual({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      results: [],
    });
    expect((await api.get('/delete-feed')).json).toEqual({
      error: { page: ['Parameter required but no value provided'] },
    });
  });
});

describe('GET /update-feed', () => {
  it('tells of a change that comes while it waits, with the whole record', async () => {
    const after = await published();
    const poll = get(`/update-feed?last_sequence=${after}`);
    const startedAt = Date.now();
    const uri = await records.make('accession');
    const [change] = await poll;
    expect(Object.keys(change)).toEqual(['record', 'uri', 'sequence', 'timestamp']);
    expect(change).toMatchObject({ uri, record: (await api.get(uri)).json });
    expect(change.sequence).toBeGreaterThan(after);
    expect(change.timestamp).toBeGreaterThanOrEqual(startedAt);
    expect(change.timestamp).toBeLessThanOrEqual(Date.now());
  });

  it('tells once of a record that changed often, and of what is gone', async () => {
    const after = await published();
    const [stays, goes] = [await records.make('accession', { publish: false }), await records.make('accession')];
    await api.ask(`${stays}/suppressed?suppressed=true`, { method: 'POST' });
    await api.del(goes);
    await published();
    const changes = await get(`/update-feed?last_sequence=${after}`);
    expect(changes.filter((change: { uri: string }) => change.uri === stays)).toHaveLength(1);
    expect(changes.find((change: { uri: string }) => change.uri === stays).record.suppressed).toBe(true);
    expect(changes.at(-1)).toMatchObject({ uri: goes, record: 'deleted' });
    expect(await get(`/update-feed?last_sequence=${changes.at(-1).sequence}`)).toEqual([]);
  });

  it('resolves, leaves out users and groups, and begins a minute ago for a number it has not reached', async () => {
    const after = await published();
    const subject = await records.make('subject');
    await records.make('user');
    const accession = await records.make('accession', { subjects: [{ ref: subject }] });
    await published();
    const changes = await get(`/update-feed?last_sequence=${after}&resolve[]=subjects`);
    expect(
      changes
        .map((change: { uri: string }) => change.uri)
        .filter((uri: string) => uri.startsWith('/users') || uri.includes('/groups')),
    ).toEqual([]);
    expect(changes.find((change: { uri: string }) => change.uri === accession).record.subjects[0]._resolved.uri).toBe(
      subject,
    );
    expect((await get('/update-feed?last_sequence=99999999999')).length).toBeGreaterThan(changes.length);
    expect((await api.get('/update-feed', await api.userWith(['view_repository'], records.repoId))).status).toBe(403);
  });
});

describe('GET /notifications', () => {
  const codesAfter = async (after: number): Promise<readonly string[]> =>
    (await get(`/notifications?last_sequence=${after}`)).map((each: { code: string }) => each.code);

  it('tells anybody that the service has started', async () => {
    const found = (await api.get('/notifications', null)).json;
    expect(found).toContainEqual({
      code: 'BACKEND_STARTED',
      params: {},
      sequence: expect.any(Number),
      timestamp: expect.any(Number),
    });
    expect(Object.keys(found[0])).toEqual(['code', 'params', 'sequence', 'timestamp']);
  });

  it('takes a number below 0 for one that is not yet reached', async () => {
    expect(await codesAfter(-1)).toEqual(await codesAfter(0));
  });

  it('waits for news, and answers with nothing when the time is over', async () => {
    const after = await published();
    const poll = codesAfter(after);
    await api.repository();
    expect(await poll).toEqual(['REFRESH_ACLS', 'REPOSITORY_CHANGED']);
    const started = performance.now();
    expect(await codesAfter(await published())).toEqual([]);
    expect(performance.now() - started).toBeGreaterThan(2500);
  });

  it.each([
    ['a group', 'REFRESH_ACLS', () => records.make('group')],
    ['a term', 'VOCABULARY_CHANGED', () => records.make('subject')],
    [
      'a controlled list',
      'ENUMERATION_CHANGED',
      async () => {
        const list = await get('/config/enumerations/4');
        await api.post('/config/enumerations/4', { ...list, values: [...list.values, 'novel'] });
      },
    ],
  ])('tells of %s', async (_, code, change) => {
    const after = await published();
    await change();
    await published();
    expect(await codesAfter(after)).toContain(code);
  });

  it('holds no connection while it waits', async () => {
    const after = await published();
    const polls = Array.from({ length: 40 }, () => get(`/notifications?last_sequence=${after}`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    // Who had to wait for a connection would come after a poll that gives one back.
    const read = api.get(`/repositories/${records.repoId}`).then(({ status }) => status);
    expect(await Promise.race([read, ...polls])).toBe(200);
    expect((await Promise.all(polls)).every((each) => each.length === 0)).toBe(true);
  });
});

describe('POST /update_monitor', () => {
  it('answers with what anybody edits, and the stored version', async () => {
    const uri = await records.make('accession');
    const report = (user: string, time: string) => api.post('/update_monitor', { active_edits: [{ uri, user, time }] });
    await report('ann', '2026-01-01T00:00:00Z');
    await report('bob', '2026-01-01T00:00:05Z');
    expect((await report('ann', '2026-01-01T00:00:10Z')).json).toEqual({
      [uri]: { edited_by: { ann: '2026-01-01T00:00:10Z', bob: '2026-01-01T00:00:05Z' }, lock_version: 0 },
    });
    await api.database.transaction((tx) => tx.run(sql`UPDATE active_edit SET at = now() - interval '31 seconds'`));
    expect((await api.post('/update_monitor', { active_edits: [] })).json).toEqual({});
    expect((await api.post('/update_monitor', { active_edits: [{ uri, user: 'ann' }] })).json.error).toEqual({
      'active_edits/0/time': ['Property is required but was missing'],
    });
  });
});
