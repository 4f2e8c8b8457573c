// What tests of merges share: many records that hold refs to one, and all that a merge writes, as one value.
import { parseUri } from '#domain/addresses.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { AnyRow } from './rows.ts';

/** Makes copies of an accession as the store holds them, links and keys too, each with an identifier of its own: `count` with the model. */
export async function copyAccession(database: Database, model: string, count: number): Promise<void> {
  const id = parseUri(model)?.id ?? 0;
  await database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO record (kind, id, repo_id, publish, label, body) SELECT kind, nextval('accession_id_seq')::int, repo_id, publish, label, replace(body::text, '"id_0":"' || (body->>'id_0'), '"id_0":"' || (body->>'id_0') || '-' || n)::json FROM record, generate_series(2, ${count}::int) AS s (n) WHERE kind = 'accession' AND id = ${id}`,
    );
    await tx.run(sql`INSERT INTO unique_key (rule, scope, value, kind, id)
      SELECT k.rule, k.scope, replace(k.value, (m.body->>'id_0') || '"', (r.body->>'id_0') || '"'), 'accession', r.id FROM unique_key k, record m, record r
      WHERE m.kind = 'accession' AND m.id = ${id} AND k.kind = 'accession' AND k.id = ${id} AND r.kind = 'accession' AND r.id > ${id} AND NOT EXISTS (SELECT FROM unique_key o WHERE o.kind = 'accession' AND o.id = r.id)`);
    await tx.run(sql`INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
      SELECT l.source_kind, r.id, l.ordinal, l.property, l.target_kind, l.target_id, l.repo_id, l.role FROM link l, record r
      WHERE l.source_kind = 'accession' AND l.source_id = ${id} AND r.kind = 'accession' AND r.id > ${id} AND NOT EXISTS (SELECT FROM link o WHERE o.source_kind = 'accession' AND o.source_id = r.id)`);
  });
}

/** Everything that a merge writes and an undo puts back, as one value; dates and versions apart. */
export async function mergedState(database: Database): Promise<unknown> {
  return database.reader.any(sql.type(AnyRow)`
    SELECT 'record' AS t, kind || ' ' || id || ' ' || coalesce(repo_id, 0) || label || coalesce(publish::text, '') || suppressed || coalesce(created_by, '') || create_time || body::text AS row FROM record
    UNION ALL SELECT 'link', concat_ws(' ', source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref::text, target_ordinal) FROM link
    UNION ALL SELECT 'key', concat_ws(' ', rule, scope, value, kind, id) FROM unique_key
    UNION ALL SELECT 'place', concat_ws(' ', t.repo_id, t.kind, t.root_id, t.parent_id, t.id, row_number() OVER (PARTITION BY t.repo_id, t.kind, t.root_id, t.list_id ORDER BY b.key, t.ord)) FROM tree_node t JOIN tree_bucket b USING (repo_id, kind, root_id, list_id, bucket)
    UNION ALL SELECT 'root', concat_ws(' ', repo_id, kind, root_id) FROM tree_root ORDER BY 1, 2`);
}

/** The links of all records but the events that merges tell of, as one value: what a merge moves and an undo puts back. */
export async function linksOf(database: Database): Promise<unknown> {
  return database.reader.any(sql.type(AnyRow)`
    SELECT source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref::text, target_ordinal FROM link WHERE source_kind <> 'event' OR source_id <> ALL (SELECT event_id FROM merge WHERE event_id IS NOT NULL) ORDER BY 1, 2, 3`);
}
