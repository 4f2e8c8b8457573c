// Exports of a whole collection against reading its bare bodies by a cursor into a file; how soon the first byte comes, what memory it takes, and
// how long the event loop is held, at two sizes, each in a process of its own. BENCH_COMPONENTS sets the larger one.
import { join } from 'node:path';
import { Database } from '#store/connection/database.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { inProcess, plant } from './planted.ts';
import type { Planted } from './planted.ts';
import type { Asked, Took } from './processes/exporting.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const formats = ['EAD 2002', 'EAD 2002 of what is published', 'EAD3', 'Container labels', 'NDJSON'];

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    await prepareTemplate(url);
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000 });
    const small = await plant(database, Math.round(components / 10), 'small');
    const large = await plant(database, components, 'large');
    await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
    const measure = (tree: Planted, format: string): Promise<Took> =>
      inProcess<Took>('exporting', { url, ...tree, format, file: join(folder, 'export') } satisfies Asked);
    const rows: BenchRow[] = [];
    for (const format of formats) {
      const before = await measure(small, format);
      const measured: { readonly export: Took; readonly bodies: Took }[] = [];
      // Turn about, so that whatever else the machine does meets both sides alike.
      for (let round = 0; round < rounds; round++)
        measured.push({ export: await measure(large, format), bodies: await measure(large, 'bodies') });
      rows.push(...rowsOf(format, before, measured));
    }
    return rows;
  });
}

function rowsOf(
  format: string,
  before: Took,
  measured: readonly { readonly export: Took; readonly bodies: Took }[],
): readonly BenchRow[] {
  const median = (of: (took: Took) => number, side: 'export' | 'bodies' = 'export'): number =>
    medianOf(measured.map((pair) => of(pair[side])));
  const seconds = median((took) => took.seconds);
  const bare = median((took) => took.seconds, 'bodies');
  const [firstMs, peak] = [median((took) => took.firstMs), median((took) => took.peak)];
  return [
    {
      name: `${format} of ${components} components (${Math.round(median((took) => took.bytes) / 1e6)} MB) against reading their bare bodies`,
      value: Math.round(components / seconds),
      unit: 'components/s',
      baseline: Math.round(components / bare),
      ratio: rounded(bare / seconds),
    },
    { name: `${format}, first byte`, value: Math.round(firstMs), unit: 'ms', target: 300, pass: firstMs <= 300 },
    {
      name: `${format}, largest memory of the process`,
      value: Math.round(peak / 1e6),
      unit: 'MB',
      target: 300,
      pass: peak <= 300e6,
    },
    {
      name: `${format}, largest memory of the process against a tenth of the size`,
      value: Math.round(peak / 1e6),
      unit: 'MB',
      baseline: Math.round(before.peak / 1e6),
      ratio: rounded(peak / before.peak),
    },
    {
      name: `${format}, event loop held, 99th percentile (longest ${Math.round(median((took) => took.longestMs))} ms)`,
      value: rounded(median((took) => took.heldMs)),
      unit: 'ms',
    },
  ];
}

if (import.meta.main) console.table(await run());
