// Terms of a bulk write. Their ids are reserved while the batch is read, and their rows are written at its end: a unique key that is
// written holds up everybody who names the same term until the import commits.
import { z } from 'zod';
import type { KnownTerms, TermSeen } from '#domain/batch-import/terms.ts';
import { termIdentity } from '#domain/batch-import/terms.ts';
import { parseUri } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { idsPerRow } from '../change-log/append.ts';
import type { Transaction } from '../connection/database.ts';
import { notifyClients } from '../change-log/notifications.ts';
import { column, CountRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { takeIds } from './stage.ts';

const StageTermRow = z.strictObject({ value: column.text, id: column.int });

/** The ids of terms by identity: of the stored ones, and reserved ones for those that are staged with this. Call it once for a term. */
export async function stageTerms(tx: Transaction, terms: readonly TermSeen[]): Promise<ReadonlyMap<string, number>> {
  if (terms.length === 0) return new Map();
  const byKey = new Map(terms.map((term) => [termIdentity(term), term]));
  const stored = await tx.any(sql.type(StageTermRow)`
    SELECT value, id FROM unique_key WHERE rule = 'term.identity' AND scope = '' AND value = ANY(${sql.array([...byKey.keys()], 'text')})`);
  const ids = new Map(stored.map((row) => [row.value, row.id]));
  const missing = [...byKey].filter(([key]) => !ids.has(key));
  if (missing.length === 0) return ids;
  const reserved = (await takeIds(tx, new Map([['term', missing.length]]))).get('term') ?? [];
  const rows = missing.map(([key, term], index) => [
    reserved[index] ?? 0,
    key,
    term.term,
    term.termType,
    term.vocabulary,
  ]);
  await tx.run(
    sql`INSERT INTO stage_term (id, value, term, term_type, vocabulary) SELECT * FROM ${sql.unnest(rows, ['int4', 'text', 'text', 'text', 'text'])} AS u`,
  );
  missing.forEach(([key], index) => ids.set(key, reserved[index] ?? 0));
  return ids;
}

const TermRow = z.strictObject({ id: column.int, term: column.text, term_type: column.text, vocabulary: column.text });

/** The contents of terms by uri, stored and staged ones; uris of none are left out. */
export async function readTerms(tx: Transaction, uris: readonly string[]): Promise<KnownTerms> {
  const ids = uris.flatMap((uri) => {
    const address = parseUri(uri);
    return address?.kind === 'term' ? [address.id] : [];
  });
  if (ids.length === 0) return new Map();
  const wanted = sql.array(ids, 'int4');
  const rows = await tx.any(sql.type(TermRow)`
    SELECT id, body->>'term' AS term, body->>'term_type' AS term_type, body->>'vocabulary' AS vocabulary FROM record WHERE kind = 'term' AND id = ANY(${wanted})
    UNION ALL SELECT id, term, term_type, vocabulary FROM stage_term WHERE id = ANY(${wanted})`);
  return new Map(
    rows.map((row) => [`/terms/${row.id}`, { term: row.term, termType: row.term_type, vocabulary: row.vocabulary }]),
  );
}

/** Writes the staged terms. Fails with `unavailable` where somebody committed one of them meanwhile: the next run finds it. */
export async function writeTerms(tx: Transaction, actor: string | null): Promise<number> {
  const { count } = await tx.one(sql.type(CountRow)`SELECT count(*)::int AS count FROM stage_term`);
  if (count === 0) return 0;
  const claimed = await tx.run(
    sql`INSERT INTO unique_key (rule, scope, value, kind, id) SELECT 'term.identity', '', value, 'term', id FROM stage_term ORDER BY value ON CONFLICT DO NOTHING`,
  );
  if (claimed < count) throw fail('unavailable', 'Somebody else made the same term meanwhile; trying again');
  await tx.run(sql`
    INSERT INTO record (kind, id, label, created_by, last_modified_by, body)
    SELECT 'term', id, term, ${actor}, ${actor}, json_build_object('jsonmodel_type', 'term', 'term', term, 'term_type', term_type, 'vocabulary', vocabulary) FROM stage_term`);
  await tx.run(sql`
    INSERT INTO change (actor, kind, ids, op)
    SELECT ${actor}, 'term', array_agg(id ORDER BY id), 'create' FROM (SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${idsPerRow} AS row FROM stage_term) AS placed GROUP BY row ORDER BY row`);
  await notifyClients(tx, 'VOCABULARY_CHANGED');
  return count;
}
