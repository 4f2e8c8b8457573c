// Handler of finding and replacing (contract trees-and-jobs 3.6): everything below a record in one transaction, checked as an update is. What is
// to change is found before, while nobody waits; the transaction holds these records alone.
import { kindNamed, parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { findAndReplace } from '#domain/jobs/find-and-replace.ts';
import { textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { kinds } from '#domain/kinds/index.ts';
import { subrecords } from '#domain/subrecords/index.ts';
import type { Reader } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { readGraph, treePlaceOf } from '#store/records/visibility/reach.ts';
import { holdGroups, lookUpByKey } from '#store/records/writing/lock-order.ts';
import { readStored } from '#store/records/writing/revise.ts';
import { defineHandler } from '../handler.ts';
import type { Replacing } from '../job-steps/replace-texts.ts';
import { findChanges, writeChanges } from '../job-steps/replace-texts.ts';

/** Replaces; the value tells how many records changed. */
export const handler = defineHandler(findAndReplace, async ({ repoId, actor, job }, context) => {
  const asked = (name: string): string => textOf(job, name) ?? '';
  const [type, property, base] = [asked('record_type'), asked('property'), asked('base_record_uri')];
  checkProperty(type, property);
  const address = parseUri(base);
  if (address === null || address.repoId !== repoId)
    throw fail('bad_parameter', { base_record_uri: ['Must be the uri of a record of the repository of the job'] });
  const { reader } = context.database;
  const enumerations = await EnumerationCache.load(reader);
  const work: Replacing = {
    repoId,
    actor,
    find: asked('find'),
    replace: asked('replace'),
    type,
    property,
    enumerations,
  };
  const root = kindNamed(address.kind);
  const graph = await readGraph(reader, root, address.id, await treePlaceOf(reader, root, address.id, repoId));
  await demandBase(reader, root, address.id, repoId);
  const groups = kinds.has(type) ? graph.filter((group) => group.kind.name === type) : graph;
  const found = await findChanges(groups, work, context);
  return context.transaction(
    async (tx) => {
      await lookUpByKey(tx);
      // All at once, in the order in which everybody does: the root of a tree comes behind what is in it.
      await holdGroups(
        tx,
        found.map(({ kind, changes }) => ({ kind, ids: changes.map(({ id }) => id) })),
        'writes',
      );
      // Without a lock of its own, where nothing is replaced in it: who deletes it deletes what is below it, and waits for that or was waited for.
      await demandBase(tx, root, address.id, repoId);
      const lines = await writeChanges(tx, found, work, context);
      // Here and not for each block: after a deadlock the blocks are done anew.
      for (const line of lines) context.log(line);
      context.log(lines.length === 0 ? 'All done, no records modified.' : 'All done, logging modified records.');
      const value = { changed: lines.length };
      await context.complete(tx, value);
      return value;
    },
    { statementTimeoutMs: findAndReplace.timeoutSeconds * 1000 },
  );
});

/** Fails with `not_found` unless the record is there for editors. */
async function demandBase(reader: Reader, kind: Kind, id: number, repoId: number): Promise<void> {
  if ((await readStored(reader, kind, [id], repoId)).length === 0) throw fail('not_found', `${kind.model} not found`);
}

/** Fails with `bad_parameter` unless the property is one of the texts of the record type that clients may write. */
function checkProperty(type: string, property: string): void {
  const schema = kinds.get(type)?.schema ?? subrecords.get(type);
  if (schema === undefined) throw fail('bad_parameter', { record_type: ['Is no record type'] });
  const declared = Object.hasOwn(schema.properties, property) ? schema.properties[property] : undefined;
  if (declared?.type !== 'string' || declared.readonly === true || property === 'ref')
    throw fail('bad_parameter', { property: [`Is no text of ${type} that can be changed`] });
}
