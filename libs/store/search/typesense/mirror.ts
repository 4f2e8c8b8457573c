// Keeps a Typesense index beside PostgreSQL's: what a batch wrote there is written here before the batch commits. PostgreSQL keeps the books
// (what is due, what is newer, whom a change concerns), so nothing is missed, and a batch that is cut off is done again as a whole.
import { fail } from '#domain/errors.ts';
import { isObject, textOf } from '#domain/json.ts';
import type { Json } from '#domain/json.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { SearchMirror } from '../port.ts';
import { refused } from './client.ts';
import type { TypesenseClient } from './client.ts';
import type { Collections } from './collections.ts';
import { oneOf, printFilter } from './filter.ts';
import { finishRebuild, prepareIndex } from './rebuild.ts';
import { documentIdsOf, toTypesenseDocument, MirroredRow } from './schema.ts';
import { keyTable } from '../../records/record-key.ts';
import type { RecordKey } from '../../records/record-key.ts';

// Documents of one request: whole records of a megabyte go alone.
const mostDocuments = 200;
const mostCharacters = 4_000_000;
// Ids in the address of one removal.
const mostRemoved = 60;

/** The index on a server. `now` gives milliseconds since 1970: it makes names of collections that were not there before. */
export function createMirror(client: TypesenseClient, collections: Collections, now: () => number): SearchMirror {
  return {
    prepare: (database) => prepareIndex(database, collections, now()),
    write: (tx, records) => client.within('write', () => writeRecords(client, collections, tx, records)),
    beginRebuild: (jobId) => collections.building(jobId, now()),
    finishRebuild: (database, jobId) => finishRebuild(database, collections, jobId, now()),
  };
}

/** Writes the documents of records as PostgreSQL has them in this transaction, into all collections that are written. */
async function writeRecords(
  client: TypesenseClient,
  collections: Collections,
  tx: Transaction,
  records: readonly RecordKey[],
): Promise<void> {
  if (records.length === 0) return;
  const documents = (await readRows(tx, records)).map(toTypesenseDocument);
  const kept = new Set(documents.map(({ id }) => id));
  const stale = records.flatMap((record) => Object.values(documentIdsOf(record))).filter((id) => !kept.has(id));
  // Read after the rows are held: a collection begun later gets these records by its own walk, from rows at least as new.
  const targets = await collections.targets();
  // What is hidden goes before what is new comes.
  await Promise.all(targets.map((target) => removeDocuments(client, target, stale)));
  await Promise.all(targets.map((target) => importDocuments(client, target, documents)));
}

const TextRow = MirroredRow.omit({ values: true, sorts: true }).extend({ sorts: column.text, values: column.text });

/** The rows of records with their bodies and facet values, in one statement. */
async function readRows(tx: Transaction, records: readonly RecordKey[]): Promise<readonly MirroredRow[]> {
  const milliseconds = (column: string) =>
    sql.fragment`(extract(epoch FROM ${sql.identifier(['d', column])}) * 1000)::int8 AS ${sql.identifier([column])}`;
  const rows = await tx.any(sql.type(TextRow)`
    SELECT d.id, d.uri, d.kind, d.record_id, d.repo_id, d.audience, d.published, d.suppressed, d.factor, d.len, d.title_sort, d.identifier_sort,
      ${milliseconds('create_time')}, ${milliseconds('user_mtime')}, ${milliseconds('system_mtime')}, d.sorts::text AS sorts, d.tsv::text AS tsv, b.stored::text AS stored,
      coalesce((SELECT json_agg(json_build_array(v.field, v.id)) FROM search_value v WHERE v.id = ANY(d.vals)), '[]')::text AS values
    FROM ${keyTable(records)} AS r (kind, id)
    JOIN search_doc d ON d.kind = r.kind AND d.record_id = r.id JOIN search_body b USING (no)`);
  // Both texts are as packed.ts and this statement made them.
  return rows.map((row) => ({
    ...row,
    sorts: JSON.parse(row.sorts) as MirroredRow['sorts'],
    values: JSON.parse(row.values) as MirroredRow['values'],
  }));
}

/** Puts documents in, in place of those with the same id. Throws where the server did not take every single one. */
async function importDocuments(
  client: TypesenseClient,
  collection: string,
  documents: readonly { readonly [field: string]: unknown }[],
): Promise<void> {
  for (const lines of inPortions(documents.map((document) => JSON.stringify(document)))) {
    const what = `POST /collections/${collection}/documents/import`;
    // As a text, of which the client gives the lines of the answer as they came.
    const text = await client.write(what, (server) =>
      server.collections(collection).documents().import(lines.join('\n'), { action: 'upsert', return_id: true }),
    );
    if (typeof text !== 'string')
      throw refused(what, text === null ? 'there is no such collection' : 'no lines of JSON');
    checkResults(text, lines.length);
  }
}

/** The server answers 200 whatever became of the documents; a line for each tells. */
function checkResults(text: string, count: number): void {
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Json => JSON.parse(line) as Json);
  const failed = results.filter((result) => !isObject(result) || result['success'] !== true);
  const [first] = failed;
  if (failed.length === 0 && results.length === count) return;
  const reason = isObject(first)
    ? `${textOf(first, 'error') ?? 'no reason given'} (${textOf(first, 'id') ?? 'no id'})`
    : `${results.length} results`;
  throw fail(
    'internal',
    'The search index did not take all documents',
    {},
    new Error(`Typesense took ${count - failed.length} of ${count} documents; the first it refused: ${reason}`),
  );
}

/**
 * Takes documents out. Most of these ids are of documents that never were; asked which are there, a node that is behind the others would leave out
 * what was written a moment ago.
 */
async function removeDocuments(client: TypesenseClient, collection: string, ids: readonly string[]): Promise<void> {
  await Promise.all(
    portionsOf(ids, mostRemoved).map((some) =>
      client.write(`DELETE /collections/${collection}/documents`, (server) =>
        server
          .collections(collection)
          .documents()
          .delete({ filter_by: printFilter(oneOf('id', some)) ?? '' }),
      ),
    ),
  );
}

function portionsOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

function inPortions(lines: readonly string[]): readonly (readonly string[])[] {
  const portions: string[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const last = portions.at(-1);
    if (last === undefined || last.length >= mostDocuments || size + line.length > mostCharacters) {
      portions.push([line]);
      size = line.length;
    } else {
      last.push(line);
      size += line.length;
    }
  }
  return portions;
}
