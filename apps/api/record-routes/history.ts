// The history of a record: its steps with what each changed, any version as it was, and bringing a version back.
import { shape } from '../openapi/shape.ts';
import { restored, updated } from '../openapi/shapes/envelopes.ts';
import { historyEntry, purged, versionName } from '../openapi/shapes/history.ts';
import { operationName } from './names.ts';
import { uriOf } from '#domain/addresses.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import { restoredBody } from '#domain/history/restored-body.ts';
import type { Kind } from '#domain/kind.ts';
import type { HistoryOf, Version } from '#store/records/history/history.ts';
import { readHistory, readVersion, versionText } from '#store/records/history/history.ts';
import { purgeHistory } from '#store/records/history/purge.ts';
import { undeleteRecord } from '#store/records/history/undelete.ts';
import { audit } from '../access/audit.ts';
import { textBody } from '../request/body.ts';
import { parseJson, trouble } from '../request/json-text.ts';
import { defaultPageSize, pageParameters, toPage } from '../request/pagination.ts';
import { integerBetween, text } from '../request/parameters.ts';
import { createdReply } from '../reply/envelopes.ts';
import type { Reply } from '../reply/reply.ts';
import { jsonText } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { historyAccess } from './history-access.ts';
import type { AnyCall } from './if-match.ts';
import { idOf, matchedVersion, scopeOf, withVersion } from './if-match.ts';
import { shownRecord, toldTo, writeThrough } from './patch.ts';
import { viewerOf, writeContext } from './viewing.ts';

const words = (kind: Kind): string => kind.name.replaceAll('_', ' ');
const version = integerBetween(0, largestInt4)({ doc: 'A lock_version that the record had.', example: 0 });
const state = integerBetween(
  0,
  largestInt4,
)({
  optional: true,
  doc: 'The `state` of the entry, where it is not the last of its version that is meant: publishing and suppressing make none.',
});

const about = (kind: Kind, call: AnyCall): HistoryOf => ({
  kind,
  id: idOf(call),
  repoId: scopeOf(kind, call),
  viewer: viewerOf(call),
  hidden: historyAccess.hidden(kind, call),
});
const inAddress = (read: Route): Route['parameters'] =>
  Object.fromEntries(Object.entries(read.parameters).filter(([name]) => read.path.split('/').includes(`:${name}`)));

/** The routes of a kind's history; who may call them is in history-access.ts. */
export function historyRoutes(kind: Kind, read: Route, update: Route | undefined): readonly Route[] {
  return [
    historyRoute(kind, read, update),
    versionRoute(kind, read, update),
    purgeRoute(kind, read),
    ...(update === undefined ? [] : [restoreRoute(kind, read, update)]),
  ];
}

function historyRoute(kind: Kind, read: Route, update: Route | undefined): Route {
  return {
    method: 'GET',
    path: `${read.path}/history`,
    operation: `get${operationName(kind)}History`,
    area: read.area,
    summary: `Read the history of one ${words(kind)}`,
    doc: 'Newest first: who saved it, when, and what changed property by property. A deleted record has its history too.',
    access: historyAccess.see(read, update),
    parameters: {
      ...inAddress(read),
      page: { ...pageParameters.page, default: 1, optional: true },
      page_size: pageParameters.page_size,
    },
    replies: {
      200: { says: 'The newest first.', shape: shape.page(historyEntry) },
      404: `${kind.model} not found`,
    },
    handler: async (call) => {
      const [page, size] = [Number(call.params['page'] ?? 1), Number(call.params['page_size'] ?? defaultPageSize)];
      const { total, entries } = await readHistory(call.services.database.reader, about(kind, call), {
        offset: (page - 1) * size,
        limit: size,
      });
      return jsonText(JSON.stringify(toPage(page, size, total, entries)));
    },
  };
}

function versionRoute(kind: Kind, read: Route, update: Route | undefined): Route {
  return {
    method: 'GET',
    path: `${read.path}/history/:version`,
    operation: `get${operationName(kind)}Version`,
    area: read.area,
    summary: `Read one ${words(kind)} as it was`,
    doc: 'The content of a version in the form of the record, without what is computed from other records or kept outside it (its place in a tree, mutual links).',
    access: historyAccess.see(read, update),
    parameters: { ...inAddress(read), version, state },
    replies: {
      200: { says: 'The record as it was.', shape: shape.record(versionName(kind)) },
      404: 'No such record or version.',
    },
    handler: async (call) => {
      const asked = about(kind, call);
      return jsonText(versionText(asked, await readVersion(call.services.database.reader, asked, ...wantedIn(call))));
    },
  };
}

