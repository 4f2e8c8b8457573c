// Interactive work beside heavy work: moves in one tree while an import of 100,000 records fills another of the same repository, against
// moves on the idle service in the same run. API, worker and PostgreSQL are processes of their own, one worker with its defaults.
import type { Move } from '../support/moves-beside-import.ts';
import { moveWhile, plantSiblings, startImport } from '../support/moves-beside-import.ts';
import type { BenchRow } from './bench.ts';
import { medianOf, onOwnServer, rounded } from './bench.ts';
import { connectClient } from './processes/client.ts';
import { startProcess } from './processes/spawn.ts';

const components = Number(process.env['BENCH_COMPONENTS'] ?? 100_000);
const idleMoves = Number(process.env['BENCH_MOVES'] ?? 150);
const siblings = 500;

/** Measures on a PostgreSQL of its own with its usual durability, made and removed here. Takes about a minute. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url, folder }) => {
    const settings = { DATABASE_URL: url, MUNIMENT_DATA_DIR: folder };
    await using api = await startProcess('apps/api/main.ts', settings);
    await using _worker = await startProcess('apps/worker/main.ts', settings);
    const client = await connectClient(api.url);
    const repository = await client.post('/repositories', { repo_code: 'fair', name: 'Repository of the benchmark' });
    const fair = { url: api.url, session: client.session, repoId: Number(repository['id']) };
    const uris = await plantSiblings(fair, siblings);
    // Everything is warm before it is measured: the threads of the import, too.
    await startImport(fair, 'warm', 2000).ended;
    await moveWhile(fair, uris, (done) => done < 50);
    // Idle before and after, so that what the machine does meanwhile is in both.
    const before = await moveWhile(
      fair,
      uris,
      (done) => done < idleMoves,
      () => false,
      1,
    );
    const importing = startImport(fair, 'long', components);
    await importing.saving;
    const beside = await moveWhile(fair, uris, importing.isSaving, importing.isSaving, 2);
    const importMs = await importing.ended;
    const after = await moveWhile(
      fair,
      uris,
      (done) => done < idleMoves,
      () => false,
      3,
    );
    const idle = [...before, ...after];
    return [
      ...(
        [
          ['p50', 0.5],
          ['p95', 0.95],
        ] as const
      ).map(([name, share]) => compared(name, percentile(beside, share), percentile(idle, share))),
      {
        name: 'the longest of them',
        value: rounded(Math.max(...beside.map((move) => move.ms))),
        unit: 'ms',
        baseline: rounded(Math.max(...idle.map((move) => move.ms))),
      },
      { name: `moves while records were saved for ${rounded(importMs / 1000)} s`, value: beside.length, unit: 'moves' },
    ];
  });
}

function percentile(moves: readonly Move[], share: number): number {
  const sorted = moves.map((move) => move.ms).toSorted((a, b) => a - b);
  return share === 0.5
    ? medianOf(sorted)
    : (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

function compared(name: string, value: number, baseline: number): BenchRow {
  const ratio = value / baseline;
  return {
    name: `${name} of a move beside an import of ${components.toLocaleString('en-GB')} components, against the idle service`,
    value: rounded(value),
    unit: 'ms',
    baseline: rounded(baseline),
    ratio: rounded(ratio),
    ...(name === 'p95' ? { target: 3, pass: ratio <= 3 } : {}),
  };
}

if (import.meta.main) console.table(await run());
