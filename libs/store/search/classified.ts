// The classifications and terms that records are sorted under, as the documents of these show them: with the way from the root, which
// `classification_paths` answers (contract: behaviour-search.md section 9). Both sides write such links, so both ends are looked at.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { Transaction } from '../connection/database.ts';
import { treePath } from '../records/reading/computed/tree-path.ts';
import { composeRecord } from '../records/reading/compose.ts';
import { RecordRow } from '../records/reading/row.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

/** The kinds that classify, which show the way from their root, and the relation by which records are sorted under them. */
const classifying = allKinds.filter((kind) => kind.computed?.includes('tree_path') === true);
export const classifyingRelations: readonly string[] = [
  ...new Set(classifying.flatMap(({ mutual = {} }) => Object.values(mutual).map(({ relation }) => relation))),
];
const classified: ReadonlySet<string> = new Set(
  allKinds
    .filter((kind) => !classifying.includes(kind))
    .filter(({ mutual = {} }) => Object.values(mutual).some(({ relation }) => classifyingRelations.includes(relation)))
    .map(({ name }) => name),
);

/** What classifies records: JSON texts by uri, without the records that are sorted there, which may be all. At most three statements. */
export async function readClassifications(
  tx: Transaction,
  records: readonly RecordKey[],
): Promise<readonly (readonly [uri: string, text: string])[]> {
  const keys = records.filter(({ kind }) => classified.has(kind));
  if (keys.length === 0) return [];
  const relations = sql.array([...classifyingRelations], 'text');
  const found = await tx.any(sql.type(RecordKey)`
    WITH s AS MATERIALIZED (SELECT * FROM ${keyTable(keys)} AS s (kind, id))
    SELECT l.target_kind AS kind, l.target_id AS id FROM s JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id WHERE l.mutual = ANY(${relations})
    UNION SELECT l.source_kind, l.source_id FROM s JOIN link l ON l.target_kind = s.kind AND l.target_id = s.id WHERE l.mutual = ANY(${relations})`);
  const texts: (readonly [string, string])[] = [];
  for (const { name } of classifying) {
    const ids = found.flatMap(({ kind, id }) => (kind === name ? [id] : []));
    if (ids.length > 0) texts.push(...(await readWithPath(tx, name, ids)));
  }
  return texts;
}

const WithPathRow = RecordRow.extend({ computed: column.maybeText });

async function readWithPath(
  tx: Transaction,
  name: string,
  ids: readonly number[],
): Promise<readonly (readonly [string, string])[]> {
  const kind = kindNamed(name);
  const rows = await tx.any({
    sql: `SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by, r.create_time, r.system_mtime, r.user_mtime, r.body,
      ${treePath(kind)} AS computed FROM record r WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($1::int[])))`,
    values: [ids],
    parser: WithPathRow,
  });
  return rows.map((row) => [uriOf(kind, row.id, row.repo_id), composeRecord(kind, row, row.computed ?? '')]);
}
