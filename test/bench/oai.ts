// Harvesting 100,000 published components over OAI-PMH: pages at the middle and the end of the list against those at its beginning, a whole
// harvest with writes and an unpublishing beside it, the memory of the serving process, and what the follower needs to hide and show it all.
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { Database } from '#store/connection/database.ts';
import { followChunk } from '#store/change-log/followers.ts';
import { applyOaiEntries, ensureOaiItems, oaiFollower, workOffOai } from '#store/oai/follow.ts';
import { publishRecord } from '#store/records/visibility/publish.ts';
import { sequenceChanges } from '#store/change-log/sequencer.ts';
import { NumberRow, column, IdRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import type { Running } from './processes/spawn.ts';
import { largestMemoryOf, startProcess } from './processes/spawn.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const samples = 40;
const heldPages = 150;

/** Measures; some six minutes, a third of them for the import. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = { MUNIMENT_POOL_SIZE: '10', DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    const client = await connectClient(api.url);
    const { root, small } = await imported(client, settings);
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000 });
    const following = await measureFollowing(database, client, root, small);
    await database.withClient((connection) => connection.query('VACUUM (ANALYZE)'));
    const stop = new AbortController();
    const kept = keepUp(database, stop.signal);
    try {
      const { tokens, rows } = await harvestBesideWrites(api, client, database, root);
      return [...(await comparePages(api, tokens)), ...rows, ...(await holdMemory(api, tokens)), ...following];
    } finally {
      stop.abort();
      await kept;
    }
  });
}

type Client = Awaited<ReturnType<typeof connectClient>>;

/** The large finding aid, and a small one in the same repository, which is published. */
async function imported(
  client: Client,
  settings: { readonly [name: string]: string },
): Promise<{ readonly root: string; readonly small: string }> {
  await using _worker = await startProcess('apps/worker/main.ts', settings);
  const { resources } = await importReadData(client, components, 1);
  const root = resources[0] ?? '';
  const repository = root.split('/').slice(0, 3).join('/');
  await client.post(repository, { ...JSON.parse(await client.get(repository)), publish: true });
  const { uri: _uri, lock_version: _version, ead_id: _ead, ...body } = JSON.parse(await client.get(root));
  const small = await client.post(`${repository}/resources`, { ...body, id_0: 'small', title: 'Small', publish: true });
  return { root, small: String(small['uri']) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What a worker does, without all else that it does: until all is followed. Gives the longest that anything held the lock of the list. */
async function catchUp(database: Database): Promise<{ readonly longest: number }> {
  await sequenceChanges(database);
  let longest = 0;
  for (let isMore = true; isMore;) {
    const ms = await timed(async () => {
      isMore = (await followChunk(database, oaiFollower, applyOaiEntries)) > 0 || (await workOffOai(database));
    });
    longest = Math.max(longest, ms);
  }
  return { longest };
}

/** The same for ever: the feed beside what is due. */
async function keepUp(database: Database, signal: AbortSignal): Promise<void> {
  const repeat = async (work: () => Promise<boolean>): Promise<void> => {
    while (!signal.aborted) if (!(await work())) await sleep(10);
  };
  await Promise.all([
    repeat(async () => (await sequenceChanges(database)) > 0),
    repeat(async () => (await followChunk(database, oaiFollower, applyOaiEntries)) > 0),
    repeat(() => workOffOai(database)),
  ]);
}

/** Publishes or unpublishes with all below, as the job of a worker does. */
async function setPublic(database: Database, uri: string, publish: boolean): Promise<void> {
  const address = parseUri(uri);
  if (address === null) throw new Error(`no record: ${uri}`);
  await database.transaction(
    (tx) =>
      publishRecord(tx, {
        kind: kindNamed(address.kind),
        id: address.id,
        repoId: address.repoId,
        publish,
        seesSuppressed: true,
        actor: 'admin',
      }),
    { statementTimeoutMs: 600_000 },
  );
}

async function measureFollowing(
  database: Database,
  client: Client,
  root: string,
  small: string,
): Promise<readonly BenchRow[]> {
  const publish = (isPublic: boolean): Promise<unknown> => setPublic(database, root, isPublic);
  await publish(true);
  await catchUp(database);
  await database.transaction((tx) =>
    tx.run(sql`WITH gone AS (DELETE FROM oai_item) DELETE FROM follower WHERE name = ${oaiFollower}`),
  );
  const filling = await timed(async () => {
    await ensureOaiItems(database);
    await catchUp(database);
  });
  // What it can cost at the least: the same rows with the same indexes, in one statement.
  const bare = await timed(() =>
    database.transaction((tx) => tx.run(sql`UPDATE oai_item SET n = n + (SELECT max(n) FROM oai_item), stamp = now()`)),
  );
  await publish(false);
  let longest = 0;
  const hiding = await timed(async () => {
    longest = (await catchUp(database)).longest;
  });
  await publish(true);
  const stop = new AbortController();
  const kept = keepUp(database, stop.signal);
  const start = performance.now();
  await sleep(500);
  const delay = await delayOf(database, client, small);
  while (!(await isIdle(database))) await sleep(20);
  const showing = performance.now() - start;
  stop.abort();
  await kept;
  // No target: that it goes on beside everything else, in small transactions, is what the last two hold.
  const compared = (name: string, ms: number): BenchRow => ({
    name: `${name}, ${components} components, against one UPDATE of their items`,
    value: rounded(ms / 1000),
    unit: 's',
    baseline: rounded(bare / 1000),
    ratio: rounded(ms / bare),
  });
  return [
    compared('following the publishing of all in an empty list', filling),
    compared('following an unpublishing of all', hiding),
    compared('following a publishing of all', showing),
    { name: 'the longest transaction of these', value: rounded(longest), unit: 'ms' },
    {
      name: 'a change of another record beside it, until harvesters see it',
      value: rounded(delay),
      unit: 'ms',
      target: 2000,
      pass: delay <= 2000,
    },
  ];
}

/** From the moment a change is answered until its datestamp stands in the list. */
async function delayOf(database: Database, client: Client, uri: string): Promise<number> {
  const itemNumber = async (): Promise<number | undefined> =>
    (
      await database.reader.maybeOne(sql.type(NumberRow)`
        SELECT n FROM oai_item WHERE kind = 'resource' AND id = ${parseUri(uri)?.id ?? 0}`)
    )?.n;
  const before = await itemNumber();
  await client.post(uri, { ...JSON.parse(await client.get(uri)), title: 'Changed beside' });
  return timed(async () => {
    while ((await itemNumber()) === before) await sleep(5);
  });
}

async function isIdle(database: Database): Promise<boolean> {
  const { idle } = await database.reader.one(sql.type(
    z.strictObject({ idle: column.bool }),
  )`SELECT f.n >= s.n AND NOT EXISTS (SELECT FROM oai_due) AND NOT EXISTS (SELECT FROM oai_fan) AND pg_snapshot_xmax(s.position) > coalesce((SELECT max(xid) FROM change), '0'::xid8) AS idle
    FROM sequencer s JOIN follower f ON f.name = ${oaiFollower}`);
  return idle;
}

const ask = async (api: Running, query: string): Promise<string> => (await fetch(`${api.url}/oai?${query}`)).text();
const tokenIn = (xml: string): string | undefined => /<resumptionToken[^>]*>([^<]+)</.exec(xml)?.[1];

type Seen = { readonly identifier: string; readonly deleted: boolean };
const headersIn = (xml: string): readonly Seen[] =>
  [...xml.matchAll(/<header( status="deleted")?><identifier>(.*?)</g)].map(([, status, identifier]) => ({
    identifier: identifier ?? '',
    deleted: status !== undefined,
  }));

/** Harvests all headers while records are changed and a series is unpublished, then what changed since, and holds both against the database. */
async function harvestBesideWrites(
  api: Running,
  client: Client,
  database: Database,
  root: string,
): Promise<{ readonly tokens: readonly string[]; readonly rows: readonly BenchRow[] }> {
  const repository = root.split('/').slice(0, 3).join('/');
  const pick = async (count: number, level: string): Promise<readonly string[]> =>
    (
      await database.reader.any(sql.type(IdRow)`
        SELECT id FROM oai_item WHERE kind = 'archival_object' AND level = ${level} AND NOT deleted ORDER BY md5(id::text) LIMIT ${count}`)
    ).map(({ id }) => `${repository}/archival_objects/${id}`);
  const edited = await pick(40, 'file');
  const [series = ''] = await pick(1, 'series');
  const known = new Map<string, boolean>();
  const note = (headers: readonly Seen[]): void =>
    headers.forEach(({ identifier, deleted }) => known.set(identifier, deleted));
  const tokens: string[] = [];
  let time = '';
  let repeated = 0;
  const pagesExpected = Math.ceil(components / 25);
  const walk = await timed(async () => {
    for (let xml = await ask(api, 'verb=ListIdentifiers&metadataPrefix=oai_dc'); ;) {
      if (time === '') time = /<responseDate>(.*?)</.exec(xml)?.[1] ?? '';
      const headers = headersIn(xml);
      repeated += headers.filter(({ identifier }) => known.has(identifier)).length;
      note(headers);
      const token = tokenIn(xml);
      if (token === undefined) return;
      tokens.push(token);
      const uri =
        tokens.length % Math.ceil(pagesExpected / 40) === 0
          ? edited[Math.floor(tokens.length / Math.ceil(pagesExpected / 40)) - 1]
          : undefined;
      if (uri !== undefined)
        await client.post(uri, { ...JSON.parse(await client.get(uri)), title: `Changed at page ${tokens.length}` });
      if (tokens.length === Math.floor(pagesExpected / 2)) await setPublic(database, series, false);
      xml = await ask(api, `verb=ListIdentifiers&resumptionToken=${token}`);
    }
  });
  while (!(await isIdle(database))) await sleep(20);
  for (let xml = await ask(api, `verb=ListIdentifiers&metadataPrefix=oai_dc&from=${time}`); ;) {
    note(headersIn(xml));
    const token = tokenIn(xml);
    if (token === undefined) break;
    xml = await ask(api, `verb=ListIdentifiers&resumptionToken=${token}`);
  }
  const truth = await database.reader.any(sql.type(
    z.strictObject({ kind: column.text, id: column.int, deleted: column.bool }),
  )`
    SELECT kind, id, deleted FROM oai_item`);
  const nameOf = (kind: string, id: number): string =>
    `${repository}/${kind === 'resource' ? 'resources' : 'archival_objects'}/${id}`;
  const states = new Map(
    [...known].map(([identifier, deleted]) => [identifier.slice(identifier.indexOf('/')), deleted]),
  );
  const wrong =
    truth.filter(({ kind, id, deleted }) => states.get(nameOf(kind, id)) !== deleted).length +
    Math.abs(truth.length - states.size);
  const counted = (name: string, value: number): BenchRow => ({
    name,
    value,
    unit: 'records',
    target: 0,
    pass: value === 0,
  });
  return {
    tokens,
    rows: [
      {
        name: `a harvest of all headers in ${tokens.length + 1} pages, with ${edited.length} edits and an unpublishing of ${truth.filter(({ deleted }) => deleted).length} records beside it`,
        value: rounded(walk / 1000),
        unit: 's',
      },
      counted('the same: records told twice', repeated),
      counted('the same with what changed since its first page: records missed, or not as they are', wrong),
    ],
  };
}

async function comparePages(api: Running, tokens: readonly string[]): Promise<readonly BenchRow[]> {
  const half = Math.floor(tokens.length / 2);
  const places = {
    first: tokens.slice(0, samples),
    middle: tokens.slice(half, half + samples),
    last: tokens.slice(-samples),
  };
  const rows: BenchRow[] = [];
  for (const verb of ['ListIdentifiers', 'ListRecords']) {
    const times: { readonly [Place in keyof typeof places]: number[] } = { first: [], middle: [], last: [] };
    // Turn about, so that whatever else the machine does meets all alike.
    for (let sample = 0; sample < samples; sample++) {
      for (const place of ['first', 'middle', 'last'] as const)
        times[place].push(await timed(() => ask(api, `verb=${verb}&resumptionToken=${places[place][sample]}`)));
    }
    const baseline = medianOf(times.first);
    for (const place of ['middle', 'last'] as const) {
      const value = medianOf(times[place]);
      rows.push({
        name: `${verb}, a page of 25 at the ${place === 'last' ? 'end' : 'middle'} of ${tokens.length + 1} pages, against the beginning`,
        value: rounded(value),
        unit: 'ms',
        baseline: rounded(baseline),
        ratio: rounded(value / baseline),
        target: 2,
        pass: value / baseline <= 2,
      });
    }
  }
  return rows;
}

/** Memory after three times as many pages of full records, from all over the list. */
async function holdMemory(api: Running, tokens: readonly string[]): Promise<readonly BenchRow[]> {
  const spread = Array.from(
    { length: 3 * heldPages },
    (_, n) => tokens[Math.floor((n * tokens.length) / (3 * heldPages))],
  );
  for (const token of spread.slice(0, heldPages)) await ask(api, `verb=ListRecords&resumptionToken=${token}`);
  const before = largestMemoryOf(api.child.pid);
  for (const token of spread.slice(heldPages)) await ask(api, `verb=ListRecords&resumptionToken=${token}`);
  const after = largestMemoryOf(api.child.pid);
  return [
    {
      name: `largest memory of the process after ${3 * heldPages} pages of ListRecords, against after ${heldPages}`,
      value: rounded(after),
      unit: 'MB',
      baseline: rounded(before),
      ratio: rounded(after / before),
      target: 1.25,
      pass: after / before <= 1.25,
    },
  ];
}

if (import.meta.main) console.table(await run());
