// Writes search documents: sets of any size in a fixed number of statements. Later reads win over earlier ones by `seq`.
import { fail } from '#domain/errors.ts';
import type { PackedDocuments } from '#domain/search/packed.ts';
import { freshColumns } from '#domain/search/packed.ts';
import { copyText } from '../../bulk/copy.ts';
import type { Transaction } from '../../database.ts';
import { sql } from '../../sql.ts';
import type { Fragment } from '../../sql.ts';
import type { ValueMemory } from './values.ts';
import { writeValues } from './values.ts';

/** A record by kind and id. */
export type RecordKey = { readonly kind: string; readonly id: number };

/** What the index had of a record before: its digest for others, and whom it told of; null: nothing. */
export type Before = { readonly echo: string; readonly targets: readonly string[] } | null;

type Held = { readonly no: number; readonly id: string; readonly audience: number; readonly kind: string; readonly record_id: number; readonly seq: number; readonly echo: string; readonly targets: readonly string[] };

/** The text of a record's key, for maps. */
export const keyOf = ({ kind, id }: RecordKey): string => `${kind} ${id}`;

/** Whether what documents were made of is not there: no record of a kind and id, or no job that clients see. */
export const isGone = (kind: Fragment, id: Fragment): Fragment => sql.fragment`NOT EXISTS (SELECT FROM record r WHERE r.kind = ${kind} AND r.id = ${id})
  AND NOT (${kind} = 'job' AND EXISTS (SELECT FROM job j WHERE j.id = ${id} AND j.visible AND j.repo_id IS NOT NULL))`;

/**
 * Writes all documents of some records, replacing what these had: a record that now has one document where it had two, or another
 * uri, leaves none behind; one of `records` without documents loses all. Where the index holds a document from a later change, that
 * one stays. Gives what the index had of each record before. Words are the caller's to count (words.ts).
 *
 * What is packed as fresh is copied: it fails as not unique where the index got the record meanwhile, and the batch is due again.
 */
