// Whether bodies of any size and sender hold up others: how soon GET /health/live is answered beside hostile bodies, by callers without a
// session and by the administrator, against the same while nothing else is asked. BENCH_BODY_BYTES sets the size.
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileBody, hostileForms } from '../support/make/large-hostile.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { startProcess } from './processes/spawn.ts';
import { probe } from './processes/probe.ts';

const bytes = Number(process.env['BENCH_BODY_BYTES'] ?? 12_000_000);
const targetMs = 100;
const idleMs = 5000;
const residentMb = async (client: { get(path: string): Promise<string> }): Promise<number> =>
  Number(/^process_resident_memory_bytes (\S+)/m.exec(await client.get('/metrics'))?.[1]) / 1e6;

/** Measures; some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    await using api = await startProcess('apps/api/main.ts', { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder });
    const client = await connectClient(api.url);
    const send = async (form: string, size: number, session: string | null): Promise<void> => {
      const reply = await fetch(`${api.url}/agents/people`, {
        method: 'POST',
        body: hostileBody(form, size),
        headers: session === null ? {} : { 'x-service-session': session },
        // A refusal may come before the body is sent; then the connection ends.
      }).catch(() => null);
      await reply?.text().catch(() => '');
      if (reply !== null && reply.status >= 500) throw new Error(`${form}: ${reply.status}`);
    };
    // What is started and compiled once is not what is asked here.
    for (const form of hostileForms) await send(form, 100_000, client.session);
    const live = await probe(api.url, '/health/live');
    await sleep(idleMs);
    const idle = await live.take();
    const rows: BenchRow[] = [];
    for (const [who, session] of [
      ['without a session', null],
      ['of the administrator', client.session],
    ] as const) {
      for (const size of [60_000, bytes]) {
        let mostMb = 0;
        for (const form of hostileForms) {
          for (let sent = 0; sent < (size === bytes ? 1 : 20); sent += 1) await send(form, size, session);
          mostMb = Math.max(mostMb, await residentMb(client));
        }
        const { p99, longest } = await live.take();
        rows.push(
          {
            name: `GET /health/live, p99, beside hostile bodies of ${size.toLocaleString('en-GB')} bytes ${who}`,
            value: rounded(p99),
            unit: 'ms',
            baseline: rounded(idle.p99),
            target: targetMs,
            pass: p99 < targetMs,
          },
          { name: 'the longest of them', value: rounded(longest), unit: 'ms', baseline: rounded(idle.longest) },
          { name: 'most memory of the API', value: rounded(mostMb), unit: 'MB' },
        );
      }
    }
    await live.stop();
    return rows;
  });
}

if (import.meta.main) console.table(await run());
