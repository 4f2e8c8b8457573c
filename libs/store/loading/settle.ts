// The end of a load: what is staged goes into place with statements whose number depends on the repositories alone, in the transaction that
// copied the records.
import { z } from 'zod';
import { globalRepoId } from '#domain/access/caller.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import type { ArkSettings } from '#domain/identifiers/arks.ts';
import { arkRule, arkStem } from '#domain/identifiers/arks.ts';
import { group } from '#domain/kinds/group.ts';
import { kinds } from '#domain/kinds/index.ts';
import { repository } from '#domain/kinds/repository.ts';
import { term } from '#domain/kinds/term.ts';
import { user } from '#domain/kinds/user.ts';
import { administratorsGroup } from '../access/users.ts';
import { announceAccessChange } from '../access/grants.ts';
import { writeMutualLinks } from '../batch-import/apply-staged.ts';
import { idsPerRow } from '../change-log/append.ts';
import { notifyClients } from '../change-log/notifications.ts';
import type { Transaction } from '../connection/database.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { sequenceOf } from '../set-up/kind-partitions.ts';
import { announcePreferences } from '../settings/preferences.ts';
import { bulkLoadTree } from '../trees/bulk-load.ts';
import { isOwnOfService } from './clashes.ts';

/** What must be there before the faults are looked for: links of both sides, terms that came with subjects, roots of trees. */
export async function settleTargets(tx: Transaction): Promise<void> {
  await tx.client.query('ANALYZE stage_mutual');
  await writeMutualLinks(tx);
  await writeMissingTerms(tx);
  await yieldNames(tx);
  const roots = [...kinds.values()].flatMap(({ tree }) => (tree === undefined ? [] : [[tree.root, tree.code]]));
  await tx.run(sql`
    INSERT INTO tree_root (repo_id, kind, root_id) SELECT s.repo_id, u.code, s.id FROM ${sql.unnest(roots, ['text', 'int2'])} AS u (root, code)
    JOIN load_record s ON s.kind = u.root ON CONFLICT DO NOTHING`);
}

/** Terms that records name in full, where the source has no line for them. Their keys wait with those of the lines: a term that is here under another address refuses the load. */
async function writeMissingTerms(tx: Transaction): Promise<void> {
  await tx.run(sql`
    WITH fresh AS (
      SELECT DISTINCT ON (t.id) t.id, t.term, t.term_type, t.vocabulary, t.number FROM load_term t
      WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = ${term.name} AND r.id = t.id) ORDER BY t.id, t.number),
    written AS (
      INSERT INTO record (kind, id, label, body)
      SELECT ${term.name}, id, term, json_build_object('jsonmodel_type', ${term.name}::text, 'term', term, 'term_type', term_type, 'vocabulary', vocabulary) FROM fresh),
    noted AS (INSERT INTO load_record (kind, id, number, uri) SELECT ${term.name}, id, number, '/terms/' || id FROM fresh)
    INSERT INTO stage_key (rule, scope, value, property, kind, id, number, is_heading)
    SELECT 'term.identity', '', key_text('[' || to_json(vocabulary)::text || ',' || to_json(term)::text || ',' || to_json(term_type)::text || ']'), 'term', ${term.name}, id, number, false FROM fresh`);
}

/** What the service made by itself gives its name up to a record of the source that has another id: rights, password and sessions go along. */
async function yieldNames(tx: Transaction): Promise<void> {
  await tx.client.query('CREATE TEMP TABLE load_rival (kind text, id int, heir int) ON COMMIT DROP');
  const rivals = await tx.run(sql`
    INSERT INTO load_rival SELECT DISTINCT k.kind, k.id, s.id FROM stage_key s JOIN unique_key k ON k.rule = s.rule AND k.scope = s.scope AND k.value = s.value AND k.kind = s.kind AND k.id <> s.id
    JOIN record r ON r.kind = k.kind AND r.id = k.id AND ${isOwnOfService} WHERE NOT EXISTS (SELECT FROM load_record l WHERE l.kind = k.kind AND l.id = k.id)`);
  if (rivals === 0) return;
  for (const statement of [
    sql`UPDATE credential c SET user_id = g.heir FROM load_rival g WHERE g.kind = ${user.name} AND c.user_id = g.id`,
    sql`UPDATE session c SET user_id = g.heir FROM load_rival g WHERE g.kind = ${user.name} AND c.user_id = g.id`,
    sql`UPDATE group_member c SET user_id = g.heir FROM load_rival g WHERE g.kind = ${user.name} AND c.user_id = g.id`,
    sql`UPDATE group_member c SET group_id = g.heir FROM load_rival g WHERE g.kind = ${group.name} AND c.group_id = g.id`,
    sql`DELETE FROM group_grant c USING load_rival g WHERE g.kind = ${group.name} AND c.group_id = g.id`,
    sql`DELETE FROM link l USING load_rival g WHERE l.source_kind = g.kind AND l.source_id = g.id`,
    sql`DELETE FROM unique_key k USING load_rival g WHERE k.kind = g.kind AND k.id = g.id`,
    sql`DELETE FROM record r USING load_rival g WHERE r.kind = g.kind AND r.id = g.id`,
  ])
    await tx.run(statement);
}

