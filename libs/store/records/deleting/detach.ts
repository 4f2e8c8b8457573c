// Refs to records that are to be deleted: what forbids it, or what takes them out of the records that stay.
import { z } from 'zod';
import { kindNamed, uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Failure } from '#domain/errors.ts';
import { fail } from '#domain/errors.ts';
import { appendFrom } from '../../change-log/append.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import type { IdsOfKind } from '../visibility/reach.ts';
import { keysOf } from '../visibility/reach.ts';
import { ofKinds } from '../of-kinds.ts';
import { heldInOrder } from '../writing/lock-order.ts';
import { keyTable } from '../record-key.ts';
import { pruneBody, ruleFor } from './prune.ts';
import type { Target } from './take-from-trees.ts';

const Incoming = z.strictObject({
  source_kind: column.text,
  source_id: column.int,
  property: column.text,
  target_kind: column.text,
  target_id: column.int,
});
type Incoming = z.infer<typeof Incoming>;

const bodiesAtOnce = 500;

/** Why a record cannot be deleted. */
export type Refusal = { readonly target: Target; readonly failure: Failure };

/** Refuses, or takes the refs to the doomed out of the records that stay. */
export async function detach(
  tx: Transaction,
  doomed: readonly IdsOfKind[],
  wanted: readonly Target[],
  repoId: number | null,
  actor: string | null,
): Promise<readonly Refusal[]> {
  const targets = keyTable(keysOf(doomed));
  const incoming = await tx.any(sql.type(Incoming)`
    WITH gone AS MATERIALIZED (SELECT * FROM ${targets} AS u (kind, id))
    SELECT l.source_kind, l.source_id, l.property, l.target_kind, l.target_id FROM gone JOIN link l ON l.target_kind = gone.kind AND l.target_id = gone.id
    WHERE l.mutual IS NULL AND NOT EXISTS (SELECT FROM gone g WHERE g.kind = l.source_kind AND g.id = l.source_id)`);
  const refusals = incoming.flatMap((link): Refusal[] => {
    const rule = ruleFor(kindNamed(link.source_kind), link.property);
    if (typeof rule !== 'object') return [];
    // What is below a named record, and is not named itself, speaks for the first one.
    const target = wanted.find(({ kind, id }) => kind.name === link.target_kind && id === link.target_id) ?? wanted[0];
    return target === undefined ? [] : [{ target, failure: fail('delete_refused', rule.refuse) }];
  });
  if (refusals.length > 0) return refusals;
  const holders = new Map<string, { readonly kind: string; readonly id: number; readonly links: Incoming[] }>();
  for (const link of incoming) {
    const key = `${link.source_kind} ${link.source_id}`;
    const holder = holders.get(key) ?? { kind: link.source_kind, id: link.source_id, links: [] };
    holder.links.push(link);
    holders.set(key, holder);
  }
  const list = [...holders.values()];
  for (let at = 0; at < list.length; at += bodiesAtOnce)
    await dropRefs(tx, list.slice(at, at + bodiesAtOnce), repoId, actor);
  return [];
}

const HolderRow = z.strictObject({ kind: column.text, id: column.int, body: column.text, lock_version: column.int });

/** A record that links to what is deleted, and the links. */
export type Holder = {
  readonly kind: string;
  readonly id: number;
  readonly links: readonly Pick<Incoming, 'property' | 'target_kind' | 'target_id'>[];
};

/** The body of a holder without its refs to what is deleted; `repoId`: of the deletion. */
export function withoutRefs(stored: JsonObject, { kind, links }: Holder, repoId: number | null): JsonObject {
  let body = stored;
  for (const link of links) {
    const rule = ruleFor(kindNamed(kind), link.property);
    const target = kindNamed(link.target_kind);
    const uri = uriOf(target, link.target_id, target.scope === 'repository' ? repoId : null);
    body = pruneBody(body, link.property, new Set([uri]), rule === 'drop_part' ? 'drop_part' : 'drop_ref');
  }
  return body;
}

/** Holds the holders, and writes them without their refs, with a revision and a change of each; gives them as they were. Their rows of `link` stay. */
export async function dropRefs(
  tx: Transaction,
  holders: readonly Holder[],
  repoId: number | null,
  actor: string | null,
): Promise<readonly z.infer<typeof HolderRow>[]> {
  const rows = await tx.any(sql.type(HolderRow)`
    SELECT r.kind, r.id, r.body, r.lock_version FROM ${heldInOrder(holders, 'writes')}`);
  const byKey = new Map(holders.map((holder) => [`${holder.kind} ${holder.id}`, holder]));
  const changed = rows.map((row) => {
    const holder = byKey.get(`${row.kind} ${row.id}`);
    // Stored bodies are our own canonical text.
    const body: JsonObject = JSON.parse(row.body);
    return [row.kind, row.id, JSON.stringify(holder === undefined ? body : withoutRefs(body, holder, repoId))];
  });
  const ofHolders = ofKinds(holders.map(({ kind }) => kind));
  await tx.run(sql`
    WITH given AS MATERIALIZED (SELECT * FROM ${sql.unnest(changed, ['text', 'int4', 'text'])} AS u (kind, id, body)),
    kept AS (INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT r.kind, r.id, r.lock_version, r.repo_id, 'unlink', ${actor}, r.label, r.publish, r.suppressed, r.last_modified_by, r.user_mtime, r.body
      FROM given g JOIN record r ON r.kind = g.kind AND r.id = g.id AND ${ofHolders}),
    written AS (
      UPDATE record r SET body = u.body::json, system_mtime = now() FROM given u
      WHERE r.kind = u.kind AND r.id = u.id AND ${ofHolders} RETURNING r.kind, r.id, r.repo_id, r.lock_version
    ) ${appendFrom('written', 'update', actor)}`);
  return rows;
}
