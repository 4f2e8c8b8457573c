// The service with a replica for reads, over HTTP: what callers are shown while the replica shows nothing new, and when it is away.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CountRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import type { Primary, Standby } from '#test/support/standby.ts';
import { startPrimary, startStandby } from '#test/support/standby.ts';

const environment = (url: string): { readonly [name: string]: string } => ({
  DATABASE_REPLICA_URL: url,
  MUNIMENT_REPLICA_LAG_MS: '2000',
});

let primary: Primary;
let standby: Standby;
let api: TestApi;
let other: TestApi;
let repoId: number;
let reader: string;
let editor: string;

beforeAll(async () => {
  primary = await startPrimary();
  standby = await startStandby(primary);
  api = await startTestApi({ url: primary.url, environment: environment(standby.url) });
  other = await startTestApi({ url: primary.url, environment: environment(standby.url), worker: false });
  repoId = await api.repository();
  reader = await api.userWith(['view_repository'], repoId);
  editor = await api.userWith(
    [
      'view_repository',
      'update_accession_record',
      'update_resource_record',
      'suppress_archival_record',
      'delete_archival_record',
    ],
    repoId,
  );
  await settled();
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
  await primary[Symbol.asyncDispose]();
});

const accession = (title: string): object => ({ title, id_0: title, accession_date: '2026-01-01', publish: true });
const path = (): string => `/repositories/${repoId}/accessions`;
const make = async (title: string, session = editor): Promise<string> => api.create(path(), accession(title), session);
const titles = async (service: TestApi, session: string, query = 'page=1&page_size=100'): Promise<readonly string[]> =>
  ok(await service.get(`${path()}?${query}`, session)).results.map((one: { readonly title: string }) => one.title);

/** A figure of /metrics. */
async function figure(line: string, service = api): Promise<number> {
  const { text } = await service.get('/metrics');
  return Number(
    text
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.split(' ')
      .at(-1),
  );
}
const byReplica = (): Promise<number> => figure('muniment_replica_reads{served="replica"}');

/** Waits until both processes are answered by the replica, for everybody. */
async function settled(): Promise<void> {
  for (const service of [api, other])
    for (const end = performance.now() + 15_000; ;) {
      const before = await figure('muniment_replica_reads{served="replica"}', service);
      for (const session of [reader, editor]) await titles(service, session);
      if ((await figure('muniment_replica_reads{served="replica"}', service)) === before + 2) break;
      if (performance.now() > end) throw new Error('the replica is not in use');
      await sleep(50);
    }
}

async function paused(work: () => Promise<void>): Promise<void> {
  await settled();
  await standby.pause();
  try {
    await work();
  } finally {
    await standby.resume();
    await settled();
  }
}

