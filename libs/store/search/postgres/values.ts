// The values that facets count, as numbers: each value of a field is stored once and named by its id.
import { z } from 'zod';
import type { PackedDocuments } from '#domain/search/documents/packed.ts';
import type { Database, Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import type { Fragment, Query } from '../../connection/sql.ts';
import { sql } from '../../connection/sql.ts';

/** Ids of values that were read before, for one process. Values are never deleted or changed. */
export type ValueMemory = {
  get(field: string, value: string): number | undefined;
  /** Notes what was read in a transaction; to be called once that has committed, since until then others cannot see the value. */
  remember(): void;
  note(field: string, value: string, id: number): void;
};

const mostKnown = 200_000;
// Longer ones are rarely met again.
const longestKnown = 300;

/** Makes a memory for one batch at a time of many: `begin` for each batch, since batches run beside each other. */
export function createValueMemory(): { begin(): ValueMemory } {
  const known = new Map<string, number>();
  return {
    begin: () => {
      const noted: (readonly [string, number])[] = [];
      return {
        get: (field, value) => known.get(`${field}\n${value}`),
        note: (field, value, id) => {
          if (value.length <= longestKnown) noted.push([`${field}\n${value}`, id]);
        },
        remember: () => {
          if (known.size > mostKnown) known.clear();
          for (const [key, id] of noted) known.set(key, id);
        },
      };
    },
  };
}

/**
 * Writes the values that the memory does not know, by a statement that commits at once: batches that meet a new value at the same time
 * then wait for each other as long as that takes, and not until a whole batch commits. What a batch leaves behind that fails is met
 * again. Nothing where no connection is free: the caller holds one, and must not wait for another.
 */
export async function prepareValues(
  database: Database,
  values: PackedDocuments['values'],
  memory: ReturnType<typeof createValueMemory>,
): Promise<void> {
  const known = memory.begin();
  const unknown = values.flatMap(([field, value], place) =>
    known.get(field, value) === undefined ? [[field, value, place] as const] : [],
  );
  const { total, idle, waiting } = database.poolUse;
  if (unknown.length === 0 || waiting > 0 || (idle === 0 && total >= database.settings.poolSize)) return;
  await database.write(newValues(unknown));
}

type Unknown = readonly (readonly [field: string, value: string, place: number])[];

const given = (unknown: Unknown): Fragment =>
  sql.fragment`SELECT place, field, value, sha256(convert_to(value, 'UTF8')) AS hash FROM ${sql.unnest(unknown, ['text', 'text', 'int4'])} AS n (field, value, place)`;

const newValues = (unknown: Unknown): Query => sql`
    INSERT INTO search_value (field, value, hash) SELECT n.field, n.value, n.hash FROM (${given(unknown)}) AS n
    WHERE NOT EXISTS (SELECT FROM search_value v WHERE v.field = n.field AND v.hash = n.hash)
    ORDER BY n.field COLLATE "C", n.hash ON CONFLICT (field, hash) DO NOTHING`;

const ValueRow = z.strictObject({ place: column.int, id: column.int });

/** The ids of all values in their order, new ones given theirs. A value is told apart by its hash, since it may be too long for an index. */
export async function writeValues(
  tx: Transaction,
  values: PackedDocuments['values'],
  memory?: ValueMemory,
): Promise<readonly number[]> {
  const ids = values.map(([field, value]) => memory?.get(field, value));
  const unknown = values.flatMap(([field, value], place) =>
    ids[place] === undefined ? [[field, value, place] as const] : [],
  );
  if (unknown.length === 0) return ids.map((id) => id ?? 0);
  await tx.run(newValues(unknown));
  // A statement of its own, so that it sees values that another writer has just put in.
  const found = await tx.any(sql.type(ValueRow)`
    SELECT n.place, v.id FROM (${given(unknown)}) AS n JOIN search_value v ON v.field = n.field AND v.hash = n.hash`);
  for (const { place, id } of found) {
    ids[place] = id;
    const [field = '', value = ''] = values[place] ?? [];
    memory?.note(field, value, id);
  }
  return ids.map((id) => id ?? 0);
}
