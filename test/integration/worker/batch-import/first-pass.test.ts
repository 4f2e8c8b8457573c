// How far the first pass of a batch import is: how many records there are is known at its end, so until then the bytes tell.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { phases } from '#domain/batch-import/phases.ts';
import type { Progress } from '#domain/job.ts';
import { createPacer } from '#domain/pace.ts';
import { importBatch } from '../../../../apps/worker/batch-import/import.ts';
import type { Importer } from '#test/support/batch.ts';
import { chunksOf, openImporter } from '#test/support/batch.ts';
import { findingAid } from '#test/support/make/finding-aid.ts';

let importer: Importer;
beforeAll(async () => {
  importer = await openImporter();
});
afterAll(async () => importer[Symbol.asyncDispose]());

/** Imports a finding aid; gives the steps of the first pass, and the number of its records. */
async function firstSteps(
  name: string,
  tellsSize: boolean,
): Promise<{ readonly steps: readonly Progress[]; readonly total: number }> {
  const text = JSON.stringify([...findingAid(importer.repoId, name, 300)]);
  const steps: Progress[] = [];
  const input = {
    source: () => chunksOf(text, 5000),
    ...(tellsSize ? { sizeBytes: Buffer.byteLength(text) } : {}),
    blockBytes: 20_000,
    repoId: importer.repoId,
    actor: 'importer',
    migration: false,
  };
  const { total } = await importer.database.transaction((tx) =>
    importBatch(tx, input, {
      threads: importer.threads,
      signal: new AbortController().signal,
      progress: (step) => void steps.push(step),
    }),
  );
  return { steps: steps.filter(({ label }) => label === phases.validating), total };
}

test('its total comes from the bytes that were read, is never below what was done, and is exact at the end', async () => {
  const { steps, total } = await firstSteps('known', true);
  const [first, ...rest] = steps;
  expect(first).toMatchObject({ done: 0, total: null });
  expect(rest.length).toBeGreaterThan(10);
  for (const step of rest) expect(step.total).toBeGreaterThanOrEqual(step.done);
  expect(rest.at(-1)).toMatchObject({ done: total, total });
  // What is done of all grows with the bytes, small records before large ones or not, and so the time left is told by them.
  const shares = rest.map((step) => step.done / (step.total ?? 1));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  const half = rest.find((_step, index) => (shares[index] ?? 0) >= 0.45);
  let ms = 0;
  const pace = createPacer(() => ms);
  pace({ label: phases.validating, done: 0, total: null });
  ms = 100_000;
  const { seconds_left: left } = pace(half ?? { label: '', done: 0, total: null });
  expect([(left ?? 0) > 60, (left ?? 999) < 130]).toEqual([true, true]);
});

test('of a stream of unknown length the total is not known before its end', async () => {
  const { steps, total } = await firstSteps('unknown', false);
  expect(new Set(steps.slice(0, -1).map((step) => step.total))).toEqual(new Set([null]));
  expect(steps.at(-1)).toMatchObject({ done: total, total });
});
