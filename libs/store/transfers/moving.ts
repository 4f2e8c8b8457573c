// Which records go along when one goes to another repository (contract 5.3): the temporary table `moving`, filled by sets and locked
// before it is filled for good, so that nobody can tie a record that stays to one that goes while the transfer runs.
import type { Kind } from '#domain/kind.ts';
import { allKinds, digitalObject } from '#domain/kinds/index.ts';
import { nodeKindOf } from '#domain/tree/node-kinds.ts';
import type { Transaction } from '../connection/database.ts';
import { ofKinds } from '../records/of-kinds.ts';
import { holdAround } from '../records/writing/hold-around.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import type { Fragment } from '../connection/sql.ts';
import { sql } from '../connection/sql.ts';

/** Kinds that tell of other records, by the property that names those: they go along, or are copied, and never hold a record back. */
export const companions: readonly { readonly kind: string; readonly property: string }[] = allKinds.flatMap(
  ({ name, tellsOf }) => (tellsOf === undefined ? [] : [{ kind: name, property: tellsOf }]),
);

/** The link properties of what an instance holds. */
export const instanceOf = {
  digitalObject: 'instances.digital_object',
  topContainer: 'instances.sub_container.top_container',
} as const;

/** The kinds whose records go along with a repository: all that live in one, but for its groups and its preferences. */
const transferable = (): readonly Kind[] =>
  allKinds.filter((kind) => kind.scope === 'repository' && kind.staysInRepository !== true);

/** Makes the empty table; it is gone at the end of the transaction. */
async function openMoving(tx: Transaction): Promise<void> {
  await tx.run(
    sql`CREATE TEMP TABLE moving (kind text NOT NULL, id int NOT NULL, PRIMARY KEY (kind, id)) ON COMMIT DROP`,
  );
}

/** Adds records to the table; gives how many. */
type Add = (tx: Transaction, source: Fragment) => Promise<number>;

const put: Add = (tx, source) => tx.run(sql`INSERT INTO moving (kind, id) ${source} ON CONFLICT DO NOTHING`);

/** Adds records, and holds them until the end of the transaction against everybody who would link to them. */
const add: Add = async (tx, source) => {
  const added = await put(tx, source);
  if (added === 0) return 0;
  await tx.run(sql`ANALYZE moving`);
  // In one order everywhere, so that two transfers cannot wait for each other.
  await holdRecords(tx, inMoving, 'deletion and links');
  return added;
};

const inMoving = sql.fragment`SELECT kind, id FROM moving`;

/** Adds the nodes of all trees whose roots of this kind are moving. */
async function addNodes(tx: Transaction, root: Kind, repoId: number, adding: Add): Promise<void> {
  const node = nodeKindOf(root);
  if (node?.tree === undefined) return;
  await adding(
    tx,
    sql.fragment`SELECT ${node.name}::text, t.id FROM moving m JOIN tree_node t ON t.repo_id = ${repoId} AND t.kind = ${node.tree.code} AND t.root_id = m.id WHERE m.kind = ${root.name}`,
  );
}

/**
 * Fills the table with a record, all below it, the digital objects and top containers of their instances with what is below those, and
 * the events and assessments that speak of nothing else. What of it may not go is for conflicts.ts to find.
 */
export async function gatherRecord(tx: Transaction, kind: Kind, id: number, repoId: number): Promise<void> {
  await openMoving(tx);
  // All of it, with what is around it, is held in one order; then it is gathered anew: what was waited for may have been moved out, or linked to something else.
  await addRecord(tx, kind, id, repoId, put);
  await tx.run(sql`ANALYZE moving`);
  await holdAround(tx, inMoving, 'with them');
  await holdRecords(
    tx,
    sql.fragment`${inMoving} UNION ALL SELECT kind, id FROM (${companionKeys()}) AS c`,
    'deletion and links',
  );
  await tx.run(sql`DELETE FROM moving`);
  await addRecord(tx, kind, id, repoId, add);
  await holdCompanions(tx);
  await add(
    tx,
    sql.fragment`SELECT s.source_kind, s.source_id FROM (${companionLinks()}) AS s GROUP BY 1, 2 HAVING bool_and(s.goes)`,
  );
  await dropVanished(tx, repoId);
}

