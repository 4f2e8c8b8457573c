// Writes search documents: sets of any size in a fixed number of statements. Later reads win over earlier ones by `seq`.
import { z } from 'zod';
import { CopyWriter } from '#domain/batch-import/copy-binary.ts';
import type { ByteRange, PackedDocuments } from '#domain/search/documents/packed.ts';
import { packedColumns } from '#domain/search/documents/packed.ts';
import { copyRows } from '../../batch-import/copy.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { ofKinds } from '../../records/of-kinds.ts';
import { readUnchanged } from './unchanged.ts';
import { keyOf, keyOfHead, storedDigest } from './keys.ts';
import type { ValueMemory } from './values.ts';
import { writeValues } from './values.ts';
import { RecordKey, keyTable } from '../../records/record-key.ts';

/** What the index had of a record before: the digest of what others show of it, and whose documents told of it; null: nothing. */
export type Before = { readonly shownDigest: string; readonly targets: readonly string[] } | null;

const Held = z.strictObject({
  no: column.int,
  id: column.text,
  audience: column.int,
  kind: column.text,
  record_id: column.int,
  seq: column.int,
  shownDigest: column.text,
  targets: column.texts,
});
type Held = z.infer<typeof Held>;

/** How documents are written: what the change was up to which their records were read, and the edition of the index then. */
export type Writing = {
  readonly seq: number;
  readonly edition: number;
  readonly memory?: ValueMemory | undefined;
  readonly keepsUnchanged?: boolean;
};

/** Whether what documents were made of is not there: no record of a kind and id, or no job that clients see; `among`: the kinds it can be of. */
export const isGone = (
  kind: Fragment,
  id: Fragment,
  among: Iterable<string>,
): Fragment => sql.fragment`NOT EXISTS (SELECT FROM record own_record WHERE own_record.kind = ${kind} AND own_record.id = ${id} AND ${ofKinds(among, 'own_record')})
  AND NOT (${kind} = 'job' AND EXISTS (SELECT FROM job own_job WHERE own_job.id = ${id} AND own_job.visible AND own_job.repo_id IS NOT NULL))`;

/**
 * Writes all documents of some records, replacing what these had: a record that now has one document where it had two, or another
 * uri, leaves none behind; one of `records` without documents loses all. Where the index holds a document from a later change, that
 * one stays. Gives what the index had of each record before. Words are the caller's to count (words.ts).
 *
 * Replaced rows are deleted and the new ones copied, which costs less than updating them; a document keeps its number. Of a record new to
 * the index one transaction at a time may write (claim.ts): there is nothing yet that another would wait for.
 *
 * Rows that are there just as they would be written stay as they are, where `keepsUnchanged`: the caller must have taken the records off a lane (unchanged.ts).
 */
export async function writeDocuments(
  tx: Transaction,
  records: readonly RecordKey[],
  packed: PackedDocuments,
  { seq, edition, memory, keepsUnchanged = false }: Writing,
): Promise<ReadonlyMap<string, Before>> {
  await findByKey(tx);
  const equal = keepsUnchanged ? await readUnchanged(tx, records, packed.heads, edition) : new Set<string>();
  const held = await holdDocuments(
    tx,
    records.filter((record) => !equal.has(keyOf(record))),
  );
  // Their records get nothing, for whichever audience.
  const newer = new Set(held.flatMap((row) => (row.seq > seq ? [keyOf({ kind: row.kind, id: row.record_id })] : [])));
  const old = held.filter((row) => !newer.has(keyOf({ kind: row.kind, id: row.record_id })));
  if (old.length > 0)
    await removeNumbers(
      tx,
      old.map((row) => row.no),
    );
  const heads = packed.heads.filter((head) => !newer.has(keyOfHead(head)) && !equal.has(keyOfHead(head)));
  if (heads.length > 0) {
    const valueIds = await writeValues(tx, packed.values, memory);
    await copyDocuments(tx, liveTables, heads, { rows: packed.rows, seq, edition, valueIds, numbers: numbersOf(old) });
  }
  const before = new Map<string, Before>(records.map((record) => [keyOf(record), null]));
  // Of two documents of a record, staff's comes first and tells.
  for (const row of [...held].reverse())
    before.set(keyOf({ kind: row.kind, id: row.record_id }), { shownDigest: row.shownDigest, targets: row.targets });
  for (const head of [...packed.heads].reverse())
    if (equal.has(keyOfHead(head)))
      before.set(keyOfHead(head), { shownDigest: head.shownDigest, targets: head.targets });
  return before;
}

/**
 * Writes all documents of some records into the tables beside the live ones (rebuild.ts), where nothing of these records is yet. They get the
 * numbers that they have in the live index.
 */
export async function writeRebuilt(
  tx: Transaction,
  records: readonly RecordKey[],
  packed: PackedDocuments,
  { seq, edition, memory }: Writing,
): Promise<void> {
  if (packed.heads.length === 0) return;
  await findByKey(tx);
  const live = await tx.any(sql.type(Numbered)`
    SELECT d.id, d.audience, d.no FROM ${keyTable(records)} AS r (kind, id) JOIN search_doc d ON d.kind = r.kind AND d.record_id = r.id`);
  const valueIds = await writeValues(tx, packed.values, memory);
  await copyDocuments(tx, rebuiltTables, packed.heads, {
    rows: packed.rows,
    seq,
    edition,
    valueIds,
    numbers: numbersOf(live),
  });
}

