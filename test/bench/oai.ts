// Harvesting 100,000 published components over OAI-PMH: pages at the end of the list against those at its beginning, the memory of the
// serving process, and what the follower needs to fill the list and to hide and show it all.
import { readFileSync } from 'node:fs';
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { Database } from '#store/database.ts';
import { followChunk } from '#store/followers.ts';
import { applyOaiEntries, ensureOaiItems, oaiFollower } from '#store/oai/follow.ts';
import { publishRecord } from '#store/records/publish.ts';
import { sequenceChanges } from '#store/sequencer.ts';
import { sql } from '#store/sql.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import type { Running } from './processes/spawn.ts';
import { startProcess } from './processes/spawn.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const samples = 40;

/** Measures; some four minutes, most of them for the import. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = { MUNIMENT_POOL_SIZE: '10', DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    const client = await connectClient(api.url);
    const root = await imported(client, settings);
    await using database = new Database({ url, poolSize: 2, statementTimeoutMs: 600_000 });
    const address = parseUri(root);
    const toggle = async (publish: boolean): Promise<number> => {
      await database.transaction((tx) => publishRecord(tx, { kind: kindNamed('resource'), id: address?.id ?? 0, repoId: address?.repoId ?? null, publish, seesSuppressed: true, actor: 'admin' }));
      return timed(() => catchUp(database));
    };
    await toggle(true);
    await database.transaction((tx) => tx.run(sql`WITH gone AS (DELETE FROM oai_item) DELETE FROM follower WHERE name = ${oaiFollower}`));
    const filling = await timed(() => ensureOaiItems(database));
    const [hiding, showing] = [await toggle(false), await toggle(true)];
    await database.withClient((connection) => connection.query('VACUUM (ANALYZE)'));
    return [...(await pages(api)), seconds('filling an empty list', filling), seconds('hiding all by one unpublish', hiding), seconds('showing all again', showing)];
  });
}

const seconds = (name: string, ms: number): BenchRow => ({ name: `${name}, ${components} components`, value: rounded(ms / 1000), unit: 's' });

type Client = Awaited<ReturnType<typeof connectClient>>;

async function imported(client: Client, settings: { readonly [name: string]: string }): Promise<string> {
  await using _worker = await startProcess('apps/worker/main.ts', settings);
  const { resources } = await importReadData(client, components, 1);
  const root = resources[0] ?? '';
  const repository = root.split('/').slice(0, 3).join('/');
  await client.post(repository, { ...JSON.parse(await client.get(repository)), publish: true });
  return root;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What a worker does, without all else that it does. */
async function catchUp(database: Database): Promise<void> {
  await sequenceChanges(database);
  for (let count = 1; count > 0; ) count = await followChunk(database, oaiFollower, applyOaiEntries);
}

async function pages(api: Running): Promise<readonly BenchRow[]> {
  const ask = async (query: string): Promise<string> => (await fetch(`${api.url}/oai?${query}`)).text();
  const tokenIn = (xml: string): string | undefined => /<resumptionToken[^>]*>([^<]+)</.exec(xml)?.[1];
  const tokens: string[] = [];
  const walk = await timed(async () => {
    for (let token = tokenIn(await ask('verb=ListIdentifiers&metadataPrefix=oai_dc')); token !== undefined; token = tokenIn(await ask(`verb=ListIdentifiers&resumptionToken=${token}`))) tokens.push(token);
  });
  const [first, last] = [tokens.slice(0, samples), tokens.slice(-samples)];
  const rows: BenchRow[] = [];
  for (const verb of ['ListIdentifiers', 'ListRecords']) {
    const times: { readonly first: number[]; readonly last: number[] } = { first: [], last: [] };
    // Turn about, so that whatever else the machine does meets both alike.
    for (let place = 0; place < samples; place++) {
      times.first.push(await timed(() => ask(`verb=${verb}&resumptionToken=${first[place]}`)));
      times.last.push(await timed(() => ask(`verb=${verb}&resumptionToken=${last[place]}`)));
    }
    const [value, baseline] = [medianOf(times.last), medianOf(times.first)];
    rows.push({ name: `${verb}, a page of 25 at the end of ${tokens.length + 1} pages, against the beginning`, value: rounded(value), unit: 'ms', baseline: rounded(baseline), ratio: rounded(value / baseline), target: 2, pass: value / baseline <= 2 });
  }
  const quarter = Math.floor(tokens.length / 4);
  for (const token of tokens.slice(0, quarter)) await ask(`verb=ListRecords&resumptionToken=${token}`);
  const before = memoryOf(api);
  for (const token of tokens.slice(quarter, 3 * quarter)) await ask(`verb=ListRecords&resumptionToken=${token}`);
  const after = memoryOf(api);
  rows.push({ name: `memory of the process after ${3 * quarter} pages of ListRecords, against after ${quarter}`, value: rounded(after), unit: 'MB', baseline: rounded(before), ratio: rounded(after / before), target: 1.3, pass: after / before <= 1.3 });
  rows.push(seconds('a whole harvest of ListIdentifiers', walk));
  return rows;
}

/** Resident memory in MB; NaN on systems without /proc. */
function memoryOf({ child }: Running): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

if (import.meta.main) console.table(await run());
