// Controlled lists as imports need them: read whole, and completed with values that an import brings (contract trees-and-jobs 2.1).
import { z } from 'zod';
import { largestInt4 } from '#domain/int4.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** One list; `values` are those shown in messages, `all` has suppressed ones too, and the text that a value is being given in steps (renaming.ts). */
export const ListRow = z.strictObject({
  name: column.text,
  editable: column.bool,
  values: column.texts,
  all: column.texts,
});
export type ListRow = z.infer<typeof ListRow>;

/** Every controlled list. */
export async function readLists(reader: Reader): Promise<readonly ListRow[]> {
  return reader.any(sql.type(ListRow)`
    SELECT e.name, e.editable, coalesce(array_agg(v.value ORDER BY v.position, v.value) FILTER (WHERE NOT v.suppressed), '{}') AS values,
      coalesce(array_agg(v.value) FILTER (WHERE v.value IS NOT NULL), '{}') || ARRAY(SELECT new_value FROM renaming_begun b WHERE b.enumeration_id = e.id) AS all
    FROM enumeration e LEFT JOIN enumeration_value v ON v.enumeration_id = e.id GROUP BY e.id ORDER BY e.id`);
}

/**
 * Adds values to editable lists, at their end; those that are there already stay as they are, and one that another is being renamed to is there for records already: it becomes what that does. Gives how many are new. The lists are held until the transaction ends: of two
 * that add to one, both would find the same end, and two values at one place cannot be moved apart. Whoever does more besides does this late.
 */
export async function addListValues(
  tx: Transaction,
  values: readonly { readonly list: string; readonly value: string }[],
  actor: string | null,
): Promise<number> {
  if (values.length === 0) return 0;
  const distinct = new Map(values.map((each) => [`${each.list}\n${each.value}`, [each.list, each.value]]));
  const lists = sql.array([...new Set(values.map(({ list }) => list))], 'text');
  // A statement of its own: the next one sees what was committed while this one waited.
  await tx.run(sql`SELECT FROM enumeration WHERE name = ANY(${lists}) AND editable ORDER BY id FOR NO KEY UPDATE`);
  return tx.run(sql`
    INSERT INTO enumeration_value (enumeration_id, value, position, created_by, last_modified_by)
    SELECT e.id, u.value, least(coalesce((SELECT max(position) FROM enumeration_value v WHERE v.enumeration_id = e.id), -1) + row_number() OVER (PARTITION BY e.id ORDER BY u.value), ${largestInt4}), ${actor}, ${actor}
    FROM ${sql.unnest([...distinct.values()], ['text', 'text'])} AS u (list, value) JOIN enumeration e ON e.name = u.list AND e.editable
    WHERE NOT EXISTS (SELECT FROM renaming_begun b WHERE b.enumeration_id = e.id AND b.new_value = u.value)
    ON CONFLICT DO NOTHING`);
}
