// Documents written into a search index for tests that have no records: what a batch of the indexer writes, without the books it keeps.
import { parseUri } from '#domain/addresses.ts';
import type { SearchDocument } from '#domain/search/documents/document.ts';
import { packDocuments } from '#domain/search/documents/packed.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { readEdition } from '#store/search/document-version.ts';
import type { SearchMirror } from '#store/search/port.ts';
import type { RecordKey } from '#store/records/record-key.ts';
import { keyOf } from '#store/search/postgres/keys.ts';
import { countWords } from '#store/search/postgres/words.ts';
import { readIndexed, writeDocuments } from '#store/search/postgres/write.ts';

/**
 * Puts in all documents of some records, replacing what these records had. `seq` is the change up to which the records were read; a
 * document already written from a later one stays.
 */
export async function indexDocuments(
  database: Database,
  documents: readonly SearchDocument[],
  seq: number,
  mirror: SearchMirror | null = null,
): Promise<void> {
  const records = new Map(documents.map(({ kind, recordId }) => [`${kind} ${recordId}`, { kind, id: recordId }]));
  await write(database, [...records.values()], documents, seq, mirror);
}

/** Takes out everything made of the records with these URIs. */
export async function removeDocuments(
  database: Database,
  uris: readonly string[],
  mirror: SearchMirror | null = null,
): Promise<void> {
  const records = uris.flatMap((uri) => parseUri(uri) ?? []);
  await write(database, records, [], Number.MAX_SAFE_INTEGER, mirror);
}

/** Forgets what the set-up of a database hid from callers, which an indexer would have come to: until then PostgreSQL answers, whatever the index (decision 0025). */
export async function forgetWhatSetUpHid(database: Database): Promise<void> {
  await database.transaction((tx) => tx.run(sql`DELETE FROM search_hidden`));
}

async function write(
  database: Database,
  records: readonly RecordKey[],
  documents: readonly SearchDocument[],
  seq: number,
  mirror: SearchMirror | null,
): Promise<void> {
  await database.transaction(async (tx) => {
    const known = await readIndexed(tx, records);
    const packed = packDocuments(documents, ({ kind, recordId }) => !known.has(keyOf({ kind, id: recordId })));
    await writeDocuments(tx, records, packed, { seq, edition: await readEdition(tx) });
    await countWords(tx, packed.words);
    await mirror?.write(tx, records);
  });
}
