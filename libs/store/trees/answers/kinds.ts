// The keys that each kind of tree adds to the common ones (contract, trees 1.2, 1.4, 1.5), in the order of the wire.
import { type JsonObject, textOf } from '#domain/json.ts';
import { archivalObjectKeys } from './archival-object.ts';
import { classificationTermKeys } from './classification-term.ts';
import { digitalObjectComponentKeys } from './digital-object-component.ts';
import type { Surroundings } from './page.ts';

/** What a kind of nodes adds; undefined values are left out of the answer. */
export type KindKeys = {
  /** To tree/root, from the root's body. */
  readonly root: (body: JsonObject, around: Surroundings) => JsonObject;
  /** To an entry of a waypoint. */
  readonly entry: (body: JsonObject, around: Surroundings) => JsonObject;
  /** To tree/node. */
  readonly node: (body: JsonObject) => JsonObject;
};

/** The keys of a kind of nodes by its name. A kind without an entry of its own adds `identifier` where its body has one. */
export function keysOf(nodeKind: string): KindKeys {
  if (nodeKind === 'archival_object') return archivalObjectKeys;
  if (nodeKind === 'digital_object_component') return digitalObjectComponentKeys;
  if (nodeKind === 'classification_term') return classificationTermKeys;
  const identifier = (body: JsonObject): JsonObject => ({ identifier: textOf(body, 'identifier') });
  return { root: identifier, entry: identifier, node: identifier };
}
