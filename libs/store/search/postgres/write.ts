// Writes search documents: sets of any size in a fixed number of statements. Later reads win over earlier ones by `seq`.
import type { Audience, SearchDocument } from '#domain/search/document.ts';
import type { Transaction } from '../../database.ts';
import { sql } from '../../sql.ts';

const audienceNumbers: { readonly [audience in Audience]: number } = { all: 0, staff: 1, public: 2 };

type Written = { readonly no: number; readonly id: string; readonly audience: number; readonly is_new: boolean };

/**
 * Writes all documents of some records, replacing what the records had: a record that now has two where it had one leaves
 * none behind. Where the index holds a document from a later change, that one stays.
 */
export async function writeDocuments(tx: Transaction, documents: readonly SearchDocument[], seq: number): Promise<void> {
  if (documents.length === 0) {
    return;
  }
  // Written in one order by all, so that two writers cannot wait for each other.
  const ordered = [...documents].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : audienceNumbers[a.audience] - audienceNumbers[b.audience]));
  // Everything joined here is found by key; without statistics the planner would read whole tables for each batch.
  await tx.any(sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`);
  const valueIds = await writeValues(tx, ordered);
  const keys = JSON.stringify(ordered.map((one) => ({ id: one.id, audience: audienceNumbers[one.audience] })));
  await tx.run(sql`
    WITH kept AS (SELECT id, audience FROM json_to_recordset(${keys}::json) AS k (id text, audience smallint)),
    gone AS (
      DELETE FROM search_doc d WHERE d.uri = ANY(${sql.array([...new Set(ordered.map((one) => one.uri))], 'text')}) AND d.seq <= ${seq}
      AND NOT EXISTS (SELECT FROM kept WHERE kept.id = d.id AND kept.audience = d.audience) RETURNING no
    )
    DELETE FROM search_body b USING gone WHERE b.no = gone.no`);
  const written = await upsert(tx, ordered, valueIds, seq);
  const byKey = new Map(ordered.map((one) => [`${one.id} ${audienceNumbers[one.audience]}`, one]));
  const pairs = written.flatMap((row) => {
    const document = byKey.get(`${row.id} ${row.audience}`);
    return document === undefined ? [] : [{ row, document }];
  });
  await tx.run(sql`
    INSERT INTO search_body (no, stored) SELECT * FROM ${sql.unnest(pairs.map(({ row, document }) => [row.no, JSON.stringify(document.stored)]), ['int8', 'json'])}
    ON CONFLICT (no) DO UPDATE SET stored = excluded.stored`);
  await countWords(tx, pairs.map(({ row, document }) => ({ lexemes: document.vectors.lexemes, isNew: row.is_new })));
}

/** Takes out all documents of some records, their public copies among them. */
export async function removeDocuments(tx: Transaction, uris: readonly string[]): Promise<void> {
  await tx.run(sql`
    WITH gone AS (DELETE FROM search_doc WHERE uri = ANY(${sql.array([...uris], 'text')}) RETURNING no)
    DELETE FROM search_body b USING gone WHERE b.no = gone.no`);
}

// The ids of all values, new ones given theirs. A value is told apart by its hash, since it may be too long for an index.
async function writeValues(tx: Transaction, documents: readonly SearchDocument[]): Promise<ReadonlyMap<string, number>> {
  const distinct = new Map(documents.flatMap((one) => one.values.map((value) => [value.join('\u0000'), value] as const)));
  const rows = [...distinct].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, [field, value]]) => [field, value]);
  const given = sql.fragment`SELECT field, value, sha256(convert_to(value, 'UTF8')) AS hash FROM ${sql.unnest(rows, ['text', 'text'])} AS n (field, value)`;
  await tx.run(sql`
    INSERT INTO search_value (field, value, hash) SELECT n.field, n.value, n.hash FROM (${given}) AS n
    WHERE NOT EXISTS (SELECT FROM search_value v WHERE v.field = n.field AND v.hash = n.hash)
    ON CONFLICT (field, hash) DO NOTHING`);
  // A statement of its own, so that it sees values that another writer has just put in.
  const found = await tx.any<{ id: number; field: string; value: string }>(sql`
    SELECT v.id, n.field, n.value FROM (${given}) AS n JOIN search_value v ON v.field = n.field AND v.hash = n.hash`);
  return new Map(found.map(({ id, field, value }) => [`${field}\u0000${value}`, id]));
}

function upsert(tx: Transaction, documents: readonly SearchDocument[], valueIds: ReadonlyMap<string, number>, seq: number): Promise<readonly Written[]> {
  const rows = JSON.stringify(
    documents.map((one) => ({
      id: one.id, uri: one.uri, kind: one.kind, repo_id: one.repoId, audience: audienceNumbers[one.audience], published: one.isPublished,
      suppressed: one.isSuppressed, factor: one.factor, len: one.vectors.length, title_sort: one.titleSort, identifier_sort: one.identifierSort,
      create_time: one.createTime, user_mtime: one.userMtime, system_mtime: one.systemMtime, sorts: one.sorts,
      vals: `{${[...new Set(one.values.flatMap((value) => valueIds.get(value.join('\u0000')) ?? []))].sort((a, b) => a - b).join(',')}}`, head: one.vectors.head, tsv: one.vectors.tsv,
    })),
  );
  return tx.any<Written>(sql`
    INSERT INTO search_doc AS d (id, uri, kind, repo_id, audience, published, suppressed, factor, len, title_sort, identifier_sort,
      create_time, user_mtime, system_mtime, sorts, vals, head, tsv, seq)
    SELECT n.id, n.uri, n.kind, n.repo_id, n.audience, n.published, n.suppressed, n.factor, n.len, n.title_sort, n.identifier_sort,
      n.create_time, n.user_mtime, n.system_mtime, n.sorts,
      n.vals::int[], n.head::tsvector, n.tsv::tsvector, ${seq}
    FROM json_to_recordset(${rows}::json) AS n (id text, uri text, kind text, repo_id int, audience smallint, published boolean,
      suppressed boolean, factor real, len int, title_sort text, identifier_sort text, create_time timestamptz, user_mtime timestamptz,
      system_mtime timestamptz, sorts jsonb, vals text, head text, tsv text)
    ON CONFLICT (id, audience) DO UPDATE SET uri = excluded.uri, kind = excluded.kind, repo_id = excluded.repo_id,
      published = excluded.published, suppressed = excluded.suppressed, factor = excluded.factor, len = excluded.len,
      title_sort = excluded.title_sort, identifier_sort = excluded.identifier_sort, create_time = excluded.create_time,
      user_mtime = excluded.user_mtime, system_mtime = excluded.system_mtime, sorts = excluded.sorts, vals = excluded.vals,
      head = excluded.head, tsv = excluded.tsv, seq = excluded.seq
    WHERE d.seq <= excluded.seq
    RETURNING d.no, d.id, d.audience, d.xmax = 0 AS is_new`);
}

// Counts grow with new documents; a changed document only makes sure that its words are known. A full build counts anew.
async function countWords(tx: Transaction, documents: readonly { readonly lexemes: readonly string[]; readonly isNew: boolean }[]): Promise<void> {
  const counts = new Map<string, number>();
  for (const { lexemes, isNew } of documents) {
    for (const lexeme of lexemes) {
      if (isListed(lexeme)) {
        counts.set(lexeme, (counts.get(lexeme) ?? 0) + (isNew ? 1 : 0));
      }
    }
  }
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await tx.run(sql`
    INSERT INTO search_lexeme AS l (word, df) SELECT word, greatest(n, 1) FROM ${sql.unnest(rows, ['text', 'int4'])} AS w (word, n)
    WHERE n > 0 OR NOT EXISTS (SELECT FROM search_lexeme known WHERE known.word = w.word) ORDER BY word COLLATE "C"
    ON CONFLICT (word) DO UPDATE SET df = l.df + excluded.df`);
}

// Values that name one record each would fill the list and are never looked for by pattern.
function isListed(lexeme: string): boolean {
  return !lexeme.startsWith('x=') || !/^x=[^=]*=\/|^x=(ref_id|slug|ark_name|classification_path|classification_paths|files|job_data)=/.test(lexeme);
}
