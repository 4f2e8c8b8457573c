// The end of a bulk write, in the transaction that copied the rows: what is staged is checked and put in place with statements
// whose number does not depend on the number of records. Only from here on may others wait for us, and only for keys they want too.
import { fail } from '#domain/errors.ts';
import { kinds } from '#domain/kinds/index.ts';
import { EmptyRow } from '../connection/columns.ts';
import type { Transaction } from '../connection/database.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { touchIn } from '../records/writing/touch.ts';
import { sql } from '../connection/sql.ts';
import { failureOf } from './failures.ts';
import { claimStagedKeys } from './keys.ts';
import { prepareTrees } from './lay-trees.ts';
import { brokenRules, missingFault, readMissing } from './staged-checks.ts';
import { writeTerms } from './terms.ts';

/** What is known of the whole batch. */
export type StagedWrite = { readonly repoId: number; readonly keepsPositions: boolean; readonly actor: string | null };

/**
 * Checks the targets of all links, claims the unique keys, and lays the trees; gives what is left to do when trees that existed are taken, which comes at the end of the transaction: whoever works elsewhere in them waits from there on. Fails, and
 * so does that, with `import_failed` naming the record and property, and with `unavailable` where a new run would go through.
 */
export async function applyStaged(tx: Transaction, about: StagedWrite): Promise<() => Promise<void>> {
  await tx.client.query('ANALYZE stage_target; ANALYZE stage_mutual');
  await checkStagedTargets(tx, about.repoId);
  await checkStagedRules(tx);
  await writeMutualLinks(tx);
  await markSuppressed(tx);
  // Terms before other keys, in the order in which single writes take them.
  await writeTerms(tx, about.actor);
  await claimStagedKeys(tx);
  const placeTrees = await prepareTrees(tx, about.repoId, about.keepsPositions);
  // Late, for who saves one of these waits from here on.
  await redateStored(tx, about.repoId, about.actor);
  return placeTrees;
}

/** Gives new roots their trees, so that nodes may be laid under them. `ids` by kind are the records written. */
export async function createRoots(
  tx: Transaction,
  repoId: number,
  ids: { readonly [kind: string]: readonly number[] },
): Promise<void> {
  const roots = [...kinds.values()].flatMap((kind) =>
    kind.tree === undefined ? [] : (ids[kind.tree.root] ?? []).map((id) => [kind.tree?.code ?? 0, id]),
  );
  if (roots.length === 0) return;
  await tx.run(
    sql`INSERT INTO tree_root (repo_id, kind, root_id) SELECT ${repoId}::int, u.code, u.id FROM ${sql.unnest(roots, ['int2', 'int4'])} AS u (code, id) ON CONFLICT DO NOTHING`,
  );
}

/**
 * Holds the targets of links to records outside the batch against deletion, as a single write does; but for those that are written (`stage_far`), which are held once, for that (redateStored): who deletes one has it against writers before against links,
 * and each would wait for the other. NOTE: these are looked for by themselves, as holdRecords has no statement of its own join by hash.
 */
async function checkStagedTargets(tx: Transaction, repoId: number): Promise<void> {
  await tx.run(sql`
    INSERT INTO stage_far SELECT DISTINCT t.kind, t.id FROM stage_target t
    JOIN stage_mutual s ON s.source_kind = t.source_kind AND s.source_id = t.source_id AND s.target_kind = t.kind AND s.target_id = t.id`);
  await holdRecords(
    tx,
    sql.fragment`SELECT kind, id FROM stage_target EXCEPT SELECT kind, id FROM stage_far`,
    'deletion',
  );
  await requireTargets(tx, repoId);
}

async function requireTargets(tx: Transaction, repoId: number): Promise<void> {
  const [missing] = await readMissing(tx, repoId, 1);
  if (missing === undefined) return;
  if (missing.is_stored) throw fail('unavailable', `Somebody deleted ${missing.uri} meanwhile; trying again`);
  const { faulty, errors, errorClass } = missingFault(missing, repoId);
  throw await failureOf(tx, faulty, errors, errorClass);
}

/** Re-dates the records outside the batch that show links which records of it have written, as a single write does, where they are still there. */
async function redateStored(tx: Transaction, repoId: number, actor: string | null): Promise<void> {
  const isNone = (await tx.maybeOne(sql.type(EmptyRow)`SELECT FROM stage_far LIMIT 1`)) === null;
  if (isNone) return;
  const farSides = sql.fragment`SELECT kind, id FROM stage_far`;
  await holdRecords(tx, farSides, 'writes');
  await requireTargets(tx, repoId);
  // Nobody kept them from being suppressed until now.
  await markSuppressed(tx);
  await touchIn(tx, farSides, actor);
}

/** The checks of kinds that need the body of a link's target (kind.targets). */
async function checkStagedRules(tx: Transaction): Promise<void> {
  for await (const { faulty, errors, errorClass } of brokenRules(tx))
    throw await failureOf(tx, faulty, errors, errorClass);
}

/** New links to suppressed records start suppressed (contract 5.2). */
async function markSuppressed(tx: Transaction): Promise<void> {
  await tx.run(sql`
    UPDATE link l SET suppressed = true FROM stage_target t JOIN record r ON r.kind = t.kind AND r.id = t.id AND r.suppressed
    WHERE l.target_kind = t.kind AND l.target_id = t.id AND NOT l.suppressed`);
}

/** Links that both sides have written are one (contract 2.2: severed properties are merged and de-duplicated): the first in the file stays. */
export async function writeMutualLinks(tx: Transaction): Promise<void> {
  await tx.run(sql`
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref)
    SELECT s.source_kind, s.source_id, s.ordinal, s.property, s.target_kind, s.target_id, s.repo_id, s.role, s.mutual, s.ref::json FROM stage_mutual s
    WHERE NOT EXISTS (SELECT FROM stage_mutual f WHERE f.mutual = s.mutual AND f.source_kind = s.target_kind AND f.source_id = s.target_id
      AND f.target_kind = s.source_kind AND f.target_id = s.source_id AND f.far_ref = s.ref AND f.number < s.number)`);
}