function purgeRoute(kind: Kind, read: Route): Route {
  return {
    method: 'POST',
    path: `${read.path}/history/purge`,
    operation: `purge${operationName(kind)}History`,
    area: read.area,
    summary: `Erase the history of one ${words(kind)}`,
    doc: 'An addition of Muniment, for personal data that must go. Erases the earlier versions of the record, there or deleted, those of the records that were merged into it, and what undoing those merges would need. The record as it is stays. There is no way back. The audit log tells that it was done, and by whom.',
    // Administrators without a grant of it: what clients are told that they may do is as the interface has it.
    access: { any: ['purge_history', 'administer_system'] },
    parameters: inAddress(read),
    replies: { 200: { says: 'What was erased.', shape: purged }, 404: `${kind.model} not found` },
    handler: async (call) => {
      const id = idOf(call);
      const repoId = scopeOf(kind, call);
      const done = await call.services.database.transaction(async (tx) => {
        const counts = await purgeHistory(tx, kind, id, repoId);
        await audit(tx, call, { event: 'history_purged', subject: uriOf(kind, id, repoId), details: { ...counts } });
        return counts;
      });
      return { status: 'Purged', id, ...done };
    },
  };
}

function restoreRoute(kind: Kind, read: Route, update: Route): Route {
  return {
    method: 'POST',
    path: `${read.path}/history/:version/restore`,
    operation: `restore${operationName(kind)}Version`,
    area: read.area,
    summary: `Bring back a version of one ${words(kind)}`,
    doc: 'Writes the content of the version as a new one, through the checks of any update. Needs the lock_version of the record as it is now: as parameter, in the body, or by If-Match. A deleted record comes back under its uri and needs none; a node of a tree then needs its place in the body (root, parent, position).',
    access: historyAccess.restore(update),
    parameters: {
      ...inAddress(read),
      version,
      state,
      lock_version: text({ optional: true, doc: 'The version that the record has now.' }),
    },
    body: textBody({
      doc: 'Nothing, or a JSON object with lock_version.',
      mediaType: 'application/json',
      optional: true,
      shape: shape.schema({
        type: 'object',
        properties: { lock_version: { type: ['integer', 'string'] } },
        additionalProperties: true,
      }),
      example: { lock_version: 0 },
    }),
    ifMatch: true,
    replies: {
      200: { says: 'Restored: the new lock_version.', shape: shape.anyOf(updated, restored) },
      400: 'The content breaks a rule of today, or names a record that is gone.',
      404: 'No such record or version.',
      409: 'Another update came first.',
    },
    handler: async (call) => {
      const given = givenIn(String(call.body ?? ''));
      const asked = about(kind, call);
      const wanted = await readVersion(call.services.database.reader, asked, ...wantedIn(call));
      if (wanted.current === null) return undelete(kind, read, asked, wanted, given, call);
      const matched = await matchedVersion(kind, call);
      const sent = call.params['lock_version'] ?? given['lock_version'] ?? null;
      const lockVersion = sent ?? matched;
      if (typeof lockVersion !== 'string' && typeof lockVersion !== 'number')
        throw fail('stale_record', 'You must provide a lock_version in your request');
      const shown = await shownRecord(kind, read, call);
      const body = restoredBody(
        kind,
        { shown, stored: wanted.current, old: wanted.body, publish: wanted.publish },
        asked.hidden,
      );
      const write = (): ReturnType<typeof writeThrough> =>
        writeThrough(kind, { read, update }, call, {
          body: { ...body, lock_version: lockVersion },
          asked: {},
          hidden: asked.hidden,
        });
      return sent === null ? withVersion(write) : write();
    },
  };
}

/** The version of a call, and the state of it that is wanted. */
function wantedIn(call: AnyCall): readonly [version: number, place: number | null] {
  const place = call.params['state'] ?? null;
  return [Number(call.params['version']), place === null ? null : Number(place)];
}

/** What the body says: nothing, a JSON object, or a form with lock_version. */
function givenIn(body: string): JsonObject {
  if (body.trim() === '') return {};
  if (!body.trimStart().startsWith('{')) return Object.fromEntries(new URLSearchParams(body));
  const value = parseJson(body);
  if (!isObject(value)) throw trouble('expected a JSON object');
  return value;
}

async function undelete(
  kind: Kind,
  read: Route,
  asked: HistoryOf,
  wanted: Version,
  given: JsonObject,
  call: AnyCall,
): Promise<Reply | JsonObject> {
  // Users, groups and repositories are more than their record: what stood around them is gone.
  if (kind.uniform === false || kind.may.create === undefined)
    throw fail('conflict', `A deleted ${words(kind)} cannot be brought back`);
  if (!historyAccess.mayUndelete(kind, call)) throw fail('access_denied', 'Access denied');
  const { lock_version: _, ...place } = given;
  const flag = wanted.publish === null ? {} : { publish: wanted.publish };
  const placed =
    kind.tree === undefined
      ? {}
      : Object.fromEntries(
          Object.entries(place).filter(([property]) =>
            [kind.tree?.rootProperty, 'parent', 'position'].includes(property),
          ),
        );
  // With contact details that the caller is not shown: they come back, and stay hidden from this caller.
  const body = { ...wanted.body, ...flag, ...placed };
  const about = { repoId: asked.repoId, userId: call.caller.userId, operation: 'create' } as const;
  const { prepared } = await toldTo(
    { read, hidden: asked.hidden },
    call,
    call.services.checkRecord(kind.name, body, about),
  );
  const written = await call.services.database.transaction((tx) =>
    undeleteRecord(tx, kind, asked.id, prepared, wanted, writeContext({ ...call, repoId: asked.repoId })),
  );
  return { ...createdReply(kind, written), status: 'Restored' };
}
