// Who may write and delete preferences (contract 6.14): asked by their own routes, and by the deletion of several records at once.
import type { Caller } from '#domain/access/caller.ts';
import { can, globalRepoId } from '#domain/access/caller.ts';
import type { JsonObject } from '#domain/json.ts';
import { preference } from '#domain/kinds/preference.ts';
import { readRecord } from '#store/records/reading/read.ts';
import type { Call } from '../route.ts';
import type { Services } from '../services.ts';

/** Whether the caller may write a preference: one's own, a repository's as its manager, those of everybody as administrator. */
export function mayWritePreference(caller: Caller, userId: unknown, repoId: number): boolean {
  if (caller.userId === null) return false;
  if (typeof userId === 'number') return userId === caller.userId;
  return can(caller, repoId === globalRepoId ? 'administer_system' : 'manage_repository', repoId);
}

/** Whose preference it is, as stored. Fails with `not_found`. */
export async function ownerOfPreference({ database }: Services, id: number, repoId: number): Promise<unknown> {
  const record: JsonObject = JSON.parse(
    (await readRecord(database.reader, preference, id, repoId, { seesSuppressed: true })).text,
  );
  return record['user_id'];
}

/** Whether the caller may delete a preference. Fails with `not_found` for one that is not there, for whom that permission does not keep from knowing. */
export async function mayDeletePreference(
  { caller, services }: Pick<Call<unknown, unknown>, 'caller' | 'services'>,
  id: number,
  repoId: number,
): Promise<boolean> {
  return (
    can(caller, 'delete_archival_record', repoId) &&
    mayWritePreference(caller, await ownerOfPreference(services, id, repoId), repoId)
  );
}