/** Has documents found by key until the transaction ends: without statistics the planner would read whole tables for each batch. */
export async function findByKey(tx: Transaction): Promise<void> {
  await tx.run(
    sql`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('jit', 'off', true)`,
  );
}

const Numbered = z.strictObject({ id: column.text, audience: column.int, no: column.int });
type Numbered = z.infer<typeof Numbered>;

const numbersOf = (rows: readonly Numbered[]): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [`${row.id} ${row.audience}`, row.no]));

const FoundDocumentRow = Held.extend({
  seq: column.maybeInt,
  shownDigest: column.maybeText,
  targets: column.texts.nullable(),
});
// All three come from one row, which is there or not.
const isHeld = (row: z.infer<typeof FoundDocumentRow>): row is Held => row.seq !== null;

/**
 * What the index has of records, held for this transaction, in the order in which all hold it. Where another held it first, its rows are gone
 * when that commits, and those in their place are to be seen by the next statement alone.
 */
async function holdDocuments(tx: Transaction, records: readonly RecordKey[]): Promise<readonly Held[]> {
  const keys = keyTable(records);
  for (;;) {
    const rows = await tx.any(sql.type(FoundDocumentRow)`
      SELECT d.no, d.id, d.audience, d.kind, d.record_id, h.seq, h.echo AS "shownDigest", h.targets
      FROM (SELECT d.no, d.id, d.audience, d.kind, d.record_id FROM ${keys} AS r (kind, id) JOIN search_doc d ON d.kind = r.kind AND d.record_id = r.id ORDER BY d.id, d.audience) AS d
      LEFT JOIN LATERAL (SELECT e.seq, coalesce(b.echo, '') AS echo, coalesce(b.targets, '{}') AS targets
        FROM search_doc e LEFT JOIN search_body b USING (no) WHERE e.no = d.no FOR UPDATE OF e) AS h ON true`);
    if (rows.every(isHeld)) return rows;
  }
}

/** The keys of those of the records that the index has documents of. */
export async function readIndexed(tx: Transaction, records: readonly RecordKey[]): Promise<ReadonlySet<string>> {
  if (records.length === 0) return new Set();
  const rows = await tx.any(sql.type(RecordKey)`
    SELECT r.kind, r.id FROM ${keyTable(records)} AS r (kind, id) WHERE EXISTS (SELECT FROM search_doc d WHERE d.kind = r.kind AND d.record_id = r.id)`);
  return new Set(rows.map(keyOf));
}

async function removeNumbers(tx: Transaction, numbers: readonly number[]): Promise<void> {
  await tx.run(sql`
    WITH gone AS (DELETE FROM search_doc WHERE no = ANY(${sql.array([...numbers], 'int8')}))
    DELETE FROM search_body WHERE no = ANY(${sql.array([...numbers], 'int8')})`);
}

type Copied = {
  readonly rows: Uint8Array;
  readonly seq: number;
  readonly edition: number;
  readonly valueIds: readonly number[];
  readonly numbers: ReadonlyMap<string, number>;
};

type Tables = { readonly documents: string; readonly bodies: string };
const liveTables: Tables = { documents: 'search_doc', bodies: 'search_body' };
const rebuiltTables: Tables = { documents: 'beside.search_doc', bodies: 'beside.search_body' };

const NoRow = z.strictObject({ no: column.int });

/** `numbers`: those that documents had, by id and audience. */
async function copyDocuments(
  tx: Transaction,
  tables: Tables,
  heads: PackedDocuments['heads'],
  { rows, seq, edition, valueIds, numbers }: Copied,
): Promise<void> {
  const known = heads.map(({ id, audience }) => numbers.get(`${id} ${audience}`));
  const missing = known.filter((number) => number === undefined).length;
  const made =
    missing === 0
      ? []
      : await tx.any(sql.type(NoRow)`
        SELECT nextval(s.name) AS no FROM (SELECT pg_get_serial_sequence('search_doc', 'no')::regclass AS name OFFSET 0) AS s, generate_series(1, ${missing}::int)`);
  const fresh = made.values();
  const documents = new CopyWriter(rows.length + heads.length * 256);
  const bodies = new CopyWriter(rows.length);
  const endOf = ([from, to]: ByteRange): Uint8Array => rows.subarray(from, to);
  heads.forEach((head, at) => {
    const no = known[at] ?? fresh.next().value?.no;
    if (no === undefined) throw new Error(`no number for the document of ${head.uri}`);
    documents
      .row(documentColumns.length)
      .int8(no)
      .int4s(head.values.map((place) => valueIds[place] ?? 0).sort((a, b) => a - b))
      .int8(seq)
      .text(storedDigest(head, edition))
      .raw(endOf(head.document));
    bodies.row(bodyColumns.length).int8(no).raw(endOf(head.body));
  });
  await copyRows(tx, tables.documents, documentColumns, documents.finish());
  await copyRows(tx, tables.bodies, bodyColumns, bodies.finish());
}

const documentColumns = ['no', 'vals', 'seq', 'digest', ...packedColumns.document];
const bodyColumns = ['no', ...packedColumns.body];
