// The batch import at the size of a migration: a million components in one batch, against the raw COPY of their rows and against the memory
// that 100,000 take. One round: it takes some ten minutes on two idle cores, and 14 GB of disk meanwhile.
import type { BenchRow } from './batch-import.ts';
import { batch, measureImport } from './batch-import.ts';

/** Measures on a PostgreSQL of its own, made and removed here. */
export async function run(): Promise<readonly BenchRow[]> {
  return measureImport(batch, { components: 1_000_000, rounds: 1, memorySizes: [100_000] });
}
