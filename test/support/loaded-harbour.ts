// A database that holds the harbour board's records (harbour.ts) at their addresses, with the times and the people that their replies tell: what is
// read of it is the same in each run.
import { afterAll } from 'vitest';
import { isObject, textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import { Database } from '#store/connection/database.ts';
import { linesAsArray } from '../../apps/worker/loading/lines.ts';
import { loadRecords } from '../../apps/worker/loading/load.ts';
import { chunksOf } from './batch.ts';
import { createDatabase } from './database.ts';
import { audit, harbourRecords, replyOf } from './harbour.ts';
import type { HarbourRecord } from './harbour.ts';
import { sharedThreads } from './threads.ts';

// Their addresses are those of users and groups that the service makes by itself.
const ofService = new Set(['user', 'group']);

const addresses = new Set(harbourRecords.map(({ uri }) => uri));

// Two name a parent that is no record of the board's: there they stand at the top.
function loadedOf(record: HarbourRecord): JsonObject {
  const { parent, ...rest } = replyOf(record);
  return isObject(parent) && addresses.has(textOf(parent, 'ref') ?? '') ? { ...rest, parent } : rest;
}

// Where a box was before, by the fixtures.
const otherLocation = {
  jsonmodel_type: 'location',
  uri: '/locations/2',
  building: 'Harbour House',
  barcode: 'HH-2',
  ...audit,
};

/** Makes the database, and drops it after the last test of the file that awaits this at its top. */
export async function loadHarbour(): Promise<Database> {
  const own = await createDatabase();
  const database = new Database({ url: own.url, poolSize: 3 });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await own.drop();
  });
  const threads = await sharedThreads();
  const loaded = harbourRecords.filter(({ kind }) => !ofService.has(kind.name));
  const text = [...loaded.map(loadedOf), otherLocation].map((record) => JSON.stringify(record)).join('\n');
  await database.transaction((tx) =>
    loadRecords(
      tx,
      {
        source: () => linesAsArray(chunksOf(text, 1_000_000)),
        sizeBytes: 0,
        blockBytes: 1_000_000,
        intoFilled: true,
        actor: 'admin',
        limit: 100,
      },
      { threads, signal: new AbortController().signal, progress: () => undefined },
    ),
  );
  return database;
}
