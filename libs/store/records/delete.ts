// Deleting records: with their tree, links on both sides, keys; leaving a revision and a tombstone for each (contract 5.5).
// Set-based: the number of statements does not depend on how many nodes or links there are, but for chunks of rewritten bodies.
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { Kind } from '#domain/kind.ts';
import type { JsonObject } from '#domain/json.ts';
import { fail } from '#domain/errors.ts';
import type { Transaction } from '../database.ts';
import { sql } from '../sql.ts';
import { removeFromTree } from './place.ts';
import { pruneBody, ruleFor } from './prune.ts';
import { lockRecord } from './write.ts';

/** Records of one kind that go together. */
export type Doomed = { readonly kind: Kind; readonly ids: readonly number[] };
type Incoming = { readonly source_kind: string; readonly source_id: number; readonly property: string; readonly target_kind: string; readonly target_id: number };

const bodiesAtOnce = 500;

/**
 * Deletes a record and, where it is in a tree, everything below it. Fails with `not_found`, or `delete_refused` where a link
 * of another record forbids it. Gives the uris that are gone.
 */
export async function deleteRecord(tx: Transaction, kind: Kind, id: number, repoId: number | null, actor: string | null): Promise<readonly string[]> {
  await lockRecord(tx, kind, id, repoId);
  const doomed: Doomed[] = [{ kind, ids: [id] }, ...(await removeFromTree(tx, kind, id, repoId))].filter((group) => group.ids.length > 0);
  const merged = mergeGroups(doomed);
  await detach(tx, merged, repoId);
  const gone: string[] = [];
  for (const group of merged) {
    await deleteRows(tx, group, repoId, actor);
    gone.push(...group.ids.map((each) => uriOf(group.kind, each, repoId)));
  }
  tx.changed();
  return gone;
}

function mergeGroups(groups: readonly Doomed[]): readonly Doomed[] {
  const byKind = new Map<string, Set<number>>();
  for (const group of groups) byKind.set(group.kind.name, new Set([...(byKind.get(group.kind.name) ?? []), ...group.ids]));
  return [...byKind].map(([name, ids]) => ({ kind: kindNamed(name), ids: [...ids] }));
}

/** Refuses, or takes the refs to the doomed out of the records that stay. */
async function detach(tx: Transaction, doomed: readonly Doomed[], repoId: number | null): Promise<void> {
  const targets = sql.unnest(doomed.flatMap((group) => group.ids.map((each) => [group.kind.name, each])), ['text', 'int4']);
  const incoming = await tx.any<Incoming>(sql`
    WITH gone AS MATERIALIZED (SELECT * FROM ${targets} AS u (kind, id))
    SELECT l.source_kind, l.source_id, l.property, l.target_kind, l.target_id FROM gone JOIN link l ON l.target_kind = gone.kind AND l.target_id = gone.id
    WHERE l.mutual IS NULL AND NOT EXISTS (SELECT FROM gone g WHERE g.kind = l.source_kind AND g.id = l.source_id)`);
  for (const link of incoming) {
    const rule = ruleFor(kindNamed(link.source_kind), link.property);
    if (typeof rule === 'object') throw fail('delete_refused', rule.refuse);
  }
  const holders = new Map<string, { readonly kind: string; readonly id: number; readonly links: Incoming[] }>();
  for (const link of incoming) {
    const key = `${link.source_kind} ${link.source_id}`;
    const holder = holders.get(key) ?? { kind: link.source_kind, id: link.source_id, links: [] };
    holder.links.push(link);
    holders.set(key, holder);
  }
  const list = [...holders.values()];
  for (let at = 0; at < list.length; at += bodiesAtOnce) await rewriteHolders(tx, list.slice(at, at + bodiesAtOnce), repoId);
}

async function rewriteHolders(tx: Transaction, holders: readonly { readonly kind: string; readonly id: number; readonly links: readonly Incoming[] }[], repoId: number | null): Promise<void> {
  const rows = await tx.any<{ kind: string; id: number; body: string }>(sql`
    SELECT r.kind, r.id, r.body FROM ${sql.unnest(holders.map((holder) => [holder.kind, holder.id]), ['text', 'int4'])} AS u (kind, id)
    JOIN record r ON r.kind = u.kind AND r.id = u.id ORDER BY r.kind, r.id FOR NO KEY UPDATE OF r`);
  const changed = rows.map((row) => {
    const holder = holders.find((each) => each.kind === row.kind && each.id === row.id);
    // Stored bodies are our own canonical text.
    let body: JsonObject = JSON.parse(row.body);
    for (const link of holder?.links ?? []) {
      const rule = ruleFor(kindNamed(row.kind), link.property);
      const target = kindNamed(link.target_kind);
      const uri = uriOf(target, link.target_id, target.scope === 'repository' ? repoId : null);
      body = pruneBody(body, link.property, new Set([uri]), rule === 'drop_part' ? 'drop_part' : 'drop_ref');
    }
    return [row.kind, row.id, JSON.stringify(body)];
  });
  await tx.run(sql`
    WITH written AS (
      UPDATE record r SET body = u.body::json, system_mtime = now() FROM ${sql.unnest(changed, ['text', 'int4', 'text'])} AS u (kind, id, body)
      WHERE r.kind = u.kind AND r.id = u.id RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) INSERT INTO change (kind, id, repo_id, op, lock_version) SELECT kind, id, repo_id, 'update', lock_version FROM written`);
}

/** Deletes the rows of records with their links and keys, leaving a revision, a tombstone and a change of each. Four statements. */
export async function deleteRows(tx: Transaction, group: Doomed, repoId: number | null, actor: string | null): Promise<void> {
  const name = group.kind.name;
  const ids = sql.array([...group.ids], 'int4');
  await tx.run(sql`
    WITH gone AS (DELETE FROM record r USING unnest(${ids}) AS u (id) WHERE r.kind = ${name} AND r.id = u.id RETURNING r.*),
    kept AS (INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'delete', ${actor}, label, publish, suppressed, last_modified_by, user_mtime, body FROM gone),
    buried AS (INSERT INTO tombstone (uri, kind, id) SELECT record_uri(kind, id, repo_id), kind, id FROM gone)
    INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${actor}, kind, id, ${repoId}::int, 'delete', lock_version + 1 FROM gone`);
  await tx.run(sql`DELETE FROM link l USING unnest(${ids}) AS u (id) WHERE l.source_kind = ${name} AND l.source_id = u.id`);
  await tx.run(sql`DELETE FROM link l USING unnest(${ids}) AS u (id) WHERE l.target_kind = ${name} AND l.target_id = u.id`);
  await tx.run(sql`DELETE FROM unique_key k USING unnest(${ids}) AS u (id) WHERE k.kind = ${name} AND k.id = u.id`);
}
