// Going through all records of some kinds block by block, to name them: what the jobs for ARKs and slugs share.
import { uriOf } from '#domain/addresses.ts';
import type { Kind, GeneratedValues } from '#domain/kind.ts';
import type { Transaction } from '#store/connection/database.ts';
import type { NamedBlock } from '#store/records/writing/generate-names.ts';
import type { JobContext } from '../handler.ts';

/** Names the block of records of a kind after an id. */
export type NameBlock = (
  tx: Transaction,
  kind: Kind,
  after: number,
  generatedValues: GeneratedValues,
) => Promise<NamedBlock>;

/** Runs all blocks of the kinds, each in a transaction of its own; gives how many records changed, by kind. */
export async function nameAll(
  kinds: readonly Kind[],
  context: JobContext,
  nameBlock: NameBlock,
): Promise<{ readonly [kind: string]: number }> {
  const changed: { [kind: string]: number } = {};
  for (const kind of kinds) {
    let done = 0;
    for (let after: number | null = 0; after !== null;) {
      const from: number = after;
      const block: NamedBlock = await context.transaction(async (tx) => {
        const named = await nameBlock(tx, kind, from, context.generatedValues);
        await context.changedRecords(
          tx,
          named.changed.map(({ id, repoId }) => uriOf(kind, id, repoId)),
        );
        return named;
      });
      after = block.last;
      done += block.count;
      changed[kind.name] = (changed[kind.name] ?? 0) + block.changed.length;
      context.progress({ label: kind.name, done, total: null });
    }
    context.log(`${kind.name}: ${changed[kind.name] ?? 0} of ${done} named`);
  }
  return changed;
}