const TreeRow = z.strictObject({ repo_id: column.int, code: column.int });

/** Lays the trees, in the order that the source has. */
export async function layLoadedTrees(tx: Transaction): Promise<void> {
  const trees = await tx.any(
    sql.type(TreeRow)`SELECT repo_id, code FROM load_node GROUP BY repo_id, code ORDER BY repo_id, code`,
  );
  // A round for each repository and kind of tree.
  for (const { repo_id: repoId, code } of trees)
    await bulkLoadTree(
      tx,
      { repoId, code },
      sql.fragment`SELECT id, root_id, parent_id, position, number AS seq, visible, level FROM load_node WHERE repo_id = ${repoId} AND code = ${code}`,
      { keepsPositions: true },
    );
}

const NameRow = z.strictObject({ name: column.text });

/** Members and grants of groups, administrators; gives the user names and permissions that there are not. */
export async function writeRights(tx: Transaction): Promise<readonly string[]> {
  const groups = sql.fragment`SELECT id FROM load_record WHERE kind = ${group.name}`;
  await tx.run(sql`DELETE FROM group_grant WHERE group_id IN (${groups})`);
  await tx.run(sql`DELETE FROM group_member WHERE group_id IN (${groups})`);
  await tx.run(sql`INSERT INTO group_grant (group_id, repo_id, permission_code)
    SELECT g.group_id, g.repo_id, p.code FROM load_grant g JOIN permission p ON p.code = g.code ON CONFLICT DO NOTHING`);
  await tx.run(sql`INSERT INTO group_member (group_id, repo_id, user_id)
    SELECT m.group_id, m.repo_id, k.id FROM load_member m JOIN unique_key k ON k.rule = 'user.username' AND k.scope = '' AND k.value = m.username ON CONFLICT DO NOTHING`);
  await tx.run(sql`INSERT INTO group_member (group_id, repo_id, user_id)
    SELECT r.id, r.repo_id, a.user_id FROM load_admin a JOIN record r ON r.kind = ${group.name} AND r.repo_id = ${globalRepoId} AND r.label = ${administratorsGroup} ON CONFLICT DO NOTHING`);
  const unknown = await tx.any(sql.type(NameRow)`
    SELECT DISTINCT 'user ' || m.username AS name FROM load_member m WHERE NOT EXISTS (SELECT FROM unique_key k WHERE k.rule = 'user.username' AND k.scope = '' AND k.value = m.username)
    UNION SELECT DISTINCT 'permission ' || g.code FROM load_grant g WHERE NOT EXISTS (SELECT FROM permission p WHERE p.code = g.code) ORDER BY 1`);
  return unknown.map(({ name }) => name);
}

const UserRow = z.strictObject({ username: column.text });

/** The users of the load who have no password: whom somebody has to let in. */
export async function readUsersToInvite(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.any(sql.type(UserRow)`
    SELECT r.label AS username FROM load_record s JOIN record r ON r.kind = s.kind AND r.id = s.id WHERE s.kind = ${user.name} AND NOT r.suppressed
      AND (r.body->>'is_system_user')::boolean IS NOT TRUE AND NOT EXISTS (SELECT FROM credential c WHERE c.user_id = s.id) ORDER BY 1`);
  return rows.map(({ username }) => username);
}

/** Who loads, the mark that the load is found by, and the naming of this installation. */
export type LoadEnd = { readonly actor: string | null; readonly mark: string | null; readonly arks: ArkSettings };

