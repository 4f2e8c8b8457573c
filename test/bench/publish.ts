// Publishing and suppressing a resource of 100,000 components, against one bare UPDATE of the same rows on the same server. What comes on
// top of the rows is the turning of flags in bodies, the visibility of nodes, 100 rows of the change log, and for suppression the links.
import { kindNamed } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { Database } from '#store/connection/database.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { migrate } from '#store/set-up/migrate.ts';
import { treeUnder } from '#store/records/writing/tree-place.ts';
import type { Step } from '#store/records/visibility/in-steps.ts';
import { publishSteps } from '#store/records/visibility/publish.ts';
import { suppressSteps } from '#store/records/visibility/suppress.ts';
import { sql } from '#store/connection/sql.ts';
import { bulkLoadTree } from '#store/trees/bulk-load.ts';
import { createRoot } from '#store/trees/root.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const rounds = 3;
const repoId = 2;
const rootId = 1;
let longest = 0;

// Some 1.5 KB with four flags, as a described file with a note and a document.
const body = JSON.stringify({
  jsonmodel_type: 'archival_object',
  title: 'Correspondence with the harbour board',
  level: 'file',
  ref_id: '0123456789abcdef0123456789abcdef',
  external_documents: [
    { jsonmodel_type: 'external_document', title: 'Scan', location: 'https://example.org/scan', publish: false },
  ],
  notes: [
    {
      jsonmodel_type: 'note_multipart',
      type: 'scopecontent',
      publish: false,
      subnotes: [{ jsonmodel_type: 'note_text', content: 'Letters and drafts. '.repeat(50), publish: false }],
    },
    { jsonmodel_type: 'note_singlepart', type: 'abstract', content: ['Letters'], publish: false },
  ],
});

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes about two minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await migrate(url, new URL('../../db/migrations', import.meta.url));
    await using database = new Database({ url, poolSize: 2, statementTimeoutMs: 600_000 });
    await database.transaction((tx) => ensureKinds(tx, kinds.values()));
    await plant(database);
    const [bare, published, suppressed]: [number[], number[], number[]] = [[], [], []];
    // Turn about, with the dead rows of each removed, so that whatever else the machine does meets all sides alike.
    for (let round = 0; round < rounds; round++) {
      bare.push(
        await timed(database, () =>
          database.transaction((tx) =>
            tx.run(
              sql`UPDATE record SET publish = publish, body = body, system_mtime = now() WHERE kind = 'archival_object'`,
            ),
          ),
        ),
      );
      const common = { kind: kindNamed('resource'), id: rootId, repoId, actor: 'admin' };
      published.push(
        await timed(database, () =>
          runAll(
            database,
            publishSteps(database.reader, { ...common, publish: round % 2 === 0, seesSuppressed: true }),
          ),
        ),
      );
      suppressed.push(
        await timed(database, () =>
          runAll(database, suppressSteps(database.reader, { ...common, suppressed: round % 2 === 0 })),
        ),
      );
    }
    return [
      compared('publish', medianOf(published), medianOf(bare), 2),
      compared('suppress', medianOf(suppressed), medianOf(bare), 2),
      { name: 'the longest step of these', value: rounded(longest), unit: 'ms', baseline: rounded(medianOf(bare)) },
    ];
  });
}

/** As the job does: each step in a transaction of its own. */
async function runAll(database: Database, steps: Promise<readonly Step[]>): Promise<void> {
  for (const step of await steps) {
    const started = performance.now();
    await database.transaction((tx) => step.work(tx));
    longest = Math.max(longest, performance.now() - started);
  }
}

async function plant(database: Database): Promise<void> {
  await database.transaction(
    async (tx) => {
      const node = kindNamed('archival_object');
      await tx.run(
        sql`INSERT INTO record (kind, id, repo_id, publish, label, body) VALUES ('resource', ${rootId}, ${repoId}, false, 'R', '{"jsonmodel_type":"resource","title":"R"}')`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, repo_id, publish, label, body) SELECT 'archival_object', i, ${repoId}, false, 'n', ${body}::json FROM generate_series(1, ${components}::int) i`,
      );
      await tx.run(
        sql`INSERT INTO record (kind, id, repo_id, label, body) SELECT 'top_container', i, ${repoId}, 'c', '{}' FROM generate_series(1, 1000) i`,
      );
      await tx.run(sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id)
      SELECT 'archival_object', i, 0, 'instances.sub_container.top_container', 'top_container', 1 + i % 1000, ${repoId} FROM generate_series(1, ${components}::int, 2) i`);
      const tree = treeUnder(node, repoId, rootId);
      await createRoot(tx, tree);
      await bulkLoadTree(
        tx,
        tree,
        sql.fragment`SELECT i AS id, ${rootId}::int AS root_id, CASE WHEN i <= 100 THEN NULL ELSE 1 + i % 100 END AS parent_id, i AS position, i AS seq, false AS visible, 'file' AS level
      FROM generate_series(1, ${components}::int) i`,
        { keepsPositions: true },
      );
    },
    { statementTimeoutMs: 600_000 },
  );
}

async function timed(database: Database, work: () => Promise<unknown>): Promise<number> {
  await database.withClient((client) =>
    client.query('VACUUM (ANALYZE) record_archival_object, record_top_container, tree_node, tree_bucket, link'),
  );
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function compared(what: string, value: number, baseline: number, target: number): BenchRow {
  const ratio = value / baseline;
  return {
    name: `${what} ${components.toLocaleString('en-GB')} components against one UPDATE of their rows`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(ratio),
    target,
    pass: ratio <= target,
  };
}
