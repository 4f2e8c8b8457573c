// Adding instances to archival objects that are there, many at once: what jobs that link containers or digital objects by spreadsheet share.
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, objectsOf, textOf } from '#domain/json.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Enumerations } from '#domain/checking/context.ts';
import { prepareBody } from '#domain/checking/prepare.ts';
import type { LinkRow } from '#domain/checking/split.ts';
import { Instance } from '#domain/subrecords/instance.ts';
import type { Transaction } from '#store/connection/database.ts';
import { appendLinks } from '#store/records/writing/append-links.ts';
import { lockStored, reviseMany } from '#store/records/writing/revise.ts';

/** An instance for an archival object, with the uri of the top container or digital object that it names, and the row that asks. */
export type WantedInstance = {
  readonly row: number;
  readonly componentId: number;
  readonly uri: string;
  readonly instance: JsonObject;
};

/** Who adds, and where. */
export type AddingInstances = {
  readonly repoId: number;
  readonly actor: string | null;
  readonly generatedValues: GeneratedValues;
  readonly enumerations: Enumerations;
};

/**
 * Adds the instances that their archival objects do not have yet; gives how many, and the uris of whose. A fixed number of statements. Fails with
 * `conflict` where an archival object is there no more, and with `unknown_reference`.
 */
export async function addInstances(
  tx: Transaction,
  wanted: readonly WantedInstance[],
  { repoId, actor, generatedValues, enumerations }: AddingInstances,
): Promise<{ readonly links: number; readonly uris: readonly string[] }> {
  const stored = await lockStored(
    tx,
    archivalObject,
    [...new Set(wanted.map(({ componentId }) => componentId))],
    repoId,
  );
  const byComponent = Map.groupBy(wanted, ({ componentId }) => componentId);
  const there = new Set(stored.map(({ id }) => id));
  const gone = wanted.find(({ componentId }) => !there.has(componentId));
  if (gone !== undefined) throw fail('conflict', `The archival object of row ${gone.row} is there no more`);
  const added: { readonly id: number; readonly link: LinkRow }[] = [];
  const revised = stored.flatMap(({ id, body }) => {
    const old: JsonObject = JSON.parse(body);
    const instances = [...objectsOf(old, 'instances')];
    const before = instances.length;
    for (const { uri, instance } of byComponent.get(id) ?? []) {
      if (instances.some((other) => instanceKey(other) === instanceKey(instance))) continue;
      const place = instance['digital_object'] === undefined ? ['sub_container', 'top_container'] : ['digital_object'];
      const path = ['instances', instances.length, ...place].join('/');
      instances.push(
        prepareBody(Instance, instance, {
          operation: 'update',
          enumerations,
          generatedValues,
          parseUri,
          acceptTemporary: false,
          createEnumerationValues: false,
        }).body,
      );
      const target = parseUri(uri);
      added.push({
        id,
        link: {
          uri,
          path,
          property: ['instances', ...place].join('.'),
          targetKind: kindNamed(target?.kind ?? '').name,
          targetId: target?.id ?? 0,
          targetRepoId: repoId,
          role: null,
          mutual: null,
          ref: null,
        },
      });
    }
    return instances.length === before ? [] : [{ id, old, body: { ...old, instances } }];
  });
  await appendLinks(tx, archivalObject, repoId, added);
  const changed = await reviseMany(tx, archivalObject, revised, { repoId, actor, generatedValues });
  return { links: added.length, uris: changed.map((id) => uriOf(archivalObject, id, repoId)) };
}

/** By what two instances are the same: type, container and child, or digital object. */
function instanceKey(instance: JsonObject): string {
  const sub = objectOf(instance, 'sub_container');
  const ref = textOf(objectOf(sub, 'top_container'), 'ref') ?? textOf(objectOf(instance, 'digital_object'), 'ref');
  return JSON.stringify([
    textOf(instance, 'instance_type'),
    ref,
    textOf(sub, 'type_2') ?? null,
    textOf(sub, 'indicator_2') ?? null,
    textOf(sub, 'barcode_2') ?? null,
  ]);
}
