// The date and extent calculators on a resource of 100,000 components in 1,000 containers, against one bare reading of the bodies of the same
// components: what cannot be spared where dates stand in bodies. Containers are found by links alone.
import { shelfExtent } from '#domain/extents/shelf-extent.ts';
import { kinds } from '#domain/kinds/index.ts';
import { readCalculated, readContainersByProfile, readDateSpan } from '#store/calculators/read.ts';
import type { Calculated } from '#domain/calculators/calculated.ts';
import type { Reader } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import { counting } from '../support/count-statements.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { seedImport } from './search/seeded-import.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const rounds = 7;

/** Measures; about a minute. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 4 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    await seedImport(database, components);
    await measureContainers(database);
    const record = await readCalculated(database.reader, {
      kind: 'resource',
      id: 1,
      repoId: 2,
      seesSuppressed: true,
    });
    if (record === null) throw new Error('the resource is not there');
    const bare: number[] = [];
    const dates: number[] = [];
    const extents: number[] = [];
    // Turn about, so that whatever else the machine does meets all alike; the first round warms.
    for (let round = 0; round <= rounds; round++) {
      const took = [
        await timed(() => readBare(database.reader)),
        await timed(() => calculateDates(database.reader, record)),
        await timed(() => calculateExtent(database.reader, record)),
      ];
      [bare, dates, extents].forEach((list, at) => round > 0 && list.push(took[at] ?? Number.NaN));
    }
    const baseline = medianOf(bare);
    const statements = await database.transaction(async (tx) => {
      const counted = counting(tx);
      await calculateDates(counted.tx, record);
      await calculateExtent(counted.tx, record);
      return counted.count();
    });
    const row = (name: string, times: readonly number[], target: number): BenchRow => ({
      name,
      value: rounded(medianOf(times)),
      unit: 'ms',
      baseline: rounded(baseline),
      ratio: rounded(medianOf(times) / baseline),
      target,
      pass: medianOf(times) / baseline <= target,
    });
    return [
      row(`dates of a resource of ${components} components against reading their bodies`, dates, 4),
      row(`extent of its 1000 containers against the same`, extents, 1),
      {
        name: 'statements of the two together',
        value: statements,
        unit: 'statements',
        target: 2,
        pass: statements === 2,
      },
    ];
  });
}

/** Gives the containers three profiles. */
async function measureContainers(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.run(sql`INSERT INTO record (kind, id, label, body) SELECT 'container_profile', n, 'Box ' || n, json_build_object('jsonmodel_type', 'container_profile', 'name', 'Box ' || n,
      'dimension_units', 'inches', 'extent_dimension', 'width', 'width', (4 + n)::text, 'height', '10', 'depth', '12') FROM generate_series(1, 3) AS n`);
    await tx.run(
      sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id) SELECT 'top_container', n, 0, 'container_profile', 'container_profile', 1 + n % 3, 2 FROM generate_series(1, 1000) AS n`,
    );
  });
  await database.reader.any(sql.type(AnyRow)`ANALYZE`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const readBare = async (reader: Reader): Promise<unknown> =>
  reader.one(sql.type(AnyRow)`
    SELECT sum(length(body::text)) AS characters FROM record WHERE kind = 'archival_object'`);

async function calculateDates(reader: Reader, record: Calculated): Promise<void> {
  const span = await readDateSpan(reader, record, null, false);
  if (span.min_begin !== '1800' || span.max_end !== '1959')
    throw new Error(`other dates than were given: ${JSON.stringify(span)}`);
}

async function calculateExtent(reader: Reader, record: Calculated): Promise<void> {
  const { total_extent: total, container_count: count } = shelfExtent(await readContainersByProfile(reader, record), {
    unit: null,
    decimals: 2,
    isVolume: false,
  });
  // A container holds a hundred components, and is 6 inches wide or near it.
  const used = Math.min(1000, 1 + Math.floor(components / 100));
  if (count !== used || Math.abs(total - 6 * used) > 1 + used / 10)
    throw new Error(`other containers than were given: ${count}, ${total}`);
}

if (import.meta.main) console.table(await run());
