// What forbids a transfer, all of it in one answer (contract 5.3): digital objects and containers that others use, and identifiers that
// the target repository has already.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { Json } from '#domain/json.ts';
import { digitalObject, kinds, topContainer } from '#domain/kinds/index.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { instanceOf } from './moving.ts';

const Found = z.strictObject({ uri: column.text, property: column.maybeText, message: column.text });
type Found = z.infer<typeof Found>;

/** Fails with `transfer_conflict` where anything in `moving` may not go; `alone` is the digital object that was asked for by itself. */
export async function refuseConflicts(tx: Transaction, from: number, to: number, alone: number | null): Promise<void> {
  const found = [...(await usedElsewhere(tx, alone)), ...(await takenKeys(tx, from, to))];
  if (found.length === 0) return;
  const conflicts: { [uri: string]: Json[] } = {};
  for (const { uri, property, message } of found)
    (conflicts[uri] ??= []).push(property === null ? { message } : { json_property: property, message });
  throw fail('transfer_conflict', conflicts);
}

/** Instances outside the moving set that use a digital object or a container of it. */
async function usedElsewhere(tx: Transaction, alone: number | null): Promise<readonly Found[]> {
  return tx.any(sql.type(Found)`
    SELECT DISTINCT CASE WHEN l.target_kind = ${topContainer.name} THEN record_uri(l.target_kind, l.target_id, l.repo_id) ELSE record_uri(l.source_kind, l.source_id, l.repo_id) END AS uri,
      CASE WHEN l.target_kind = ${digitalObject.name} THEN 'instances' END AS property,
      CASE WHEN l.target_kind = ${topContainer.name} THEN 'TOP_CONTAINER_IN_USE' WHEN l.target_id = ${alone}::int THEN 'DIGITAL_OBJECT_HAS_LINK' ELSE 'DIGITAL_OBJECT_IN_USE' END AS message
    FROM moving m JOIN link l ON l.target_kind = m.kind AND l.target_id = m.id
    WHERE l.property IN (${instanceOf.digitalObject}, ${instanceOf.topContainer})
      AND NOT EXISTS (SELECT FROM moving s WHERE s.kind = l.source_kind AND s.id = l.source_id)
    ORDER BY uri, message`);
}

const TakenKeyRow = z.strictObject({ uri: column.text, rule: column.text });

/** Keys within a repository that the target has. The words are those of a refused save, but for barcodes. */
async function takenKeys(tx: Transaction, from: number, to: number): Promise<readonly Found[]> {
  const rows = await tx.any(sql.type(TakenKeyRow)`
    SELECT record_uri(k.kind, k.id, ${from}) AS uri, k.rule FROM moving m JOIN unique_key k ON k.kind = m.kind AND k.id = m.id
    JOIN unique_key o ON o.rule = k.rule AND o.scope = ${`r${to}`} AND o.value = k.value WHERE k.scope = ${`r${from}`} ORDER BY k.kind, k.id, k.rule`);
  const rules = new Map([...kinds.values()].flatMap((kind) => kind.unique ?? []).map((rule) => [rule.name, rule]));
  return rows.map(({ uri, rule }) => {
    if (rule === 'top_container.barcode') return { uri, property: null, message: 'BARCODE_IN_USE' };
    const declared = rules.get(rule);
    return { uri, property: declared?.property ?? rule, message: declared?.says ?? 'Must be unique' };
  });
}
