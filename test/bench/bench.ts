// What every benchmark module shares: the shape of a measured number, a PostgreSQL of its own, and the arithmetic of rounds.
// A module exports run(), which gives its numbers; run.ts runs modules by name and writes the report.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#store/embedded/server.ts';

/**
 * One measured number. `target` is what `ratio` (where there is one) or else `value` is held against; `pass` says whether it is met,
 * so that no reader has to know whether more or less is better.
 */
export type BenchRow = {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  readonly ratio?: number;
  readonly target?: number;
  readonly pass?: boolean;
};

/** Runs `work` on a PostgreSQL of its own with its usual durability, in a folder made and removed here. */
export async function onOwnServer<Result>(
  work: (server: { readonly url: string; readonly folder: string }) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-'));
  // The server may run as another user, who must reach its data.
  chmodSync(folder, 0o755);
  const server = await startEmbedded({ dataDir: folder, log: () => undefined });
  try {
    return await work({ url: server.url, folder });
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The middle one of some numbers; NaN where there are none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** A number to three significant digits at least, for tables. */
export function rounded(value: number): number {
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toFixed(digits));
}
