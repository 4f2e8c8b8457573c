// Staging of a bulk write: temporary tables of one transaction, blocks of ids, and COPY.
import { z } from 'zod';
import { keyOfText, keyText } from '#domain/batch-import/index-block.ts';
import type { RowTable } from '#domain/batch-import/rows.ts';
import { rowColumns } from '#domain/batch-import/rows.ts';
import { partitionOf, sequenceOf } from '../set-up/kind-partitions.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { copyText } from './copy.ts';

// What nobody else sees or waits for goes straight into place: records (into the table of their kind), links, and keys made of
// generated ids. The rest is staged and settled at the end.
const tables: { readonly [table in Exclude<RowTable, 'record'>]: string } = {
  link: 'link',
  fresh: 'unique_key',
  mutual: 'stage_mutual',
  key: 'stage_key',
  node: 'stage_node',
  target: 'stage_target',
  rule: 'stage_rule',
};

/** Makes the temporary tables; they go with the transaction. */
export async function createStage(tx: Transaction): Promise<void> {
  await tx.client.query(`
    CREATE TEMP TABLE stage_key (rule text, scope text, value text COLLATE "C", property text, kind text, id int, number int, is_heading boolean) ON COMMIT DROP;
    CREATE TEMP TABLE stage_node (code smallint, root_id int, parent_id int, id int, position int, number int, visible boolean, level text) ON COMMIT DROP;
    CREATE TEMP TABLE stage_target (kind text, id int, repo_id int, uri text, is_stored boolean, path text, source_kind text, source_id int, number int) ON COMMIT DROP;
    CREATE TEMP TABLE stage_far (kind text, id int) ON COMMIT DROP;
    CREATE TEMP TABLE stage_mutual (source_kind text, source_id int, ordinal int, property text, target_kind text, target_id int, repo_id int, role text, mutual text, ref text, far_ref text, number int) ON COMMIT DROP;
    CREATE TEMP TABLE stage_rule (kind text, id int, rule int, path text, ref text, source_kind text, source_id int, number int) ON COMMIT DROP;
    CREATE TEMP TABLE stage_term (id int PRIMARY KEY, value text COLLATE "C", term text, term_type text, vocabulary text) ON COMMIT DROP;
    SET LOCAL work_mem = '64MB'`);
}

/** Copies ready COPY text into a table. Buffers are read as they are; nothing is held beside them. */
export async function copyRows(
  tx: Transaction,
  table: Exclude<RowTable, 'record'>,
  chunks: readonly Uint8Array[],
): Promise<void> {
  await copyText(tx, tables[table], rowColumns[table], chunks);
}

/** The same for records of a kind. */
export async function copyRecords(tx: Transaction, kind: string, chunks: readonly Uint8Array[]): Promise<void> {
  await copyText(tx, partitionOf(kind), rowColumns.record, chunks);
}

const IdsOfKindRow = z.strictObject({ kind: column.text, ids: column.ints });

/** New ids of several kinds, by kind; one round trip. Gaps and the order among writers do not matter. */
export async function takeIds(
  tx: Transaction,
  counts: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const wanted = [...counts].filter(([, count]) => count > 0);
  if (wanted.length === 0) return new Map();
  const rows = await tx.any(sql.type(IdsOfKindRow)`
    SELECT u.kind, ARRAY(SELECT nextval(u.sequence::regclass)::int FROM generate_series(1, u.count)) AS ids
    FROM ${sql.unnest(
      wanted.map(([kind, count]) => [kind, sequenceOf(kind), count]),
      ['text', 'text', 'int4'],
    )} AS u (kind, sequence, count)`);
  return new Map(rows.map((row) => [row.kind, row.ids]));
}

const KeyOwnerRow = z.strictObject({
  rule: column.text,
  scope: column.text,
  value: column.text,
  kind: column.text,
  id: column.int,
});

/** Who has which of these unique keys (texts of keyText): kind and id by key. */
export async function findKeyOwners(
  tx: Transaction,
  keys: readonly string[],
): Promise<ReadonlyMap<string, { readonly kind: string; readonly id: number }>> {
  if (keys.length === 0) return new Map();
  const parts = keys.map((text) => {
    const { rule, scope, value } = keyOfText(text);
    return [rule, scope, value];
  });
  const rows = await tx.any(sql.type(KeyOwnerRow)`
    SELECT k.rule, k.scope, k.value, k.kind, k.id FROM ${sql.unnest(parts, ['text', 'text', 'text'])} AS u (rule, scope, value)
    JOIN unique_key k ON k.rule = u.rule AND k.scope = u.scope AND k.value = u.value`);
  return new Map(rows.map((row) => [keyText(row), { kind: row.kind, id: row.id }]));
}
