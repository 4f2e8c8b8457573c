// Staging of a load of records as they are (decision 0027): temporary tables of one transaction, and COPY into them and into place.
import { z } from 'zod';
import { addressColumns, deletedColumns } from '#domain/loading/index-block.ts';
import type { LoadTable } from '#domain/loading/rows.ts';
import { loadColumns } from '#domain/loading/rows.ts';
import { rowColumns } from '#domain/batch-import/rows.ts';
import { copyText } from '../batch-import/copy.ts';
import { createStage } from '../batch-import/stage.ts';
import { column } from '../connection/columns.ts';
import type { Transaction } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { partitionOf } from '../set-up/kind-partitions.ts';

const NowRow = z.strictObject({ now: column.time });

/** Makes the temporary tables, those of batch imports among them; they go with the transaction. Gives the time of the load, for what says none. */
export async function createLoadStage(tx: Transaction): Promise<string> {
  await createStage(tx);
  await tx.client.query(`
    CREATE TEMP TABLE load_record (kind text, id int, repo_id int, number int, uri text, name text) ON COMMIT DROP;
    CREATE TEMP TABLE load_deleted (uri text, kind text, id int, at timestamptz) ON COMMIT DROP;
    CREATE TEMP TABLE load_old (kind text, id int, repo_id int, number int) ON COMMIT DROP;
    CREATE TEMP TABLE load_gone (kind text, id int, repo_id int, uri text) ON COMMIT DROP;
    CREATE TEMP TABLE load_node (repo_id int, code smallint, root_id int, parent_id int, id int, position int, number int, visible boolean, level text) ON COMMIT DROP;
    CREATE TEMP TABLE load_term (id int, term text, term_type text, vocabulary text, source_kind text, source_id int, number int) ON COMMIT DROP;
    CREATE TEMP TABLE load_member (group_id int, repo_id int, username text) ON COMMIT DROP;
    CREATE TEMP TABLE load_grant (group_id int, repo_id int, code text) ON COMMIT DROP;
    CREATE TEMP TABLE load_admin (user_id int) ON COMMIT DROP`);
  return (await tx.one(sql.type(NowRow)`SELECT now() AS now`)).now;
}

/** Copies addresses of the first pass. */
export async function copyAddresses(
  tx: Transaction,
  addresses: readonly Uint8Array[],
  deleted: readonly Uint8Array[],
): Promise<void> {
  await copyText(tx, 'load_record', addressColumns, addresses);
  await copyText(tx, 'load_deleted', deletedColumns, deleted);
}

/** Copies records of a kind into place. */
export async function copyLoadedRecords(tx: Transaction, kind: string, chunks: readonly Uint8Array[]): Promise<void> {
  await copyText(tx, partitionOf(kind), loadColumns.record, chunks);
}

/** The same where some of them are there, of an earlier load: these get what the lines say. */
export async function replaceLoadedRecords(
  tx: Transaction,
  kind: string,
  chunks: readonly Uint8Array[],
): Promise<void> {
  await tx.client.query('CREATE TEMP TABLE IF NOT EXISTS load_body (LIKE record) ON COMMIT DROP; TRUNCATE load_body');
  await copyText(tx, 'load_body', loadColumns.record, chunks);
  await tx.client.query('ANALYZE load_body');
  const columns = sql.join(
    loadColumns.record.map((name) => sql.fragment`${sql.identifier([name])}`),
    sql.fragment`, `,
  );
  const given = sql.join(
    loadColumns.record
      .filter((name) => name !== 'kind' && name !== 'id')
      .map((name) => sql.fragment`${sql.identifier([name])} = b.${sql.identifier([name])}`),
    sql.fragment`, `,
  );
  await tx.run(sql`UPDATE record r SET ${given} FROM load_body b WHERE r.kind = ${kind} AND r.id = b.id`);
  await tx.run(sql`
    INSERT INTO record (${columns}) SELECT ${columns} FROM load_body b WHERE NOT EXISTS (SELECT FROM load_old o WHERE o.kind = ${kind} AND o.id = b.id)`);
}

const targets: { readonly [table in LoadTable]: readonly [table: string, columns: readonly string[]] } = {
  link: ['link', rowColumns.link],
  mutual: ['stage_mutual', rowColumns.mutual],
  key: ['stage_key', rowColumns.key],
  node: ['load_node', loadColumns.node],
  term: ['load_term', loadColumns.term],
  member: ['load_member', loadColumns.member],
  grant: ['load_grant', loadColumns.grant],
  admin: ['load_admin', loadColumns.admin],
};

/** Copies what belongs to records: links into place, the rest to be settled. */
export async function copyLoadedRows(tx: Transaction, table: LoadTable, chunks: readonly Uint8Array[]): Promise<void> {
  const [name, columns] = targets[table];
  await copyText(tx, name, columns, chunks);
}
