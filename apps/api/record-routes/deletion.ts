// Deleting one record: at once, or, with much below it or many that link to it, by a job, which the request waits for (decision 0022).
import type { Kind } from '#domain/kind.ts';
import { deleteRecord, directlyDeleted } from '#domain/jobs/delete-record.ts';
import { deleteRecord as remove } from '#store/records/deleting/delete.ts';
import { hasManyHolders } from '#store/records/deleting/unlink-first.ts';
import { requireShown } from '#store/records/reading/read.ts';
import { treePlaceOf } from '#store/records/visibility/reach.ts';
import { hasMoreThan } from '#store/trees/below.ts';
import { deletedReply } from '../reply/envelopes.ts';
import type { Reply } from '../reply/reply.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Call } from '../route.ts';
import { versionToDelete, withVersion } from './if-match.ts';
import { doJob } from './jobs.ts';
import { viewerOf } from './viewing.ts';

/** Deletes the record of a call with everything below it; gives the reply, which is a 202 where a job does it that the client does not wait for. */
export async function deleteOne(
  kind: Kind,
  id: number,
  call: Call<{ readonly id: number }, unknown>,
): Promise<Reply | JsonObject> {
  const { services, caller, repoId } = call;
  const { database } = services;
  const actor = caller.username;
  await requireShown(database.reader, kind, [id], viewerOf(call));
  const lockVersion = await versionToDelete(kind, call);
  const place = await treePlaceOf(database.reader, kind, id, repoId);
  const isMuch =
    place !== null &&
    (await hasMoreThan(database.reader, [{ tree: place.tree, ids: place.isRoot ? null : [id] }], directlyDeleted));
  const isHeldByMany = await hasManyHolders(database.reader, [{ kind: kind.name, id }]);
  if (!isMuch && !isHeldByMany) {
    await withVersion(() => database.transaction((tx) => remove(tx, kind, id, repoId, actor, lockVersion)));
    return deletedReply(id);
  }
  const where = { repoId, nodeKind: place?.node.name ?? null, rootId: place?.tree.rootId ?? null };
  const early = await withVersion(() =>
    doJob(
      call,
      deleteRecord,
      { kind: kind.name, id, ...where, lockVersion, isHeldByMany, actor },
      { repoId, owner: actor },
    ),
  );
  return early ?? deletedReply(id);
}
