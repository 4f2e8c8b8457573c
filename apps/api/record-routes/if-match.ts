// If-Match on writes of records: an addition beside lock_version (docs/guides/patch-and-etag.md). Clients that do not send it see nothing of it.
import { Failure, fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import { lockVersionOf } from '#store/records/reading/read.ts';
import { versionsIn } from '../reply/etag.ts';
import type { Call, Route } from '../route.ts';
import type { CheckedRecord } from '../services.ts';
import { viewerOf } from './viewing.ts';

/** A call of a route whose parameters and body are known by name only. */
export type AnyCall = Call<{ readonly [name: string]: unknown }, unknown>;

/** The failure of If-Match. 412 as HTTP has it; `code` tells it from a dead session. */
const preconditionFailed = (): Failure =>
  fail('precondition_failed', 'The record has another version than If-Match names', { code: 'PRECONDITION_FAILED' });

/** The id in the address of a record; repositories name theirs repo_id in some routes. */
export const idOf = (call: AnyCall): number => Number(call.params['id'] ?? call.params['repo_id']);

/** The repository that records of a kind are looked for in: none for global kinds, whose own route may name one. */
export const scopeOf = (kind: Kind, call: AnyCall): number | null => (kind.scope === 'repository' ? call.repoId : null);

/** The version that If-Match names and the record has; null where the client sent no If-Match. Fails with `precondition_failed`, `not_found`: also where the caller is not shown the record. */
export async function matchedVersion(kind: Kind, call: AnyCall): Promise<number | null> {
  const wanted = versionsIn(call.headers['if-match']);
  if (wanted === null) return null;
  const version = await lockVersionOf(
    call.services.database.reader,
    kind,
    idOf(call),
    scopeOf(kind, call) ?? undefined,
    viewerOf(call),
  );
  if (wanted !== 'any' && !wanted.includes(version)) throw preconditionFailed();
  return version;
}

/** The version that a record must have to be deleted: as matchedVersion, but null for `*`, since a save that comes in between is as good as any. */
export async function versionToDelete(kind: Kind, call: AnyCall): Promise<number | null> {
  const version = await matchedVersion(kind, call);
  return versionsIn(call.headers['if-match']) === 'any' ? null : version;
}

/** Whether a body came through recordBody(). */
function isChecked(body: unknown): body is CheckedRecord {
  return typeof body === 'object' && body !== null && 'prepared' in body && 'warnings' in body;
}

/**
 * The route with If-Match. Where the body has no lock_version, that of the tag counts, and losing to another write is a failed
 * precondition too; a lock_version that was sent is checked as ever.
 */
export function withIfMatch(kind: Kind, route: Route): Route {
  return {
    ...route,
    ifMatch: true,
    handler: async (call) => {
      const version = await matchedVersion(kind, call);
      if (version === null) return route.handler(call);
      if (!isChecked(call.body) || !isAbsent(call.body.lockVersion)) return route.handler(call);
      return withVersion(() =>
        route.handler({ ...call, body: { ...(call.body as CheckedRecord), lockVersion: version } }),
      );
    },
  };
}

const isAbsent = (version: unknown): boolean => version === undefined || version === null || version === '';

/** Runs a write whose version came from If-Match. */
export async function withVersion<T>(write: () => Promise<T> | T): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw error instanceof Failure && error.code === 'stale_record' ? preconditionFailed() : error;
  }
}
