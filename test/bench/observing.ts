// What tracing and the watch for slow statements cost a read: the same GETs of the same API, with nothing on, with slow statements watched, with all
// traced, and with a hundredth traced; turn about, in processor time. A collector that takes everything runs in this process.
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import type { Running } from './processes/spawn.ts';
import { load, startProcess } from './processes/spawn.ts';
import { observed } from '#store/observing/statements.ts';
import { importReadData } from './read-data.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 2000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4);

/** What a statement pays for passing the watch where nothing is on: the processor time of a call that answers at once, with and without, turn about. */
export async function offCost(): Promise<BenchRow> {
  const calls = 200_000;
  const statement = { text: 'SELECT 1', values: [] };
  const answer = (): Promise<number> => Promise.resolve(1);
  const nanos = async (call: () => Promise<number>): Promise<number> => {
    const before = process.cpuUsage();
    for (let n = 0; n < calls; n++) await call();
    const { user, system } = process.cpuUsage(before);
    return ((user + system) * 1000) / calls;
  };
  const [passing, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < 9; round++) {
    plain.push(await nanos(answer));
    passing.push(await nanos(() => observed(statement, answer)));
  }
  // The first warm both.
  const [value, baseline] = [medianOf(passing.slice(1)), medianOf(plain.slice(1))];
  const name = 'a statement that passes the watch with nothing on, against one that does not, without the database';
  return {
    name,
    value: rounded(value),
    unit: 'ns/call',
    baseline: rounded(baseline),
    ratio: rounded(value / baseline),
  };
}

/** Measures; some two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  await using collector = await takesEverything();
  return await onOwnServer(async ({ url, folder }) => {
    const settings = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    const traced = { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    await using off = await startProcess('apps/api/main.ts', settings);
    await using watched = await startProcess('apps/api/main.ts', { ...settings, MUNIMENT_SLOW_STATEMENT_MS: '60000' });
    await using all = await startProcess('apps/api/main.ts', traced);
    await using few = await startProcess('apps/api/main.ts', { ...traced, OTEL_TRACES_SAMPLER_ARG: '0.01' });
    const client = await connectClient(off.url);
    const paths = await (async () => {
      await using _worker = await startProcess('apps/worker/main.ts', settings);
      return await importReadData(client, components, 500);
    })();
    const headers = { 'x-service-session': client.session };
    const sides: { readonly [name: string]: Running } = {
      'slow statements watched': watched,
      'all traced': all,
      'a hundredth traced': few,
    };
    const micros = async (side: Running): Promise<number> => {
      const before = side.cpuSeconds();
      const { total } = await load(side.url, paths.files, seconds, headers);
      return ((side.cpuSeconds() - before) / total) * 1e6;
    };
    for (const side of [off, watched, all, few]) await micros(side);
    const measured = new Map<string, number[]>();
    const baseline: number[] = [];
    // Turn about, so that whatever else the machine does meets all alike.
    for (let round = 0; round < rounds; round++) {
      baseline.push(await micros(off));
      for (const [name, side] of Object.entries(sides))
        measured.set(name, [...(measured.get(name) ?? []), await micros(side)]);
    }
    const rows = [...measured].map(([name, values]) => ({
      name: `GET of an archival object, ${name}, processor time of Node, against nothing on`,
      value: rounded(medianOf(values)),
      unit: 'µs/request',
      baseline: rounded(medianOf(baseline)),
      ratio: rounded(medianOf(values.map((value, n) => value / (baseline[n] ?? Number.NaN)))),
    }));
    return [await offCost(), ...rows];
  });
}

async function takesEverything(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

if (import.meta.main) console.table(await run());
