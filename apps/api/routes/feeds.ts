// Feeds: what is deleted, what changed, what clients should read anew, and who edits what (contract 5.8). Long polls are parked: they
// hold no connection and no transaction while they wait.
import { shape } from '../openapi/shape.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import { readEdits, reportEdits } from '#store/records/active-edits.ts';
import { waitForFeed } from '#store/change-log/long-poll.ts';
import { readNotifications } from '#store/change-log/notifications.ts';
import type { RecordChange } from '#store/change-log/record-feed.ts';
import { feedStart, readRecordChanges } from '#store/change-log/record-feed.ts';
import { listDeleted } from '#store/change-log/tombstones.ts';
import { recordBody } from '../request/body.ts';
import { modifiedSince, pageParameters, toPage } from '../request/pagination.ts';
import { integerBetween, resolve } from '../request/parameters.ts';
import { jsonPieces } from '../reply/reply.ts';
import type { Call, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { viewerOf, withRefsResolved } from '../record-routes/viewing.ts';

const area = 'feeds';
const lastSequence = integerBetween(
  -Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
)({
  default: 0,
  doc: 'The last sequence number that the caller has seen; 0 or less, or one that is not yet reached, begins a minute ago.',
});

const deleteFeed = defineRoute({
  method: 'GET',
  path: '/delete-feed',
  operation: 'listDeletedRecords',
  area,
  summary: 'Deleted records, paged',
  access: { all: ['index_system'] },
  parameters: {
    ...pageParameters,
    modified_since: { ...modifiedSince, doc: 'Only what was deleted at or after this time, in seconds since 1970.' },
    resolve,
  },
  replies: {
    200: {
      says: 'A page of uris, without a total.',
      shape: shape.object({
        first_page: shape.integer,
        last_page: shape.integer,
        this_page: shape.integer,
        results: shape.list(shape.uri),
      }),
      example: { first_page: 1, last_page: 1, this_page: 1, results: ['/repositories/2/accessions/1'] },
    },
  },
  handler: async (call) => {
    const { page, page_size: limit, modified_since: modifiedSince } = call.params;
    const { total, uris } = await listDeleted(call.services.database.reader, {
      offset: (page - 1) * limit,
      limit,
      modifiedSince,
    });
    const { total: _, ...wrapper } = toPage(page, limit, total, uris);
    return wrapper;
  },
});

const patienceOf = (
  call: Pick<Call<unknown, unknown>, 'services' | 'whenGone' | 'closing'>,
): { readonly waitMs: number; readonly signal: AbortSignal } => ({
  waitMs: call.services.config.MUNIMENT_LONG_POLL_SECONDS * 1000,
  signal: AbortSignal.any([call.whenGone(), call.closing]),
});

const updateFeed = defineRoute({
  method: 'GET',
  path: '/update-feed',
  operation: 'waitForUpdates',
  area,
  summary: 'Wait for changed records',
  doc: 'Gives what changed after `last_sequence`, at once where there is something and otherwise as soon as there is, or an empty list after a minute. Every change is told, whatever made it, and kept as long as the feed is; of several changes of a record in one reply the last.',
  access: { all: ['index_system'] },
  parameters: { last_sequence: lastSequence, resolve },
  replies: {
    200: {
      says: 'Changed records in the order of their changes; `record` is "deleted" for those that are gone.',
      shape: shape.list(
        shape.object({
          record: shape.anyOf(shape.anyObject, shape.oneOf('deleted')),
          uri: shape.uri,
          sequence: shape.integer,
          timestamp: shape.integer,
        }),
      ),
      example: [{ record: 'deleted', uri: '/repositories/2/accessions/1', sequence: 12, timestamp: 1795239156058 }],
    },
  },
  handler: async (call) => {
    const { reader } = call.services.database;
    const viewer = viewerOf(call);
    let after = await feedStart(reader, call.params.last_sequence);
    const look = async (): Promise<readonly RecordChange[]> => {
      for (;;) {
        const { changes, upTo } = await readRecordChanges(reader, after, viewer);
        // What concerns no records is passed over, and not looked at again.
        if (changes.length > 0 || upTo === after) return changes;
        after = upTo;
      }
    };
    const changes = await waitForFeed(call.services.listener, look, patienceOf(call));
    return jsonPieces(await withRefsResolved(call, call.params.resolve, `[${changes.map(changeText).join(',')}]`));
  },
});

const changeText = ({ uri, text, sequence, timestamp }: RecordChange): string =>
  `{"record":${text ?? '"deleted"'},"uri":${JSON.stringify(uri)},"sequence":${sequence},"timestamp":${timestamp}}`;

const notifications = defineRoute({
  method: 'GET',
  path: '/notifications',
  operation: 'waitForNotifications',
  area,
  summary: 'Wait for notifications',
  doc: 'Tells clients that what they remember has changed: groups, repositories, controlled lists, vocabularies, preferences. Answers at once where there is something newer, otherwise as soon as there is, or an empty list after a minute.',
  access: 'public',
  parameters: { last_sequence: lastSequence },
  replies: {
    200: {
      says: 'Notifications in order.',
      shape: shape.list(
        shape.object({
          code: shape.text,
          params: shape.anyObject,
          sequence: shape.integer,
          timestamp: shape.integer,
        }),
      ),
      example: [{ code: 'REPOSITORY_CHANGED', params: {}, sequence: 12, timestamp: 1795239156058 }],
    },
  },
  handler: async (call) => {
    const found = await waitForFeed(
      call.services.listener,
      () => readNotifications(call.services.database.reader, call.params.last_sequence),
      patienceOf(call),
    );
    return found.map((each): JsonObject => ({ ...each }));
  },
});

const updateMonitor = defineRoute({
  method: 'POST',
  path: '/update_monitor',
  operation: 'reportActiveEdits',
  area,
  summary: 'Report and read concurrent editing',
  doc: 'Takes who edits what, and answers with everything that anybody reported in the last half minute.',
  access: { all: ['mediate_edits'] },
  parameters: {},
  body: recordBody('active_edits', 'create', {
    example: {
      active_edits: [{ uri: '/repositories/2/accessions/1', user: 'admin', time: '2026-01-31T12:00:00Z' }],
    },
  }),
  replies: {
    200: {
      says: 'By uri: who edits the record, and its stored version.',
      shape: shape.mapOf(
        shape.object({}, { edited_by: shape.mapOf(shape.text), lock_version: shape.nullable(shape.integer) }),
      ),
      example: { '/repositories/2/accessions/1': { edited_by: { admin: '2026-01-01T00:00:00Z' }, lock_version: 0 } },
    },
  },
  handler: async (call) => {
    const edits = objectsOf(call.body.record, 'active_edits').map((edit) => ({
      uri: textOf(edit, 'uri') ?? '',
      user: textOf(edit, 'user') ?? '',
      time: textOf(edit, 'time') ?? '',
    }));
    const { database } = call.services;
    if (edits.length > 0) await database.transaction((tx) => reportEdits(tx, edits));
    return readEdits(database.reader);
  },
});

/** The routes of this file. */
export const feedRoutes: readonly Route[] = [deleteFeed, updateFeed, notifications, updateMonitor];
