// Handler of finding and replacing (contract trees-and-jobs 3.6): everything below a record in one transaction, checked as an update is.
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import { recheck } from '#domain/checking/recheck.ts';
import { subrecords } from '#domain/subrecords/index.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import type { Transaction } from '#store/connection/database.ts';
import { readGraph, treePlaceOf } from '#store/records/visibility/reach.ts';
import { holdGroups } from '#store/records/writing/lock-order.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';
import { TookTooLong } from '../threads/pool.ts';

const blockSize = 500;
/** An expression that takes longer for one block of records is taken for one without end. */
const blockTimeoutMs = 60_000;

type Work = {
  readonly repoId: number;
  readonly actor: string | null;
  readonly find: string;
  readonly replace: string;
  readonly type: string;
  readonly property: string;
  readonly enumerations: EnumerationCache;
};

/** Replaces; the value tells how many records changed. */
export const handler = defineHandler(findAndReplace, async ({ repoId, actor, job }, context) => {
  const asked = (name: string): string => textOf(job, name) ?? '';
  const [type, property, base] = [asked('record_type'), asked('property'), asked('base_record_uri')];
  checkProperty(type, property);
  const address = parseUri(base);
  if (address === null || address.repoId !== repoId)
    throw fail('bad_parameter', { base_record_uri: ['Must be the uri of a record of the repository of the job'] });
  const enumerations = await EnumerationCache.load(context.database.reader);
  const work: Work = { repoId, actor, find: asked('find'), replace: asked('replace'), type, property, enumerations };
  return context.transaction(
    async (tx) => {
      const root = kindNamed(address.kind);
      const graph = await readGraph(tx, root, address.id, await treePlaceOf(tx, root, address.id, repoId));
      const groups = kinds.has(type) ? graph.filter((group) => group.kind.name === type) : graph;
      // All at once, in the order in which everybody does: the root of a tree comes behind what is in it.
      await holdGroups(tx, [{ kind: root, ids: [address.id] }, ...groups], 'writes');
      const exists = (await lockStored(tx, root, [address.id], repoId)).length > 0;
      if (!exists) throw fail('not_found', `${root.model} not found`);
      const total = groups.reduce((sum, { ids }) => sum + ids.length, 0);
      let done = 0;
      let changed = 0;
      for (const { kind, ids } of groups) {
        if (kind.may.update !== undefined) demandOfOwner(context, repoId, kind.may.update);
        for (let at = 0; at < ids.length; at += blockSize) {
          const block = ids.slice(at, at + blockSize);
          changed += await replaceBlock(tx, kind, block, work, context);
          done += block.length;
          context.progress({ label: 'Replacing', done, total });
        }
      }
      context.log(changed === 0 ? 'All done, no records modified.' : 'All done, logging modified records.');
      await context.complete(tx, { changed });
      return { changed };
    },
    { statementTimeoutMs: findAndReplace.timeoutSeconds * 1000 },
  );
});

/** Fails with `bad_parameter` unless the property is one of the texts of the record type that clients may write. */
function checkProperty(type: string, property: string): void {
  const schema = kinds.get(type)?.schema ?? subrecords.get(type);
  if (schema === undefined) throw fail('bad_parameter', { record_type: ['Is no record type'] });
  const declared = Object.hasOwn(schema.properties, property) ? schema.properties[property] : undefined;
  if (declared?.type !== 'string' || declared.readonly === true || property === 'ref')
    throw fail('bad_parameter', { property: [`Is no text of ${type} that can be changed`] });
}

async function replaceBlock(
  tx: Transaction,
  kind: Kind,
  ids: readonly number[],
  work: Work,
  context: JobContext,
): Promise<number> {
  const { repoId, actor, find, replace, type, property, enumerations } = work;
  const rows = await lockStored(tx, kind, ids, repoId);
  const target = { type: kind.name === type ? null : type, property };
  const bodies = rows.map(({ id, body }) => [id, body] as const);
  const replaced = await context.threads
    .run('replaceInBodies', { bodies, find, replace, target }, { signal: context.signal, limitMs: blockTimeoutMs })
    .catch((error: unknown) => {
      throw error instanceof TookTooLong ? fail('bad_parameter', { find: ['The expression takes too long'] }) : error;
    });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const revised = replaced.flatMap(([id, text]) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const body: JsonObject = JSON.parse(text);
    const rootUri = row.rootId === null ? null : uriOf(kindNamed(kind.tree?.root ?? ''), row.rootId, repoId);
    const uri = uriOf(kind, id, repoId);
    try {
      recheck(kind, { uri, body, publish: row.publish, rootUri }, enumerations, context.generatedValues);
    } catch (error) {
      // Of thousands of records, the one that cannot be changed so.
      if (error instanceof Failure && isObject(error.error))
        throw fail(error.code, { record_type: kind.name, record_uri: uri, errors: error.error });
      throw error;
    }
    return [{ id, old: JSON.parse(row.body), body }];
  });
  const changed = await reviseMany(tx, kind, revised, { repoId, actor, generatedValues: context.generatedValues });
  for (const id of changed) context.log(`Updating ${kind.model}[${id}].${property}`);
  await context.changedRecords(
    tx,
    changed.map((id) => uriOf(kind, id, repoId)),
  );
  return changed.length;
}
