// The components of a resource for prefilled templates, by id and a thousand at a time.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { TemplateRow } from '#domain/templates/creation-templates.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import type { Reader } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

const rowsAtOnce = 1000;

const ComponentRow = z.strictObject({
  id: column.int,
  refId: column.text,
  componentId: column.maybeText,
  title: column.text,
});

/** Yields blocks of components in the order of their ids; suppressed ones only for those who see them. */
export async function* templateRows(
  reader: Reader,
  repoId: number,
  resourceId: number,
  seesSuppressed: boolean,
): AsyncGenerator<readonly TemplateRow[]> {
  for (let after = 0; ;) {
    const rows = await reader.any(sql.type(ComponentRow)`
      SELECT r.id, r.body->>'ref_id' AS "refId", nullif(r.body->>'component_id', '') AS "componentId", coalesce(r.body->>'title', r.label) AS title
      FROM tree_node t JOIN record r ON r.kind = 'archival_object' AND r.id = t.id
      WHERE t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = ${resourceId} AND t.id > ${after} AND (${seesSuppressed}::boolean OR NOT r.suppressed) ORDER BY t.id LIMIT ${rowsAtOnce}`);
    if (rows.length > 0) yield rows.map((row) => ({ ...row, uri: uriOf(archivalObject, row.id, repoId) }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}
