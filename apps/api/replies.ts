// The envelopes that writes answer, in the contract's key order (behaviour-records.md 1.2).
import type { Kind } from '#domain/kind.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Written } from '#store/records/write.ts';

const warningsOf = (written: Written): Json => (Object.keys(written.warnings).length === 0 ? [] : written.warnings);
const staleOf = (kind: Kind): Json => (kind.stale ? true : null);

/** The reply to a create. */
export function createdReply(kind: Kind, written: Written): JsonObject {
  return { status: 'Created', id: written.id, lock_version: written.lockVersion, stale: staleOf(kind), uri: written.uri, warnings: warningsOf(written) };
}

/** The reply to the update of a record body. */
export function updatedReply(kind: Kind, written: Written): JsonObject {
  return { ...createdReply(kind, written), status: 'Updated' };
}

/** The reply to an update without a body: publish, parent, accept_children and the like. */
export function touchedReply(kind: Kind, id: number, lockVersion: number): JsonObject {
  return { status: 'Updated', id, lock_version: lockVersion, stale: staleOf(kind) };
}

/** The reply to a delete. */
export function deletedReply(id: number): JsonObject {
  return { status: 'Deleted', id };
}
