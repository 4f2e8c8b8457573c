// Computed properties of records in trees: the place of a node, and the ref of a root's tree.
import { kindNamed } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';

/**
 * How the place of a node is read: with its `position`; as `"position":?` beside the version of its tree ('root version', column `tree`), by
 * which the position is remembered; or not at all, `openPlace` standing for it.
 */
export type Places = 'positions' | 'tree versions' | 'apart';

/** `tree` of a root: a ref to the whole tree (contract 4.1). */
export const treeRef = (): string =>
  `('"tree":' || json_build_object('ref', record_uri(r.kind, r.id, r.repo_id) || '/tree')::text || ',')`;

const inList = (alias: string, code: number): string =>
  `${alias}.repo_id = t.repo_id AND ${alias}.kind = ${code} AND ${alias}.root_id = t.root_id AND ${alias}.list_id = t.list_id`;
const before = (code: number): string =>
  `(SELECT coalesce(sum(b.n), 0) FROM tree_bucket b WHERE ${inList('b', code)} AND b.key < (SELECT own.key FROM tree_bucket own WHERE ${inList('own', code)} AND own.bucket = t.bucket))`;
const position = (code: number): string =>
  `(SELECT count(*) FROM tree_node m WHERE ${inList('m', code)} AND m.bucket = t.bucket AND m.ord < t.ord) + ${before(code)}`;

/** The tree of the node `r` as 'root version', as a column; null where it is in none. */
export const treeVersionColumn = (
  code: number,
): string => `(SELECT t.root_id || ' ' || v.version FROM tree_node t JOIN tree_root v ON v.repo_id = t.repo_id AND v.kind = ${code} AND v.root_id = t.root_id
  WHERE t.repo_id = r.repo_id AND t.kind = ${code} AND t.id = r.id)`;

/** Statement that gives for nodes of a kind (ids as int[]) the siblings in the bucket of each: `tree` as above, `start` the position of the first, `ids` in order. */
export const siblingsStatement = (
  kind: Kind,
  code: number,
): string => `SELECT r.id, ${treeVersionColumn(code)} AS tree, ${before(code)} AS start,
  (SELECT string_agg(m.id::text, ',' ORDER BY m.ord) FROM tree_node m WHERE ${inList('m', code)} AND m.bucket = t.bucket) AS ids
FROM record r JOIN tree_node t ON t.repo_id = r.repo_id AND t.kind = ${code} AND t.id = r.id WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($1::int[])))`;

const bucketsWithin = (
  kind: Kind,
  code: number,
): string => `(SELECT DISTINCT t.repo_id, t.root_id, t.parent_id, t.list_id, t.bucket FROM record r JOIN tree_node t ON t.repo_id = r.repo_id AND t.kind = ${code} AND t.id = r.id
  WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($1::int[]))))`;

/** Statement that gives for nodes of a kind (ids as int[]) the buckets they are in, each once: `tree`, `start` and `ids` as above. */
export const bucketsStatement = (
  kind: Kind,
  code: number,
): string => `SELECT t.root_id || ' ' || v.version AS tree, ${before(code)} AS start,
  (SELECT string_agg(m.id::text, ',' ORDER BY m.ord) FROM tree_node m WHERE ${inList('m', code)} AND m.bucket = t.bucket) AS ids
FROM ${bucketsWithin(kind, code)} t JOIN tree_root v ON v.repo_id = t.repo_id AND v.kind = ${code} AND v.root_id = t.root_id`;

// So many levels above a node are joined by primary key; what is higher, in deeper trees than archives usually have, a function walks.
// Joins, because a recursive query costs several times as much for the few levels that there are.
const joined = 4;

