// Invariants between tables: links, keys, groups, tombstones, the change log. Trees are checked by trees/invariants.ts, bodies by bodies.ts.
import { allKinds } from '#domain/kinds/index.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import { repository } from '#domain/kinds/repository.ts';
import { group } from '#domain/kinds/group.ts';
import { user } from '#domain/kinds/user.ts';
import { sql } from '../connection/sql.ts';
import type { Invariant } from './invariant.ts';

const names = (chosen: (kind: (typeof allKinds)[number]) => boolean) =>
  sql.array(
    allKinds.filter(chosen).map((kind) => kind.name),
    'text',
  );
const ends = sql.fragment`l.source_kind || ' ' || l.source_id || ' ' || l.property || ' -> ' || l.target_kind || ' ' || l.target_id AS example`;
const suppressible = sql.array([...suppressibleKinds], 'text');

/** The invariants, each one statement over whole tables. */
export const rowInvariants: readonly Invariant[] = [
  {
    says: 'links from records that do not exist',
    query: sql`SELECT ${ends} FROM link l WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = l.source_kind AND r.id = l.source_id)`,
  },
  {
    says: 'links to records that do not exist',
    query: sql`SELECT ${ends} FROM link l WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = l.target_kind AND r.id = l.target_id)`,
  },
  {
    says: 'links that say another repository than their source is in',
    query: sql`SELECT ${ends} FROM link l JOIN record s ON s.kind = l.source_kind AND s.id = l.source_id WHERE l.repo_id IS DISTINCT FROM s.repo_id`,
  },
  {
    says: 'links between records of two repositories',
    query: sql`SELECT ${ends} FROM link l JOIN record s ON s.kind = l.source_kind AND s.id = l.source_id JOIN record t ON t.kind = l.target_kind AND t.id = l.target_id WHERE s.repo_id <> t.repo_id`,
  },
  {
    says: 'links whose mark differs from whether one of their ends is suppressed',
    query: sql`SELECT ${ends} FROM link l JOIN record s ON s.kind = l.source_kind AND s.id = l.source_id JOIN record t ON t.kind = l.target_kind AND t.id = l.target_id
      WHERE l.suppressed <> ((s.suppressed AND s.kind = ANY(${suppressible})) OR (t.suppressed AND t.kind = ANY(${suppressible})))`,
  },
  {
    says: 'records outside any repository that belong into one, or inside one though they are global',
    query: sql`SELECT r.kind || ' ' || r.id AS example FROM record r
      WHERE (r.kind = ANY(${names((kind) => kind.scope === 'global')}) AND r.repo_id IS NOT NULL)
        OR (r.kind = ANY(${names((kind) => kind.scope === 'repository')}) AND NOT EXISTS (SELECT FROM record p WHERE p.kind = ${repository.name} AND p.id = r.repo_id))`,
  },
  {
    says: 'records with the flag `publish` where their kind has none, or without it where it has one',
    query: sql`SELECT r.kind || ' ' || r.id AS example FROM record r WHERE (r.publish IS NULL) <> (r.kind = ANY(${names((kind) => kind.properties['publish'] === undefined)}))`,
  },
  {
    says: 'unique keys of records that do not exist',
    query: sql`SELECT k.rule || ' ' || k.value || ' of ' || k.kind || ' ' || k.id AS example FROM unique_key k WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = k.kind AND r.id = k.id)`,
  },
  {
    says: 'memberships of groups or users that do not exist',
    query: sql`SELECT 'group ' || m.group_id || ' user ' || m.user_id AS example FROM group_member m
      WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = ${group.name} AND r.id = m.group_id AND r.repo_id = m.repo_id) OR NOT EXISTS (SELECT FROM record r WHERE r.kind = ${user.name} AND r.id = m.user_id)`,
  },
  {
    says: 'permissions granted by groups that do not exist',
    query: sql`SELECT 'group ' || g.group_id || ' ' || g.permission_code AS example FROM group_grant g WHERE NOT EXISTS (SELECT FROM record r WHERE r.kind = ${group.name} AND r.id = g.group_id AND r.repo_id = g.repo_id)`,
  },
  {
    says: 'records that are there although they are told of as deleted',
    query: sql`SELECT t.uri AS example FROM tombstone t JOIN record r ON r.kind = t.kind AND r.id = t.id WHERE record_uri(r.kind, r.id, r.repo_id) = t.uri`,
  },
  {
    says: 'records with a version that no history leads to',
    // Users are rewritten by logins and lists of groups without a revision; what was loaded from elsewhere came without its history.
    query: sql`SELECT r.kind || ' ' || r.id AS example FROM record r WHERE r.lock_version > 0 AND r.kind <> ALL(${sql.array([user.name, repository.name], 'text')})
      AND NOT EXISTS (SELECT FROM revision v WHERE v.kind = r.kind AND v.id = r.id AND v.lock_version = r.lock_version - 1)
      AND NOT EXISTS (SELECT FROM history_purge p WHERE p.kind = r.kind AND p.id = r.id AND p.lock_version >= r.lock_version) AND NOT EXISTS (SELECT FROM history_horizon h WHERE r.user_mtime < h.before)
      AND NOT EXISTS (SELECT FROM load l WHERE r.system_mtime <= l.at)`,
  },
  {
    says: 'two histories of one version',
    query: sql`SELECT kind || ' ' || id || ' version ' || lock_version AS example FROM revision WHERE op = 'update' GROUP BY kind, id, lock_version HAVING count(*) > 1`,
  },
  {
    says: 'changes that the feed has passed over',
    query: sql`SELECT c.kind || ' ' || coalesce(c.id::text, 'batch') || ' seq ' || c.seq AS example FROM change c, sequencer s
      WHERE c.xid < pg_snapshot_xmin(s.position) AND c.at > now() - interval '1 hour' AND NOT EXISTS (SELECT FROM feed f WHERE f.n > s.n - 10000000 AND f.seq = c.seq)`,
  },
  {
    says: 'numbers missing in the feed',
    // A restore leaves a million out on purpose (decision 0005).
    query: sql`SELECT 'after ' || n AS example FROM (SELECT n, lead(n) OVER (ORDER BY n) AS next FROM feed) AS f WHERE next - n > 1 AND next - n < 1000000`,
  },
];
