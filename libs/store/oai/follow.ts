// Keeps `oai_item` up with the change feed: which records are harvestable, since when, and which are so no more (docs/decisions/0012).
// Changes of few records are carried out at once. What concerns many is put down and worked off in small transactions beside, so that
// the follower never waits for it. A fixed number of statements for a chunk of the feed and for a batch, whatever hangs on it.
import { isHarvested } from '#domain/formats/oai/format.ts';
import type { Database, Transaction } from '../connection/database.ts';
import type { FeedEntry } from '../change-log/followers.ts';
import { sql } from '../connection/sql.ts';
import type { Written } from './items.ts';
import { dropAllGone, lockItems, writeDeletedItems, writeItems } from './items.ts';
import {
  deferAll,
  deferHanging,
  deferRecords,
  expandDependents,
  headings,
  keepHeadings,
  readChangedHeadings,
  readHanging,
  readPutDown,
  takePending,
} from './dependents.ts';
import type { Ids } from './states.ts';
import { countOf, idsOf } from './states.ts';
import type { RecordKey } from '../records/record-key.ts';

/** The name of the follower. */
export const oaiFollower = 'oai';

/** So many records are written by one transaction: some 0.1 s, which is how long others wait for the lock. */
const batchSize = 1000;

const keysOf = (entries: readonly FeedEntry[]): readonly RecordKey[] =>
  entries.flatMap(({ kind, id, ids }) => (ids ?? (id === null ? [] : [id])).map((each) => ({ kind, id: each })));
const keysIn = ({ resource, archival_object: components }: Ids): readonly RecordKey[] => [
  ...resource.map((id) => ({ kind: 'resource', id })),
  ...components.map((id) => ({ kind: 'archival_object', id })),
];

/** Carries out a chunk of the feed, as far as it concerns few records, and puts the others down for workOffOai. */
export async function applyOaiEntries(entries: readonly FeedEntry[], tx: Transaction): Promise<void> {
  const harvested = entries.filter(isHarvested);
  const named = keysOf(entries.filter(({ kind }) => headings.has(kind)));
  if (harvested.length + named.length === 0) return;
  const isMuch = keysOf(harvested).length > batchSize;
  const [few, many] = [
    harvested.filter(({ ids }) => !isMuch || ids === null),
    harvested.filter(({ ids }) => isMuch && ids !== null),
  ];
  await deferRecords(tx, keysOf(many));
  await writeDeletedItems(
    tx,
    harvested.filter(({ op }) => op === 'delete'),
  );
  const headingsNow = await readChangedHeadings(tx, named);
  await writeSpreading(tx, idsOf(keysOf(few)), headingsNow);
}

/** Writes the items of records, and with them what hangs on these and on headings where that is little. */
async function writeSpreading(tx: Transaction, own: Ids, changedHeadings: readonly RecordKey[]): Promise<void> {
  if (countOf(own) + changedHeadings.length === 0) return;
  await lockItems(tx);
  const { spreading: above, settled } = await writeItems(tx, own, true);
  const sources = [...keysIn(above), ...changedHeadings];
  const hanging = await readHanging(tx, sources, batchSize, changedHeadings.length === 0 ? settled : undefined);
  if (hanging === null) return deferHanging(tx, sources);
  const { spreading } = await writeItems(tx, hanging, true);
  // Below sources in trees nothing is left out. What shows a heading may have changed at this moment itself, and its own entry in the feed
  // would then find it followed.
  if (changedHeadings.length > 0) await deferHanging(tx, keysIn(spreading));
}

// Rows of dependents of one transaction: a resource of a hundred thousand components is some seconds.
const dependentsAtOnce = 200;

/**
 * Works off a batch of what applyOaiEntries has put down, and gives whether there was any. To be called again until there is none; any
 * number of processes may.
 */
export async function workOffOai(database: Pick<Database, 'transaction' | 'reader'>): Promise<boolean> {
  const putDown = await readPutDown(database.reader);
  // Before the records, so that one which several changes concern is looked at once.
  const dependents = putDown.dependents
    ? await database.transaction((tx) => expandDependents(tx, dependentsAtOnce), { statementTimeoutMs: 300_000 })
    : 0;
  if (dependents > 0) return true;
  if (!putDown.pending) return false;
  return database.transaction(
    async (tx) => {
      await lockItems(tx);
      const { changed, compared, count } = await takePending(tx, batchSize);
      await deferBelow(tx, await writeItems(tx, changed, true));
      await deferBelow(tx, await writeItems(tx, compared, false));
      return count > 0;
    },
    { statementTimeoutMs: 300_000 },
  );
}

/**
 * Puts down what hangs on items that were written. Not those that were written with them, of which the same statement saw all that is above: of a tree
 * that appears as a whole, each component stood below others of its batch, and was written twice.
 */
async function deferBelow(tx: Transaction, { spreading, settled }: Written): Promise<void> {
  const sources = keysIn(spreading);
  const hanging = await readHanging(tx, sources, batchSize, settled);
  await (hanging === null ? deferHanging(tx, sources) : deferRecords(tx, keysIn(hanging)));
}

/** Has the table filled where the follower is not there yet: an older database, or one whose follower was removed to have it checked. Gives whether it did. */
export async function ensureOaiItems(database: Database): Promise<boolean> {
  return database.transaction(
    async (tx) => {
      // What is committed while this runs is in the feed behind this number, and then followed.
      const made = await tx.run(
        sql`INSERT INTO follower (name, n) SELECT ${oaiFollower}, n FROM sequencer ON CONFLICT DO NOTHING`,
      );
      if (made === 0) return false;
      await lockItems(tx);
      await keepHeadings(tx);
      await dropAllGone(tx);
      await deferAll(tx);
      return true;
    },
    { statementTimeoutMs: 3_600_000 },
  );
}