describe('while the replica shows nothing new', () => {
  test('a caller sees what he wrote, through any process and session; others see it later', async () => {
    await paused(async () => {
      await make('Own writing');
      expect(await titles(api, editor)).toContain('Own writing');
      expect(await titles(other, editor)).toContain('Own writing');
      expect(await titles(other, await other.login('user3', 'secret'))).toContain('Own writing');
      expect(await titles(api, reader)).not.toContain('Own writing');
    });
    expect(await titles(api, reader)).toContain('Own writing');
  });

  test('who renames a controlled value finds it in the records that have it', async () => {
    const uri = ok(await api.get('/config/enumerations/names/accession_acquisition_type'));
    const value = uri.enumeration_values.find((one: { readonly value: string }) => one.value === 'deposit');
    await api.create(path(), { ...accession('Deposited'), acquisition_type: 'deposit' }, editor);
    await paused(async () => {
      const renamed = { ...value, value: 'on_deposit' };
      ok(await api.post(`/config/enumeration_values/${value.id}`, renamed));
      const { results } = ok(await other.get(`${path()}?page=1&page_size=100`));
      const types = results.flatMap((one: { readonly acquisition_type?: string }) => one.acquisition_type ?? []);
      expect(types).toEqual(['on_deposit']);
    });
  });

  test('whoever asks what is new sees all that is committed', async () => {
    await paused(async () => {
      await make('News');
      expect(await titles(api, reader, 'page=1&page_size=100&modified_since=1')).toContain('News');
    });
  });

  test('nobody is shown what was suppressed, deleted or moved out of sight, nor what a permission that was taken showed', async () => {
    const suppressed = await make('Suppressed');
    const deleted = await make('Deleted');
    await paused(async () => {
      ok(await api.ask(`${suppressed}/suppressed?suppressed=true`, { method: 'POST', session: editor }));
      expect(await titles(other, reader)).not.toContain('Suppressed');
      ok(await api.del(deleted, editor));
      expect(await titles(other, reader)).not.toContain('Deleted');
    });
    await paused(async () => {
      const groups = ok(await api.get(`/repositories/${repoId}/groups`));
      const group = groups.find((one: { readonly group_code: string }) => one.group_code === 'g2');
      const whole = ok(await api.get(group.uri));
      ok(await api.post(group.uri, { ...whole, member_usernames: [], grants_permissions: [] }));
      expect((await api.get(`${path()}?page=1`, reader)).status).toBe(403);
      ok(await api.post(group.uri, { ...whole, lock_version: whole.lock_version + 1 }));
    });
  });

  test('a record whose address is known is found by whoever asks', async () => {
    await paused(async () => {
      const uri = await api.create(
        `/repositories/${repoId}/resources`,
        {
          title: 'Papers',
          id_0: 'PAPERS',
          level: 'collection',
          finding_aid_language: 'eng',
          finding_aid_script: 'Latn',
          lang_materials: [{ language_and_script: { language: 'eng' } }],
          dates: [{ expression: '1900', date_type: 'single', label: 'creation' }],
          extents: [{ number: '1', portion: 'whole', extent_type: 'linear_feet' }],
        },
        editor,
      );
      expect(ok(await api.get(`${uri}/tree/root`, reader)).title).toBe('Papers');
      expect((await api.get(`/repositories/${repoId}/resource_descriptions/${idOf(uri)}.xml`, reader)).text).toContain(
        'Papers',
      );
    });
  });

  test('harvesters are told the time of what they are shown', async () => {
    await paused(async () => {
      const { text } = await api.get('/oai?verb=ListIdentifiers&metadataPrefix=oai_dc', null);
      expect(text).toContain('responseDate');
    });
  });

  test('the end of a job is told no sooner than its owner sees what it did', async () => {
    await paused(async () => {
      const reply = ok(
        await api.ask(`/repositories/${repoId}/batch_imports`, {
          json: [
            {
              ...accession('By a job'),
              jsonmodel_type: 'accession',
              uri: `/repositories/${repoId}/accessions/import_1`,
            },
          ],
        }),
      );
      expect(JSON.stringify(reply)).toContain('saved');
      expect(await titles(other, other.session)).toContain('By a job');
    });
  });
});

describe('searches', () => {
  test('go to the replica, which shows what index-status says is there', async () => {
    const search = async (): Promise<number> =>
      ok(await api.get(`/repositories/${repoId}/search?page=1&q=lighthouse`, reader)).total_hits;
    const indexed = sql.type(
      CountRow,
    )`SELECT count(*)::int AS count FROM search_body WHERE stored::text LIKE '%Lighthouse%'`;
    await paused(async () => {
      await make('Lighthouse');
      await expect.poll(async () => (await api.database.reader.one(indexed)).count).toBe(1);
      expect(await search()).toBe(0);
      // It waits for the replica, which does not come so far and is left out.
      ok(await api.get('/system/index-status'));
      expect(await search()).toBe(1);
    });
    ok(await api.get('/system/index-status'));
    const before = await byReplica();
    expect(await search()).toBe(1);
    expect(await byReplica()).toBe(before + 1);
  });
});

describe('a replica that lags or dies', () => {
  test('is left out, and taken back, without a failing request; /metrics and /health/ready tell', async () => {
    await settled();
    const inUse = (): Promise<number> => figure('muniment_replica_in_use');
    const statuses = new Set<number>();
    const ending = new AbortController();
    const reading = Promise.all(
      Array.from({ length: 4 }, async () => {
        // With a pause, which leaves the processors to what is waited for.
        for (; !ending.signal.aborted; await sleep(25))
          statuses.add((await api.get(`${path()}?page=1&page_size=50`, reader)).status);
      }),
    );
    const health = async (): Promise<unknown> => ok(await api.get('/health/ready', null)).replicas;
    expect(await health()).toEqual({ in_use: 1, left_out: 0 });
    await standby.kill();
    await expect.poll(inUse).toBe(0);
    expect(await health()).toEqual({ in_use: 0, left_out: 1 });
    await make('While it was away');
    expect(await titles(api, reader)).toContain('While it was away');
    await standby.restart();
    await expect.poll(inUse).toBe(1);
    await standby.pause();
    await make('While it stood still');
    await expect.poll(inUse).toBe(0);
    expect(await titles(api, reader)).toContain('While it stood still');
    await standby.resume();
    await expect.poll(inUse).toBe(1);
    ending.abort();
    await reading;
    expect([...statuses]).toEqual([200]);
  });
});
