// The statements that read records: one for each set of kinds and each way of seeing them, made of constants alone and prepared once.
import { z } from 'zod';
import type { Kind } from '#domain/kind.ts';
import { column } from '../../connection/columns.ts';
import type { Prepared } from '../../connection/sql.ts';
import { StatementMemory } from '../../connection/statement-memory.ts';
import type { Asked } from './computed.ts';
import { computedExpressions } from './computed.ts';
import { linkFacts } from './computed/links.ts';
import type { Places } from './computed/tree-place.ts';
import { bucketsStatement, placesStatement, siblingsStatement, treeVersionColumn } from './computed/tree-place.ts';
import { hiddenRefs } from './hidden-refs.ts';
import { ReadRow } from './row.ts';
import type { Viewer } from './viewer.ts';

/** The siblings around a node: their ids with commas between, from the position `start` on, in a version of the tree. */
const Siblings = z.strictObject({ id: column.int, tree: column.text, start: column.int, ids: column.text });
const Bucket = Siblings.omit({ id: true });
const SiblingPlaces = z.strictObject({ first: column.text, rest: column.text, nodes: column.text });

// Statements by the kinds they read: made once, of constants alone. Sets of kinds are as many as clients' `resolve` makes them.
const memory = new StatementMemory('read', 200);
const [readings, siblings, buckets, places] = [
  memory.of(ReadRow),
  memory.of(Siblings),
  memory.of(Bucket),
  memory.of(SiblingPlaces),
];

/**
 * The SELECT of a kind over `r`, with its ids as parameter `$position`. Served by the primary key of the kind's partition. The ids go
 * through a sub-select so that the planner cannot count them: it would take a plan made for their number to be cheaper, and plan anew,
 * which costs more than the reading, at each execution.
 */
function selectOf(kind: Kind, position: number, asked: Asked & { readonly isPlain: boolean }): string {
  const expressions = asked.isPlain ? [] : computedExpressions(kind, asked);
  const facts = expressions.some((expression) => /\bf\.(?:is_target|has_marked)\b/.test(expression))
    ? ` ${linkFacts(kind)}`
    : '';
  const computed = expressions.join(',\n  ');
  return `SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by,
  r.create_time, r.system_mtime, r.user_mtime, r.body, ${computed === '' ? "''" : `concat(${computed})`} AS computed, ${asked.hides ? hiddenRefs(kind) : 'NULL'} AS hidden${kind.tree === undefined || asked.places !== 'tree versions' ? '' : `,\n  ${treeVersionColumn(kind.tree.code)} AS tree`}
FROM record r${facts} WHERE r.kind = '${kind.name}' AND r.id = ANY(ARRAY(SELECT unnest($${position}::int[])))`;
}

/** The statement that reads records of these kinds as a viewer sees them; its parameters are the lists of their ids, in the order of the kinds. */
export function readStatement(
  kinds: readonly Kind[],
  { seesUse = false, seesSuppressed, seesPlain = false }: Viewer,
  place: Places = 'positions',
): Prepared<ReadRow> {
  const hides = !seesSuppressed;
  const key = `${kinds.map((kind) => kind.name).join(' ')}${seesUse ? ' use' : ''}${hides ? ' hides' : ''} ${place}${seesPlain ? ' plain' : ''}`;
  const asked = { seesUse, hides, places: place, isPlain: seesPlain };
  return readings(key, kinds.length === 1, () =>
    kinds.map((kind, index) => selectOf(kind, index + 1, asked)).join('\nUNION ALL\n'),
  );
}

/** The statement that gives the places of nodes of a kind (ids as int[]), siblings together; null for kinds whose replies do not have them. */
export const placesOf = (kind: Kind): Prepared<z.infer<typeof SiblingPlaces>> | null => {
  const { tree } = kind;
  return tree === undefined || kind.computed?.includes('tree_place') !== true
    ? null
    : places(kind.name, true, () => placesStatement(kind, tree.code));
};

/** The statement that gives for a node of a kind (ids as int[]) the siblings around it, and the version of their tree. */
export const siblingsOf = (kind: Kind, code: number): Prepared<z.infer<typeof Siblings>> =>
  siblings(kind.name, true, () => siblingsStatement(kind, code));

/** The statement that gives for nodes of a kind (ids as int[]) all siblings in their buckets, each bucket once. */
export const bucketsOf = (kind: Kind, code: number): Prepared<z.infer<typeof Bucket>> =>
  buckets(kind.name, true, () => bucketsStatement(kind, code));
