// Handler of taking `ns2:` out of the markup in notes (contract trees-and-jobs 3.4): a transaction a block, which may be repeated. With
// `dry_run` it only tells what it would change.
import { uriOf } from '#domain/addresses.ts';
import { removeNs2 } from '#domain/jobs/remove-ns2.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import { ns2, withoutNs2 } from '#domain/text/strip-ns2.ts';
import { idsHoldingText } from '#store/records/reading/holding-text.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';

const blockSize = 500;

/** Kinds with notes of their own, of their languages, or of their rights. */
const noted = [...kinds.values()].filter(({ properties }) =>
  ['notes', 'lang_materials', 'rights_statements'].some((property) => properties[property] !== undefined),
);

type Work = { readonly actor: string | null; readonly isDry: boolean };

/** Cleans; the value tells how many records changed, by kind. */
export const handler = defineHandler(removeNs2, async ({ actor, job }, context) => {
  const work = { actor, isDry: job['dry_run'] === true };
  const changed: { [kind: string]: number } = {};
  for (const kind of noted) {
    const count = await cleanKind(kind, work, context);
    if (count > 0) changed[kind.name] = count;
  }
  const total = Object.values(changed).reduce((sum, count) => sum + count, 0);
  context.log(
    work.isDry
      ? `Dry run: ${total} record(s) would change; nothing is stored.`
      : `All done, ${total} record(s) changed.`,
  );
  return { changed, ...(work.isDry ? { dry_run: true } : {}) };
});

async function cleanKind(kind: Kind, work: Work, context: JobContext): Promise<number> {
  const byRepository = await idsHoldingText(context.database.reader, kind, ns2);
  const total = [...byRepository.values()].reduce((sum, ids) => sum + ids.length, 0);
  let done = 0;
  let changed = 0;
  for (const [repoId, ids] of byRepository) {
    for (let at = 0; at < ids.length; at += blockSize) {
      const block = ids.slice(at, at + blockSize);
      changed += await cleanBlock(kind, repoId, block, work, context);
      done += block.length;
      context.progress({ label: kind.name, done, total });
    }
  }
  return changed;
}

async function cleanBlock(
  kind: Kind,
  repoId: number | null,
  ids: readonly number[],
  { actor, isDry }: Work,
  context: JobContext,
): Promise<number> {
  const uris = await context.transaction(
    async (tx) => {
      const revised = (await lockStored(tx, kind, ids, repoId)).flatMap(({ id, body }) => {
        const old: JsonObject = JSON.parse(body);
        const clean = withoutNs2(old);
        return clean === old ? [] : [{ id, old, body: clean }];
      });
      const changed = isDry
        ? revised.map(({ id }) => id)
        : await reviseMany(tx, kind, revised, { repoId, actor, generatedValues: context.generatedValues });
      const uris = changed.map((id) => uriOf(kind, id, repoId));
      if (!isDry) await context.changedRecords(tx, uris);
      return uris;
    },
    { statementTimeoutMs: removeNs2.timeoutSeconds * 1000 },
  );
  for (const uri of uris) context.log(`${isDry ? 'Would change' : 'Changed'}: ${uri}`);
  return uris.length;
}