export async function writeDocuments(tx: Transaction, records: readonly RecordKey[], packed: PackedDocuments, seq: number, memory?: ValueMemory): Promise<ReadonlyMap<string, Before>> {
  // Everything read here is found by key; without statistics the planner would read whole tables for each batch.
  await tx.any(sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`);
  const held = await tx.any<Held>(sql`
    SELECT d.no, d.id, d.audience, d.kind, d.record_id, d.seq, b.echo, b.targets
    FROM ${sql.unnest(records.map(({ kind, id }) => [kind, id]), ['text', 'int4'])} AS r (kind, id)
    JOIN search_doc d ON d.kind = r.kind AND d.record_id = r.id JOIN search_body b USING (no) ORDER BY d.id, d.audience FOR NO KEY UPDATE OF d`);
  const kept = new Set(packed.heads.map((head) => `${head.id} ${head.audience}`));
  const gone = held.filter((row) => row.seq <= seq && !kept.has(`${row.id} ${row.audience}`));
  if (gone.length > 0) await removeNumbers(tx, gone.map((row) => row.no));
  if (packed.heads.length > 0) {
    const valueIds = await writeValues(tx, packed.values, memory);
    refuseKnown(packed, held);
    await copyFresh(tx, packed, valueIds, seq);
    await upsert(tx, packed, valueIds, { seq, newer: held.filter((row) => row.seq > seq) });
  }
  const before = new Map<string, Before>(records.map((record) => [keyOf(record), null]));
  // Of two documents of a record, staff's comes first and tells.
  for (const row of [...held].reverse()) before.set(keyOf({ kind: row.kind, id: row.record_id }), { echo: row.echo, targets: row.targets });
  return before;
}

/** Fresh documents of a record that the index got meanwhile would stand beside those it has, where they are for others: staff, or the public. */
function refuseKnown(packed: PackedDocuments, held: readonly Held[]): void {
  const known = new Set(held.map((row) => keyOf({ kind: row.kind, id: row.record_id })));
  const late = packed.heads.find((head) => head.fresh !== null && known.has(keyOf({ kind: head.kind, id: head.recordId })));
  if (late !== undefined) throw fail('conflict', `The index got ${late.uri} meanwhile; the batch is due again`);
}

/** Takes out all documents of the records with these URIs, their public copies among them. */
export async function removeDocuments(tx: Transaction, uris: readonly string[]): Promise<void> {
  await tx.run(sql`
    WITH gone AS (DELETE FROM search_doc WHERE uri = ANY(${sql.array([...uris], 'text')}) RETURNING no)
    DELETE FROM search_body b USING gone WHERE b.no = gone.no`);
}

/** The keys of those of the records that the index has documents of. */
export async function readIndexed(tx: Transaction, records: readonly RecordKey[]): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set();
  const rows = await tx.any<RecordKey>(sql`
    SELECT r.kind, r.id FROM ${sql.unnest(records.map(({ kind, id }) => [kind, id]), ['text', 'int4'])} AS r (kind, id) WHERE EXISTS (SELECT FROM search_doc d WHERE d.kind = r.kind AND d.record_id = r.id)`);
  return new Set(rows.map(keyOf));
}

async function removeNumbers(tx: Transaction, numbers: readonly number[]): Promise<void> {
  await tx.run(sql`
    WITH gone AS (DELETE FROM search_doc WHERE no = ANY(${sql.array([...numbers], 'int8')}))
    DELETE FROM search_body WHERE no = ANY(${sql.array([...numbers], 'int8')})`);
}

async function copyFresh(tx: Transaction, packed: PackedDocuments, valueIds: readonly number[], seq: number): Promise<void> {
  const fresh = packed.heads.flatMap(({ fresh: lines, values }) => (lines === null ? [] : [{ lines, vals: valsOf(values, valueIds) }]));
  if (fresh.length === 0) return;
  const numbers = await tx.any<{ no: number }>(sql`SELECT nextval(pg_get_serial_sequence('search_doc', 'no')) AS no FROM generate_series(1, ${fresh.length}::int)`);
  const documents = fresh.map(({ lines, vals }, at) => `${numbers[at]?.no}\t${vals}\t${seq}\t${lines.document}`);
  const bodies = fresh.map(({ lines }, at) => `${numbers[at]?.no}\t${lines.body}`);
  await copyText(tx, 'search_doc', ['no', 'vals', 'seq', ...freshColumns.document], [Buffer.from(documents.join(''))]);
  await copyText(tx, 'search_body', ['no', ...freshColumns.body], [Buffer.from(bodies.join(''))]);
}

const valsOf = (places: readonly number[], valueIds: readonly number[]): string => `{${places.map((place) => valueIds[place] ?? 0).sort((a, b) => a - b).join(',')}}`;

/** `newer`: what the index has from later reads. Their records get nothing, for whichever audience. */
async function upsert(tx: Transaction, packed: PackedDocuments, valueIds: readonly number[], { seq, newer }: { readonly seq: number; readonly newer: readonly Held[] }): Promise<void> {
  const vals = packed.heads.flatMap(({ values, fresh }) => (fresh === null ? [valsOf(values, valueIds)] : []));
  if (vals.length === 0) return;
  // No table is scanned here, only the rows given, which a hash joins.
  await tx.any(sql`SELECT set_config('enable_hashjoin', 'on', true)`);
  await tx.run(sql`
    WITH n AS MATERIALIZED (
      SELECT * FROM ROWS FROM (json_to_recordset(${packed.rows}::json) AS (id text, uri text, kind text, record_id int, repo_id int, audience smallint, published boolean,
        suppressed boolean, factor real, len int, title_sort text, identifier_sort text, create_time timestamptz, user_mtime timestamptz,
        system_mtime timestamptz, sorts jsonb, head text, tsv text, echo text, targets text, stored json), unnest(${sql.array(vals, 'text')})) WITH ORDINALITY AS given
        (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, title_sort, identifier_sort, create_time, user_mtime, system_mtime,
         sorts, head, tsv, echo, targets, stored, vals, place)
    ), written AS (
      INSERT INTO search_doc AS d (id, uri, kind, record_id, repo_id, audience, published, suppressed, factor, len, title_sort, identifier_sort,
        create_time, user_mtime, system_mtime, sorts, vals, head, tsv, seq)
      SELECT n.id, n.uri, n.kind, n.record_id, n.repo_id, n.audience, n.published, n.suppressed, n.factor, n.len, n.title_sort, n.identifier_sort,
        n.create_time, n.user_mtime, n.system_mtime, n.sorts, n.vals::int[], n.head::tsvector, n.tsv::tsvector, ${seq} FROM n
      WHERE NOT EXISTS (SELECT FROM ${sql.unnest(newer.map((row) => [row.kind, row.record_id]), ['text', 'int4'])} AS later (kind, id) WHERE later.kind = n.kind AND later.id = n.record_id)
      ORDER BY n.place
      ON CONFLICT (id, audience) DO UPDATE SET uri = excluded.uri, kind = excluded.kind, record_id = excluded.record_id, repo_id = excluded.repo_id,
        published = excluded.published, suppressed = excluded.suppressed, factor = excluded.factor, len = excluded.len,
        title_sort = excluded.title_sort, identifier_sort = excluded.identifier_sort, create_time = excluded.create_time,
        user_mtime = excluded.user_mtime, system_mtime = excluded.system_mtime, sorts = excluded.sorts, vals = excluded.vals,
        head = excluded.head, tsv = excluded.tsv, seq = excluded.seq
      WHERE d.seq <= excluded.seq
      RETURNING d.no, d.id, d.audience
    )
    INSERT INTO search_body (no, stored, echo, targets) SELECT w.no, n.stored, n.echo, n.targets::text[] FROM written w JOIN n ON n.id = w.id AND n.audience = w.audience
    ON CONFLICT (no) DO UPDATE SET stored = excluded.stored, echo = excluded.echo, targets = excluded.targets`);
  await tx.any(sql`SELECT set_config('enable_hashjoin', 'off', true)`);
}