/** What is said of the place of the nodes `t` around their positions, and the joins it is read by: the same for all that have one parent. */
function aroundPosition(kind: Kind): { readonly before: string; readonly after: string; readonly joins: string } {
  const tree = kind.tree;
  if (tree === undefined) throw new Error(`kind ${kind.name} has no tree`);
  const { code, root, rootProperty } = tree;
  const steps = Array.from({ length: joined }, (_, index) => `p${index + 1}`);
  const last = `p${joined}`;
  // The uri templates as constants: record_uri() would choose among them for each ref.
  const [head, tail = ''] = kind.uri.replace(':repo_id', `' || t.repo_id || '`).split(':id');
  const ref = (id: string): string => `'{"ref":"${head}' || ${id} || '${tail}"'`;
  const rootRef = `'{"ref":"${kindNamed(root).uri.replace(':repo_id', `' || t.repo_id || '`).replace(':id', `' || t.root_id || '`)}"'`;
  const ancestor = (alias: string): string =>
    `CASE WHEN ${alias}.id IS NULL THEN '' ELSE ${ref(`${alias}.id`)} || CASE WHEN ${alias}.level IS NULL THEN '' ELSE ',"level":' || to_json(${alias}.level)::text END || '},' END`;
  // Other roots show no level. The body is looked into once, twice where it says 'otherlevel'.
  const rootLevel =
    tree.level === undefined
      ? ''
      : `|| (SELECT ',"level":' || coalesce(to_json(CASE WHEN x.level = 'otherlevel' THEN coalesce(o.body->>'other_level', x.level) ELSE x.level END)::text, 'null')
      FROM (SELECT o.body->>'level' AS level OFFSET 0) x)`;
  return {
    before: `'"${rootProperty}":' || ${rootRef} || '},' || CASE WHEN t.parent_id IS NULL THEN '' ELSE '"parent":' || ${ref('t.parent_id')} || '},' END
      || '"position":'`,
    after: `',"ancestors":[' || ${steps.map(ancestor).join(' || ')} || coalesce(high.refs, '') || ${rootRef} ${rootLevel} || '}]'
      || ',"has_unpublished_ancestor":' || (${steps.map((step) => `NOT coalesce(${step}.visible, true)`).join(' OR ')} OR coalesce(high.hidden, false) OR NOT coalesce(o.publish AND NOT o.suppressed, false)) || ','`,
    joins: `LEFT JOIN record o ON o.kind = '${root}' AND o.id = t.root_id
    ${steps.map((step, index) => `LEFT JOIN tree_node ${step} ON ${step}.repo_id = t.repo_id AND ${step}.kind = ${code} AND ${step}.id = ${index === 0 ? 't' : steps[index - 1]}.parent_id`).join('\n    ')}
    LEFT JOIN LATERAL ancestors_from(t.repo_id, ${code}::smallint, ${last}.parent_id, '${kind.name}') high ON true`,
  };
}

/** What stands in computed properties for the place of a node that is read apart; inside a JSON string its quotes would be escaped. */
export const openPlace = '"position":?,';

/**
 * The place of a node: root ref, `parent`, `position` (0-based among all siblings), `ancestors` (nearest first, root last,
 * with level) and `has_unpublished_ancestor`. Index probes only: primary keys for the way up, one bucket for the position.
 * Null for a record that is in no tree.
 */
export const treePlace = (kind: Kind, { places }: { readonly places: Places }): string => {
  if (places === 'apart') return `'${openPlace}'`;
  const { before: first, after, joins } = aroundPosition(kind);
  const code = kind.tree?.code ?? 0;
  return `(SELECT ${first} || ${places === 'positions' ? position(code) : `'?'`}
      || ${after}
    FROM tree_node t
    ${joins}
    WHERE t.repo_id = r.repo_id AND t.kind = ${code} AND t.id = r.id)`;
};

/**
 * Statement that gives the places of nodes of a kind (ids as int[]), siblings together: `first` and `rest`, what treePlace says before and
 * behind the position, and the nodes among them as 'id position', with commas between. What is above siblings is looked up, and their bucket counted, once.
 * NOTE: the ids are hidden from the planner wherever they stand (selectOf): in a single place, it planned anew at each execution, 2 ms for 1 of reading.
 */
export const placesStatement = (kind: Kind, code: number): string => {
  const { before: first, after, joins } = aroundPosition(kind);
  return `SELECT ${first} AS first, ${after} AS rest,
  (SELECT string_agg(n.id || ' ' || b.start + n.rank, ',') FROM (SELECT ${before(code)} AS start OFFSET 0) b
    CROSS JOIN LATERAL (SELECT m.id, row_number() OVER (ORDER BY m.ord) - 1 AS rank FROM tree_node m WHERE ${inList('m', code)} AND m.bucket = t.bucket) n
    WHERE n.id = ANY(ARRAY(SELECT unnest($1::int[])))) AS nodes
FROM ${bucketsWithin(kind, code)} t
    ${joins}`;
};
