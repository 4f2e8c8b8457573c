// What a sheet of changes holds before it reads what is stored.
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import { accession } from '#domain/kinds/accession.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { holdRepository } from '../records/writing/home.ts';
import { holdGroups } from '../records/writing/lock-order.ts';
import { readAccessions } from './lookups.ts';

/** An archival object that a row is for, and the accessions that it names, by accessionKey. */
type UpdatedRow = { readonly id: number; readonly accessions: readonly string[] };

const LinkedRow = z.strictObject({ component_id: column.int, id: column.int });

/**
 * Holds archival objects against writers, with the accessions to which they get a link or lose it, in the order in which everybody does: who deletes, or saves, one of these has it before the archival objects. And the
 * repository before them, as new containers and digital objects want it: who deletes it has it first.
 */
export async function holdUpdated(tx: Transaction, repoId: number, rows: readonly UpdatedRow[]): Promise<void> {
  await holdRepository(tx, repoId);
  const found = await readAccessions(tx, repoId, [...new Set(rows.flatMap((row) => row.accessions))]);
  const naming = rows.filter((row) => row.accessions.length > 0);
  const ids = sql.array(
    naming.map(({ id }) => id),
    'int4',
  );
  const linked =
    naming.length === 0
      ? []
      : await tx.any(sql.type(LinkedRow)`
    SELECT l.source_id AS component_id, l.target_id AS id FROM link l WHERE l.source_kind = ${archivalObject.name} AND l.source_id = ANY(${ids}) AND l.target_kind = ${accession.name}
    UNION SELECT l.target_id, l.source_id FROM link l WHERE l.target_kind = ${archivalObject.name} AND l.target_id = ANY(${ids}) AND l.source_kind = ${accession.name}`);
  const linkedOf = Map.groupBy(linked, (row) => row.component_id);
  const changed = naming.flatMap(({ id, accessions }) => {
    const before = new Set((linkedOf.get(id) ?? []).map((row) => row.id));
    const named = new Set(accessions.flatMap((key) => parseUri(found.get(key) ?? '')?.id ?? []));
    return [...[...before].filter((each) => !named.has(each)), ...[...named].filter((each) => !before.has(each))];
  });
  const components = rows.map(({ id }) => id);
  await holdGroups(
    tx,
    [
      { kind: accession, ids: changed },
      { kind: archivalObject, ids: components },
    ],
    'writes',
  );
}