async function addRecord(tx: Transaction, kind: Kind, id: number, repoId: number, adding: Add): Promise<void> {
  await adding(tx, sql.fragment`SELECT ${kind.name}::text, ${id}::int`);
  await addNodes(tx, kind, repoId, adding);
  await adding(
    tx,
    sql.fragment`SELECT DISTINCT l.target_kind, l.target_id FROM moving m JOIN link l ON l.source_kind = m.kind AND l.source_id = m.id
    WHERE l.property IN (${instanceOf.digitalObject}, ${instanceOf.topContainer})`,
  );
  if (kind !== digitalObject) await addNodes(tx, digitalObject, repoId, adding);
}

/**
 * Holds the events and assessments that speak of something moving before it is asked which of them go: one that was being saved may speak of more then, or of less. What they
 * link to is held against deletion: who deletes a target has to see the copies that link to it.
 */
async function holdCompanions(tx: Transaction): Promise<void> {
  const companion = companionKeys();
  const holdTargets = (): Promise<void> =>
    holdRecords(
      tx,
      sql.fragment`SELECT l.target_kind AS kind, l.target_id AS id FROM (${companion}) AS c JOIN link l ON l.source_kind = c.kind AND l.source_id = c.id`,
      'deletion',
    );
  // Before those that link to them, as a deletion takes them; behind these for what was linked meanwhile.
  await holdTargets();
  await holdRecords(tx, companion, 'deletion and links');
  await holdTargets();
}

const companionKeys = (): Fragment =>
  sql.fragment`SELECT DISTINCT s.source_kind AS kind, s.source_id AS id FROM (${companionLinks()}) AS s`;

/** Forgets what was deleted, or went to another repository, while it was waited for. */
async function dropVanished(tx: Transaction, repoId: number): Promise<void> {
  await tx.run(
    sql`DELETE FROM moving m WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = m.kind AND r.id = m.id AND r.repo_id = ${repoId} AND ${ofKinds(transferable().map(({ name }) => name))})`,
  );
}

/**
 * Fills the table with all of a repository that goes along with it. What was being made meanwhile goes where it is tied to something that does: who ties anything to a
 * record holds it, so none comes once all of it is held. What is tied to nothing is made after the transfer, in the old repository.
 */
export async function gatherRepository(tx: Transaction, repoId: number): Promise<void> {
  await openMoving(tx);
  const going = sql.array(
    transferable().map((kind) => kind.name),
    'text',
  );
  await put(tx, sql.fragment`SELECT r.kind, r.id FROM record r WHERE r.repo_id = ${repoId} AND r.kind = ANY(${going})`);
  await tx.run(sql`ANALYZE moving`);
  // Against writers before it is held against links, as deletions do (hold-around.ts): all that is around it is in it.
  await holdRecords(tx, inMoving, 'writes');
  await holdRecords(tx, inMoving, 'deletion and links');
  const codes = allKinds.flatMap(({ name, tree }) => (tree === undefined ? [] : [[name, tree.root, tree.code]]));
  const tied = sql.fragment`SELECT DISTINCT t.kind, t.id FROM (
      SELECT l.source_kind AS kind, l.source_id AS id FROM moving m JOIN link l ON l.target_kind = m.kind AND l.target_id = m.id WHERE l.repo_id = ${repoId}
      UNION ALL SELECT l.target_kind, l.target_id FROM moving m JOIN link l ON l.source_kind = m.kind AND l.source_id = m.id
      UNION ALL SELECT u.kind, t.id FROM ${sql.unnest(codes, ['text', 'text', 'int2'])} AS u (kind, root, code) JOIN moving m ON m.kind = u.root JOIN tree_node t ON t.repo_id = ${repoId} AND t.kind = u.code AND t.root_id = m.id) AS t
    WHERE t.kind = ANY(${going}) AND NOT EXISTS (SELECT FROM moving m WHERE m.kind = t.kind AND m.id = t.id)`;
  while ((await add(tx, tied)) > 0);
  await dropVanished(tx, repoId);
}

/** The links of the events and assessments that speak of something moving, each with whether its target goes. */
export function companionLinks(): Fragment {
  const told = sql.join(
    companions.map(({ kind, property }) => sql.fragment`(l.source_kind = ${kind} AND l.property = ${property})`),
    sql.fragment` OR `,
  );
  return sql.fragment`SELECT l.source_kind, l.source_id, l.ordinal, l.property, l.target_kind, l.target_id, t.id IS NOT NULL AS goes
    FROM (SELECT DISTINCT l.source_kind AS kind, l.source_id AS id FROM moving m JOIN link l ON l.target_kind = m.kind AND l.target_id = m.id WHERE ${told}) AS companion
    JOIN link l ON l.source_kind = companion.kind AND l.source_id = companion.id AND (${told}) LEFT JOIN moving t ON t.kind = l.target_kind AND t.id = l.target_id`;
}
