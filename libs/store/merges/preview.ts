// What a merge would do, without doing it: the same checks, and how much would change.
import { z } from 'zod';
import { fail } from '#domain/errors.ts';
import type { MergeRecords, MergeWhat } from '#domain/merges/merges.ts';
import { merges } from '#domain/merges/merges.ts';
import type { Reader } from '../connection/database.ts';
import { column, NumberRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { checkMerge, goneRows } from './check.ts';
import { nodesOf } from './moved-components.ts';

/** How much a merge would change: links that lead to what goes, by kind of record and property; records that hold them; components that move. */
export type Preview = {
  readonly links: number;
  readonly records: number;
  readonly components: number;
  readonly by: readonly { readonly kind: string; readonly property: string; readonly links: number }[];
};

const ByRow = z.strictObject({ kind: column.text, property: column.text, links: column.int });

/** Previews a merge. Fails as it would. */
export async function previewMerge(reader: Reader, what: MergeWhat, records: MergeRecords): Promise<Preview> {
  const { survivor, gone } = records;
  await checkMerge(reader, records, merges[what].key);
  if (gone.length === 0) return { links: 0, records: 0, components: 0, by: [] };
  const by = await reader.any(sql.type(ByRow)`
    SELECT l.source_kind AS kind, l.property, count(*)::int AS links FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id GROUP BY 1, 2 ORDER BY 1, 2`);
  const { n } = await reader.one(sql.type(NumberRow)`
    SELECT count(*)::int AS n FROM (SELECT DISTINCT l.source_kind, l.source_id FROM ${goneRows(gone)} JOIN link l ON l.target_kind = g.kind AND l.target_id = g.id) AS holder`);
  return {
    links: by.reduce((sum, row) => sum + row.links, 0),
    records: n,
    components: await previewTrees(reader, survivor, gone),
    by,
  };
}

const TwiceRow = z.strictObject({ rule: column.text, value: column.text });

/** The number of components that would move. Fails with `not_unique` where an id of one is taken in the survivor's tree, or twice among them. */
async function previewTrees(
  reader: Reader,
  survivor: MergeRecords['survivor'],
  gone: MergeRecords['gone'],
): Promise<number> {
  const node = nodesOf(survivor);
  if (node?.tree === undefined) return 0;
  const roots = sql.array(
    [survivor, ...gone].map((one) => one.id),
    'int4',
  );
  const inTrees = sql.fragment`tree_node t WHERE t.repo_id = ${survivor.repoId} AND t.kind = ${node.tree.code} AND t.root_id = ANY(${roots})`;
  const twice = await reader.maybeOne(sql.type(TwiceRow)`
    SELECT k.rule, k.value FROM (SELECT t.id FROM ${inTrees}) AS n JOIN unique_key k ON k.kind = ${node.name} AND k.id = n.id
    WHERE k.scope <> '' AND k.scope NOT LIKE 'r%' GROUP BY 1, 2 HAVING count(*) > 1 LIMIT 1`);
  const rule = (node.unique ?? []).find((each) => each.name === twice?.rule);
  if (rule !== undefined)
    throw fail('not_unique', { [rule.property.replace('*', '0')]: [rule.says.replace('*', twice?.value ?? '')] });
  return (
    await reader.one(sql.type(NumberRow)`SELECT count(*)::int AS n FROM ${inTrees} AND t.root_id <> ${survivor.id}`)
  ).n;
}