/** Marks what was loaded here by `mark`, if it has one. And: marks of suppressed links, addresses that were given up, sequences behind the highest id, the change log, and the news for every process. */
export async function finishLoad(tx: Transaction, { actor, mark, arks }: LoadEnd): Promise<void> {
  const hides = sql.array([...suppressibleKinds], 'text');
  await tx.run(
    sql`UPDATE link l SET suppressed = true FROM record r WHERE r.suppressed AND r.kind = ANY(${hides}) AND l.source_kind = r.kind AND l.source_id = r.id AND NOT l.suppressed`,
  );
  await tx.run(
    sql`UPDATE link l SET suppressed = true FROM record r WHERE r.suppressed AND r.kind = ANY(${hides}) AND l.target_kind = r.kind AND l.target_id = r.id AND NOT l.suppressed`,
  );
  await tx.run(
    sql`INSERT INTO tombstone (uri, kind, id, at) SELECT DISTINCT ON (d.uri) d.uri, d.kind, d.id, coalesce(d.at, now()) FROM load_deleted d WHERE NOT EXISTS (SELECT FROM tombstone t WHERE t.uri = d.uri) AND NOT EXISTS (SELECT FROM load_record s WHERE s.uri = d.uri) ORDER BY d.uri, d.at`,
  );
  // Of what was deleted here, and comes back with the source.
  await tx.run(sql`DELETE FROM tombstone t USING load_record s WHERE t.uri = s.uri`);
  await raiseSequences(tx);
  await raiseArkNumber(tx, arks);
  await tx.run(sql`
    INSERT INTO change (actor, kind, ids, repo_id, op)
    SELECT ${actor}, kind, array_agg(id ORDER BY id), repo_id, op FROM (
      SELECT s.*, (row_number() OVER (PARTITION BY kind, repo_id, op ORDER BY id) - 1) / ${idsPerRow} AS part FROM (
        SELECT kind, id, repo_id, CASE WHEN EXISTS (SELECT FROM load_old o WHERE o.kind = l.kind AND o.id = l.id) THEN 'update' ELSE 'create' END AS op FROM load_record l) s) s
    GROUP BY kind, repo_id, op, part ORDER BY kind, repo_id, op, part`);
  await tx.run(
    sql`INSERT INTO loaded (kind, id) SELECT kind, id FROM load_record ON CONFLICT (kind, id) DO UPDATE SET at = excluded.at`,
  );
  await tx.run(sql`INSERT INTO load (actor, mark, records) SELECT ${actor}, ${mark}, count(*)::int FROM load_record`);
  await announceAccessChange(tx);
  await announcePreferences(tx);
  await notifyClients(tx, 'REPOSITORY_CHANGED');
  await notifyClients(tx, 'VOCABULARY_CHANGED');
  tx.changed();
}

const ReachedRow = z.strictObject({ reached: column.int });

/** New records get ids that nothing had in the source: neither what is there nor what was deleted. */
async function raiseSequences(tx: Transaction): Promise<void> {
  const sequences = [...kinds.keys()].map((kind) => [kind, sequenceOf(kind)]);
  await tx.any(sql.type(ReachedRow)`
    SELECT setval(u.sequence::regclass, greatest(m.id, coalesce((SELECT q.last_value FROM pg_sequences q WHERE q.schemaname = current_schema() AND q.sequencename = u.sequence), 1)))::int AS reached
    FROM (SELECT kind, max(id) AS id FROM (SELECT kind, id FROM load_record UNION ALL SELECT kind, id FROM load_deleted) i GROUP BY kind) m
    JOIN ${sql.unnest(sequences, ['text', 'text'])} AS u (kind, sequence) ON u.kind = m.kind`);
}

const ShoulderRow = z.strictObject({ shoulder: column.maybeText });

/** New ARKs get numbers behind those of the names that this installation could have given: the numbers of external ones, and of other authorities, say nothing. */
async function raiseArkNumber(tx: Transaction, arks: ArkSettings): Promise<void> {
  const rows = await tx.any(
    sql.type(
      ShoulderRow,
    )`SELECT DISTINCT body->>'ark_shoulder' AS shoulder FROM record WHERE kind = ${repository.name}`,
  );
  const stems = new Set(
    [undefined, ...rows.map(({ shoulder }) => shoulder ?? undefined)].map((shoulder) => arkStem(arks, shoulder)),
  );
  await tx.any(sql.type(ReachedRow)`
    SELECT setval('ark_number', m.n)::int AS reached FROM (
      SELECT max(substring(k.value FROM char_length(u.stem) + 1)::int) AS n FROM unique_key k JOIN unnest(${sql.array([...stems], 'text')}) AS u (stem)
        ON starts_with(k.value, u.stem) AND substring(k.value FROM char_length(u.stem) + 1) ~ '^[0-9]{1,9}$' WHERE k.rule = ${arkRule} AND k.scope = '') m
    WHERE m.n > coalesce((SELECT q.last_value FROM pg_sequences q WHERE q.schemaname = current_schema() AND q.sequencename = 'ark_number'), 0)`);
}
