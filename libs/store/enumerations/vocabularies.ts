// Lists of vocabularies and of terms (contract 6.2). Terms are made with the subjects that name them (records/writing/terms.ts).
import { z } from 'zod';
import { term } from '#domain/kinds/term.ts';
import { vocabulary } from '#domain/kinds/vocabulary.ts';
import type { Reader } from '../connection/database.ts';
import { readRecord, readRecords } from '../records/reading/read.ts';
import { IdRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const viewer = { seesSuppressed: true };

/** Texts of records of a kind in the order of the ids. */
async function textsOf(reader: Reader, kind: typeof term, ids: readonly number[]): Promise<readonly string[]> {
  const found = [...(await readRecords(reader, new Map([[kind.name, ids]]), viewer)).values()];
  const byId = new Map(found.map((record) => [record.row.id, record.text]));
  return ids.flatMap((each) => byId.get(each) ?? []);
}

/** The texts of all vocabularies by ascending id, or of the one with a ref_id; changed since a time in epoch seconds. */
export async function readVocabularies(
  reader: Reader,
  refId: string | null,
  modifiedSince = 0,
): Promise<readonly string[]> {
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'vocabulary' AND (${refId}::text IS NULL OR body->>'ref_id' = ${refId}) AND system_mtime >= to_timestamp(${modifiedSince}) ORDER BY id`);
  return textsOf(
    reader,
    vocabulary,
    rows.map((row) => row.id),
  );
}

/** The texts of all terms of a vocabulary by ascending id. Fails with `not_found`. */
export async function readVocabularyTerms(
  reader: Reader,
  vocabularyId: number,
  modifiedSince = 0,
): Promise<readonly string[]> {
  const { uri } = await readRecord(reader, vocabulary, vocabularyId, null, viewer);
  const rows = await reader.any(sql.type(IdRow)`
    SELECT id FROM record WHERE kind = 'term' AND body->>'vocabulary' = ${uri} AND system_mtime >= to_timestamp(${modifiedSince}) ORDER BY id`);
  return textsOf(
    reader,
    term,
    rows.map((row) => row.id),
  );
}

const TermPageRow = z.strictObject({ total: column.int, ids: column.ints.nullable() });

/** Terms that begin with a text, case ignored: the first by id, and how many there are. Reads the partition of terms. */
export async function searchTerms(
  reader: Reader,
  start: string,
  limit: number,
): Promise<{ readonly total: number; readonly texts: readonly string[] }> {
  const found = await reader.one(sql.type(TermPageRow)`
    SELECT count(*)::int AS total, (array_agg(id ORDER BY id))[1:${limit}] AS ids FROM record WHERE kind = 'term' AND starts_with(lower(label), lower(${start}))`);
  return { total: found.total, texts: await textsOf(reader, term, found.ids ?? []) };
}
