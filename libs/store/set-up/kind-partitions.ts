// What the database must hold for each kind of the registry: a partition of `record`, a sequence of ids, and the indexes of its lookups.
// Run at every start, so that a new kind file needs no migration.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The name of the partition of a kind. */
export const partitionOf = (kind: string): string => `record_${kind}`;
/** The name of the id sequence of a kind. */
export const sequenceOf = (kind: string): string => `${kind}_id_seq`;

const RelnameRow = z.strictObject({ relname: column.text });

/** Makes the partitions, sequences and indexes that are missing. Idempotent; call it under the migration lock. All migrations must have run. */
export async function ensureKinds(tx: Transaction, kinds: Iterable<Kind>): Promise<void> {
  const all = [...kinds];
  const existing = await ensurePartitions(tx, all);
  const indexes = all
    .flatMap(lookupIndexes)
    .filter(([name]) => !existing.has(name))
    .map(([, statement]) => statement);
  if (indexes.length > 0) await tx.client.query(indexes.join(';'));
}

/**
 * The same without the indexes, some of which are over functions that a later migration makes: for tables of the time of a backup. Gives the names of
 * what was there before.
 */
export async function ensurePartitions(tx: Transaction, kinds: Iterable<Kind>): Promise<ReadonlySet<string>> {
  // Two processes may start at once.
  await tx.run(sql`SELECT pg_advisory_xact_lock(8089, 1)`);
  const existing = new Set(
    (await tx.any(sql.type(RelnameRow)`SELECT relname FROM pg_class WHERE relkind IN ('r', 'S', 'i')`)).map(
      (row) => row.relname,
    ),
  );
  const missing = [...kinds].filter((kind) => !existing.has(partitionOf(kind.name)));
  // Names come from declarations. The target keeps bodies of up to 8 KB inline and uncompressed: 1.5 times the write rate (decision 0004).
  const statements = missing.flatMap((kind) => [
    `CREATE TABLE ${partitionOf(kind.name)} PARTITION OF record FOR VALUES IN ('${kind.name}')`,
    `ALTER TABLE ${partitionOf(kind.name)} SET (toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.05)`,
    `CREATE SEQUENCE ${sequenceOf(kind.name)} AS int`,
  ]);
  if (statements.length > 0) await tx.client.query(statements.join(';'));
  return existing;
}

/**
 * The indexes by which lookups find records of a kind (lookups.ts), by name. Expressions over bodies, so every way of writing keeps
 * them; those of external ids hold only the few records that have some.
 */
function lookupIndexes(kind: Kind): readonly (readonly [string, string])[] {
  const partition = partitionOf(kind.name);
  const byProperty = (kind.lookups ?? []).map((property): readonly [string, string] => {
    const name = `${partition}_${property}_idx`;
    return [name, `CREATE INDEX ${name} ON ${partition} ((body->>'${property}'), repo_id)`];
  });
  const some = (property: string, what: string): readonly (readonly [string, string])[] => {
    const name = `${partition}_${property}_idx`;
    return kind.properties[property] === undefined ? [] : [[name, `CREATE INDEX ${name} ON ${partition} ${what}`]];
  };
  return [
    ...byProperty,
    ...some('external_ids', 'USING gin (external_ids_of(body)) WHERE has_external_ids(body)'),
    // Of what stands in trees alone: a container has few others in it, whose bodies are read anyway.
    ...(kind.tree === undefined ? [] : some('instances', '(id) WHERE says_of_containers(body)')),
  ];
}
