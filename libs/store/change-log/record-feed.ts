// What happened to records, as clients follow it: the durable feed with the records as they are now, and the uris of what is gone
// (contract 5.8).
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { kinds } from '#domain/kinds/index.ts';
import { user } from '#domain/kinds/user.ts';
import { group } from '#domain/kinds/group.ts';
import type { Reader } from '../connection/database.ts';
import type { FeedEntry } from './followers.ts';
import { readFeed } from './followers.ts';
import type { Viewer } from '../records/reading/viewer.ts';
import { readRecords } from '../records/reading/read.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** A changed record: its JSON text, or null where it was deleted. `sequence` is the number of the change, `timestamp` in milliseconds since 1970. */
export type RecordChange = {
  readonly uri: string;
  readonly text: string | null;
  readonly sequence: number;
  readonly timestamp: number;
};

/** Changes of records, and the number up to which the feed was read: further than the last change where the rest concerns no records. */
export type RecordChanges = { readonly changes: readonly RecordChange[]; readonly upTo: number };

// Records of users and groups say who may do what; they are no business of those who index.
const left: ReadonlySet<string> = new Set([user.name, group.name]);
const recordsAtOnce = 250;
const entriesAtOnce = 250;

const StartRow = z.strictObject({ start: column.int });

/** Where a follower begins that has read up to `after`: there; or, from 0 and from a number not yet reached, a minute ago. */
export async function feedStart(reader: Reader, after: number): Promise<number> {
  const { start } = await reader.one(sql.type(StartRow)`
    SELECT CASE WHEN ${after}::bigint BETWEEN 1 AND s.n THEN ${after}::bigint ELSE coalesce((SELECT min(f.n) - 1 FROM feed f WHERE f.at > now() - interval '60 seconds'), s.n) END::bigint AS start FROM sequencer s`);
  return start;
}

/**
 * The next changes after a number: some 250 records, but always a whole entry of the feed (a batch has up to a thousand under one number).
 * Of several changes of a record the last one is told. A fixed number of statements.
 */
export async function readRecordChanges(reader: Reader, after: number, viewer: Viewer): Promise<RecordChanges> {
  const entries = within(await readFeed(reader, after, entriesAtOnce));
  const last = new Map<string, { readonly entry: FeedEntry; readonly id: number }>();
  for (const entry of entries) {
    if (!kinds.has(entry.kind) || left.has(entry.kind)) continue;
    for (const id of entry.ids ?? (entry.id === null ? [] : [entry.id])) {
      const uri = uriOf(kindNamed(entry.kind), id, entry.repoId);
      // Anew at its end, so that the order is that of the last changes.
      last.delete(uri);
      last.set(uri, { entry, id });
    }
  }
  const wanted = new Map<string, number[]>();
  for (const { entry, id } of last.values())
    if (entry.op !== 'delete') wanted.set(entry.kind, [...(wanted.get(entry.kind) ?? []), id]);
  const found = await readRecords(reader, wanted, viewer);
  const times = await timesOf(reader, entries);
  const changes = [...last].flatMap(([uri, { entry }]): RecordChange[] => {
    const at = { sequence: entry.n, timestamp: times.get(entry.n) ?? 0 };
    if (entry.op === 'delete') return [{ uri, text: null, ...at }];
    // What is not there was deleted or moved since, and that change comes later.
    const record = found.get(uri);
    return record === undefined ? [] : [{ uri, text: record.text, ...at }];
  });
  return { changes, upTo: entries.at(-1)?.n ?? after };
}

function within(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  let count = 0;
  const end = entries.findIndex((entry, index) => {
    count += entry.ids?.length ?? 1;
    return index > 0 && count > recordsAtOnce;
  });
  return end === -1 ? entries : entries.slice(0, end);
}

const TimesOfRow = z.strictObject({ n: column.int, ms: column.int });

// Entries come with times in whole seconds.
async function timesOf(reader: Reader, entries: readonly FeedEntry[]): Promise<ReadonlyMap<number, number>> {
  const [first, last] = [entries[0], entries.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const rows = await reader.any(sql.type(TimesOfRow)`
    SELECT n, floor(extract(epoch FROM at) * 1000)::bigint AS ms FROM feed WHERE n BETWEEN ${first.n} AND ${last.n}`);
  return new Map(rows.map(({ n, ms }) => [n, ms]));
}
