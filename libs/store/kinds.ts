// What the database must hold for each kind of the registry: a partition of `record` and a sequence of ids.
// Run at every start, so that a new kind file needs no migration.
import type { Kind } from '#domain/kind.ts';
import type { Transaction } from './database.ts';
import { sql } from './sql.ts';

/** The name of the partition of a kind. */
export const partitionOf = (kind: string): string => `record_${kind}`;
/** The name of the id sequence of a kind. */
export const sequenceOf = (kind: string): string => `${kind}_id_seq`;

/** Makes the partitions and sequences that are missing. Idempotent; call it under the migration lock. */
export async function ensureKinds(tx: Transaction, kinds: Iterable<Kind>): Promise<void> {
  // Two processes may start at once.
  await tx.any(sql`SELECT pg_advisory_xact_lock(8089, 1)`);
  const existing = new Set((await tx.any<{ relname: string }>(sql`SELECT relname FROM pg_class WHERE relkind IN ('r', 'S')`)).map((row) => row.relname));
  const missing = [...kinds].filter((kind) => !existing.has(partitionOf(kind.name)));
  if (missing.length === 0) return;
  // Names come from declarations. The target keeps bodies of up to 8 KB inline and uncompressed: 1.5 times the write rate (decision 0004).
  const statements = missing.flatMap((kind) => [
    `CREATE TABLE ${partitionOf(kind.name)} PARTITION OF record FOR VALUES IN ('${kind.name}')`,
    `ALTER TABLE ${partitionOf(kind.name)} SET (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05)`,
    `CREATE SEQUENCE ${sequenceOf(kind.name)} AS int`,
  ]);
  await tx.client.query(statements.join(';'));
}
