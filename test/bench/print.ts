// Finding aids as PDF, at two sizes, each in a process of its own: how the memory that printing takes grows with the tree. A page that is set
// leaves memory, so a tree ten times as large may take little more. BENCH_COMPONENTS sets the larger one.
import { join } from 'node:path';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { AnyRow } from '#test/support/rows.ts';
import { prepareTemplate } from '../support/template.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';
import { inProcess, plant } from './planted.ts';
import type { Planted } from './planted.ts';
import type { AskedPrint, PrintTook } from './processes/printing.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
// Beside the pages that are being set: entries of the contents, and ten bytes for each page and object of the document.
const mostTimes = 2;

/** Measures on a PostgreSQL of its own, made and removed here. Takes some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    await prepareTemplate(url);
    await using database = new Database({ url, poolSize: 4, statementTimeoutMs: 600_000 });
    const small = await plant(database, Math.round(components / 10), 'small');
    const large = await plant(database, components, 'large');
    await database.reader.any(sql.type(AnyRow)`VACUUM (ANALYZE)`);
    const printed = (tree: Planted): Promise<PrintTook> =>
      inProcess<PrintTook>('printing', { url, ...tree, file: join(folder, 'finding-aid.pdf') } satisfies AskedPrint);
    const before = await printed(small);
    const after = await printed(large);
    const growth = after.peak / before.peak;
    const rateBefore = before.components / before.seconds;
    const rate = after.components / after.seconds;
    return [
      {
        name: `PDF of ${after.components} components (${after.pages} pages, ${Math.round(after.bytes / 1e6)} MB), largest memory of the process against a tenth of the size`,
        value: Math.round(after.peak / 1e6),
        unit: 'MB',
        baseline: Math.round(before.peak / 1e6),
        ratio: rounded(growth),
        target: mostTimes,
        pass: growth <= mostTimes,
      },
      {
        name: 'PDF, rate against a tenth of the size',
        value: Math.round(rate),
        unit: 'components/s',
        baseline: Math.round(rateBefore),
        ratio: rounded(rate / rateBefore),
      },
    ];
  });
}

if (import.meta.main) console.table(await run());
