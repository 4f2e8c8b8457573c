// What of the harbour board's records may be merged into what: for each pair what would come over, or why it may not. Read beside the contract
// (trees-and-jobs 4.1, 4.2) before it was kept.
import { it } from 'vitest';
import { Failure } from '#domain/errors.ts';
import type { MergeWhat } from '#domain/merges/merges.ts';
import { merges, toMergeRecords } from '#domain/merges/merges.ts';
import { previewMerge } from '#store/merges/preview.ts';
import { harbourRecords } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';

const { reader } = await loadHarbour();

async function told(what: MergeWhat, kept: string, gone: readonly string[], repoId: number | null): Promise<unknown> {
  try {
    const { by, ...counts } = await previewMerge(reader, what, toMergeRecords(what, kept, gone, repoId));
    return { ...counts, by: by.map(({ kind, property, links }) => `${links} ${property} of ${kind}`) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { refused: error.code, error: error.error };
  }
}

it('takes what the one that stays may have, and refuses what may not go', async () => {
  const outcomes: { [pair: string]: unknown } = {};
  for (const what of [
    'agent',
    'subject',
    'container_profile',
    'top_container',
    'resource',
    'digital_object',
  ] as const) {
    const { kinds, inRepository } = merges[what];
    const uris = harbourRecords.flatMap(({ kind, uri }) => (kinds.some((name) => name === kind.name) ? [uri] : []));
    const repoId = inRepository ? 2 : null;
    for (const kept of uris)
      for (const gone of uris) outcomes[`${gone} into ${kept}`] = await told(what, kept, [gone], repoId);
    outcomes[`${what}: all into the first`] = await told(what, uris[0] ?? '', uris, repoId);
    outcomes[`${what}: of another repository`] = await told(what, uris[0] ?? '', uris, inRepository ? null : 2);
    outcomes[`${what}: what is not there`] = await told(
      what,
      uris[0] ?? '',
      [(uris[0] ?? '').replace(/\d+$/, '99')],
      repoId,
    );
    outcomes[`${what}: another kind`] = await told(what, uris[0] ?? '', ['/locations/1'], repoId);
  }
  await expectKept(keptText(outcomes, 2), 'merges/previews.json');
});
