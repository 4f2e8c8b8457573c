// PATCH of records with a JSON Merge Patch (RFC 7396): the record as GET shows it, patched, goes through the kind's own update, so that
// checks, permissions and effects are those of POST.
import { patchExample } from '../openapi/examples.ts';
import { operationName } from './names.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { Kind } from '#domain/kind.ts';
import { withoutBody } from '#domain/checking/bodiless-refusal.ts';
import { mergeObject } from '#domain/checking/merge-patch.ts';
import { isPermitted } from '../access/permission.ts';
import { jsonBody } from '../request/body.ts';
import { jsonTextOf } from '../reply/etag.ts';
import type { Reply } from '../reply/reply.ts';
import type { UnknownHandling } from '../request/unknown-names.ts';
import { unknownHandling } from '../request/unknown-names.ts';
import type { Route } from '../route.ts';
import type { CheckedRecord } from '../services.ts';
import type { AnyCall } from './if-match.ts';
import { idOf, matchedVersion, scopeOf, withVersion } from './if-match.ts';

/** The PATCH route of a kind, from its routes of reading and updating one record. */
export function patchRoute(kind: Kind, read: Route, update: Route): Route {
  return {
    method: 'PATCH',
    path: update.path,
    operation: `patch${operationName(kind)}`,
    area: update.area,
    summary: `Change some properties of one ${kind.name.replaceAll('_', ' ')}`,
    doc: 'A JSON Merge Patch (RFC 7396): null takes a property away, objects are merged, lists are replaced whole. Needs the lock_version that was read, in the patch, or If-Match with the ETag.',
    access: update.access,
    parameters: update.parameters,
    body: jsonBody({
      doc: 'The properties to change, and lock_version.',
      mediaType: 'application/merge-patch+json',
      example: patchExample(kind.example),
    }),
    ifMatch: true,
    replies: update.replies,
    handler: async (call) => {
      const patch = objectIn(call.body);
      const version = await matchedVersion(kind, call);
      const lockVersion = patch['lock_version'] ?? version;
      if (lockVersion === null) throw fail('stale_record', 'You must provide a lock_version in your request');
      const shown = await shownRecord(kind, read, call);
      // A place that nobody asked for must not be sent back: another may have moved the record since it was read.
      const { position: _, ...current } = shown;
      const merged = { ...mergeObject(current, patch), lock_version: lockVersion };
      const write = (): Promise<Reply | Json> =>
        writeThrough(
          kind,
          { read, update },
          call,
          { body: merged, asked: patch },
          unknownHandling(call.headers['prefer'], call.services.config),
        );
      return patch['lock_version'] === undefined ? withVersion(write) : write();
    },
  };
}

// request/content.ts refuses any other body for jsonBody().
const objectIn = (body: unknown): JsonObject => body as JsonObject;

/** The record as GET shows it to this caller, without anything resolved. */
export async function shownRecord(kind: Kind, read: Route, call: AnyCall): Promise<JsonObject> {
  const params = { ...call.params, id: idOf(call), resolve: [], with_members: true };
  const text = jsonTextOf(await read.handler({ ...call, params }));
  if (text === null) throw fail('not_found', `${kind.model} not found`);
  return JSON.parse(text);
}

/**
 * Sends a body through the kind's own update; a `position` in it is one that was asked for. What is stored beside the record, as the members of a group are, has no part
 * in its version: without a word of it in `asked` it stays as it is, and not as it was read, since others may have changed it meanwhile. `hidden`: properties of the body
 * that the caller is not shown.
 */
export async function writeThrough(
  kind: Kind,
  { read, update }: { readonly read: Route; readonly update: Route },
  call: AnyCall,
  {
    body,
    asked,
    hidden = [],
  }: { readonly body: JsonObject; readonly asked: JsonObject; readonly hidden?: readonly string[] },
  unknown: UnknownHandling = 'silent',
): Promise<Reply | Json> {
  const about = { repoId: scopeOf(kind, call), userId: call.caller.userId, operation: 'update', unknown } as const;
  const checked = await toldTo({ read, hidden }, call, call.services.checkRecord(kind.name, body, about));
  const beside = Object.entries(kind.properties).filter(([, property]) => property.kept === 'rows');
  const unasked = new Set(beside.map(([name]) => name).filter((name) => !(name in asked)));
  return update.handler({
    ...call,
    params: { with_members: true, password: null, ...call.params },
    body: { ...checked, asksPlace: true, unasked },
  });
}

/**
 * The outcome of checking a body that was made of a stored record. A refusal shows the body; to who may not read the record, or is not shown all that
 * the body has of it, it says what is wrong alone, and of what is hidden no more than that something is.
 */
export async function toldTo(
  { read, hidden }: { readonly read: Route; readonly hidden: readonly string[] },
  call: AnyCall,
  checking: Promise<CheckedRecord>,
): Promise<CheckedRecord> {
  try {
    return await checking;
  } catch (error) {
    if (!(error instanceof Failure) || (hidden.length === 0 && (await isPermitted(read.access, call)))) throw error;
    throw withoutBody(error, hidden);
  }
}
