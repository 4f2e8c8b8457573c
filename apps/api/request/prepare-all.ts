// Checking many bodies of one kind for a write that takes them all or none.
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Services } from '../services.ts';

/** The bodies in the form that is stored, in order. Fails with the first fault, as a write of that body alone would. For kinds of no repository. */
export async function prepareAll(
  services: Services,
  kind: Kind,
  bodies: readonly JsonObject[],
  operation: 'create' | 'update',
  userId: number | null,
): Promise<readonly Prepared[]> {
  const checked = await Promise.all(
    bodies.map((body) => services.checkRecord(kind.name, body, { repoId: null, userId, operation })),
  );
  return checked.map((each) => each.prepared);
}
