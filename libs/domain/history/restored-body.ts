// The body that brings an earlier version back. Sent through the ordinary update, so all its checks apply.
import type { JsonObject } from '../json.ts';
import type { Kind } from '../kind.ts';

/** What a body is made from: the record as GET shows it now, its stored body, and the stored body and flag of the old version. */
export type Restoring = {
  readonly shown: JsonObject;
  readonly stored: JsonObject;
  readonly old: JsonObject;
  readonly publish: boolean | null;
};

/**
 * The old content, with what is kept outside bodies as it is now: the place in a tree, links that both sides write, members and
 * permissions of a group. Without `position`, so that nothing moves. `kept` names further properties that stay as they are now.
 */
export function restoredBody(
  kind: Kind,
  { shown, stored, old, publish }: Restoring,
  kept: readonly string[],
): JsonObject {
  const outside = Object.entries(shown).filter(
    ([property]) => !(property in stored) && !(property in old) && property !== 'position',
  );
  const content = Object.entries(old).filter(([property]) => !kept.includes(property));
  const asNow = kept.flatMap((property) => (property in stored ? [[property, stored[property]] as const] : []));
  const flag = publish === null || kind.properties['publish'] === undefined ? {} : { publish };
  return { ...Object.fromEntries([...outside, ...content, ...asNow]), ...flag };
}
