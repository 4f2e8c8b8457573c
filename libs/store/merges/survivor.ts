// The record that stays: what it takes over into its body, and its new date and version.
import { kindNamed } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { adoptedProfile, adoptedRefs, withAdopted, profileRef } from '#domain/merges/adopted.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { keysOf, splitBody } from '#domain/checking/split.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import type { RecordAddress } from '#domain/uri.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Transaction } from '../connection/database.ts';
import { checkTargets } from '../records/writing/links.ts';
import { updatePartTombstones } from '../records/writing/part-tombstones.ts';
import { withNames } from '../records/writing/naming.ts';
import { claimKeys } from '../records/writing/unique-keys.ts';
import { BodyRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

type StoredBody = { readonly kind: string; readonly id: number; readonly body: JsonObject };

/** Raises the version of a record that was kept before (keepVersion), dates it as changed by the actor, and logs it. */
export async function signRecord(tx: Transaction, { kind, id }: RecordAddress, actor: string | null): Promise<void> {
  await tx.run(sql`
    WITH written AS (
      UPDATE record SET lock_version = lock_version + 1, system_mtime = now(), user_mtime = now(), last_modified_by = ${actor} WHERE kind = ${kind} AND id = ${id} RETURNING kind, id, repo_id, lock_version
    ) INSERT INTO change (actor, kind, id, repo_id, op, lock_version) SELECT ${actor}, kind, id, repo_id, 'update', lock_version FROM written`);
  tx.changed();
}

/** Gives roots the agents and subjects, containers the locations and the profile of what goes; keeps the old body where anything comes in. */
export async function adopt(
  tx: Transaction,
  mergeId: number,
  survivor: RecordAddress,
  own: JsonObject,
  gone: readonly StoredBody[],
): Promise<void> {
  const bodies = gone.map((one) => one.body);
  const refs = adoptedRefs(survivor.kind, own, bodies);
  const profile = survivor.kind === topContainer.name ? adoptedProfile(own, bodies) : null;
  if (refs.length === 0 && profile === null) return;
  await keepSurvivor(tx, mergeId, survivor);
  await setBody(tx, survivor, JSON.stringify(withAdopted(own, refs, profile)));
  // The rows of what came in, found by their place among the refs of their property.
  const wanted = refs.map(({ property, from, index }) => [
    gone[from]?.kind ?? '',
    gone[from]?.id ?? 0,
    property,
    index,
  ]);
  const withProfile =
    profile === null
      ? wanted
      : [
          ...wanted,
          ...gone
            .filter((one) => one.body[profileRef.property] !== undefined)
            .slice(0, 1)
            .map((one) => [one.kind, one.id, profileRef.property, 0]),
        ];
  await tx.run(sql`
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, ref)
    SELECT ${survivor.kind}, ${survivor.id}, (SELECT coalesce(max(o.ordinal), -1) FROM link o WHERE o.source_kind = ${survivor.kind} AND o.source_id = ${survivor.id}) + u.n,
      m.property, m.target_kind, m.target_id, ${survivor.repoId}::int, m.role, NULL
    FROM ${sql.unnest(
      withProfile.map((row, n) => [...row, n + 1]),
      ['text', 'int4', 'text', 'int4', 'int4'],
    )} AS u (kind, id, property, place, n)
    JOIN (SELECT k.*, row_number() OVER (PARTITION BY k.source_kind, k.source_id, k.property ORDER BY k.ordinal) - 1 AS place FROM merge_link k WHERE k.merge_id = ${mergeId} AND k.part = 'out' AND k.mutual IS NULL) AS m
      ON m.source_kind = u.kind AND m.source_id = u.id AND m.property = u.property AND m.place = u.place`);
}

/** Gives the survivor of a detailed agent merge its combined body, and the slug that this wants. Relations stay the rows that they are. Fails with `not_unique`. */
export async function rewriteSurvivor(
  tx: Transaction,
  mergeId: number,
  survivor: RecordAddress,
  prepared: Prepared,
  generatedValues: GeneratedValues,
): Promise<void> {
  const kind = kindNamed(survivor.kind);
  const { body: text } = await tx.one(sql.type(BodyRow)`
    SELECT body FROM record WHERE kind = ${survivor.kind} AND id = ${survivor.id}`);
  await keepSurvivor(tx, mergeId, survivor);
  const old: JsonObject = JSON.parse(text);
  const named = { kind, id: survivor.id, repoId: survivor.repoId, old };
  const [body = prepared.body] = await withNames(tx, [prepared.body], named, generatedValues);
  const stored = splitBody(kind, { ...prepared, body }, generatedValues, old);
  const links = stored.links.filter((link) => link.mutual === null);
  await checkTargets(tx, links, survivor.repoId, survivor);
  await tx.run(
    sql`DELETE FROM link WHERE source_kind = ${survivor.kind} AND source_id = ${survivor.id} AND mutual IS NULL`,
  );
  if (links.length > 0) {
    await tx.run(sql`
      INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role)
      SELECT ${survivor.kind}, ${survivor.id}, (SELECT coalesce(max(o.ordinal), -1) FROM link o WHERE o.source_kind = ${survivor.kind} AND o.source_id = ${survivor.id}) + u.n, u.property, u.target_kind, u.target_id, NULL::int, u.role
      FROM ${sql.unnest(
        links.map((link, n) => [n + 1, link.property, link.targetKind, link.targetId, link.role]),
        ['int4', 'text', 'text', 'int4', 'text'],
      )} AS u (n, property, target_kind, target_id, role)`);
  }
  await setBody(tx, survivor, stored.text, stored.label);
  await updatePartTombstones(tx, kind, survivor.id, survivor.repoId, old, stored.body);
  await claimKeys(tx, survivor.kind, survivor.id, keysOf(kind, stored.body, survivor.repoId, null), false);
}

/** Keeps the body and the own links of the survivor. */
async function keepSurvivor(tx: Transaction, mergeId: number, { kind, id }: RecordAddress): Promise<void> {
  await tx.run(sql`
    WITH kept AS (
      INSERT INTO merge_body (merge_id, kind, id, body) SELECT ${mergeId}::int, kind, id, body FROM record WHERE kind = ${kind} AND id = ${id} ON CONFLICT DO NOTHING
    )
    INSERT INTO merge_link (merge_id, part, source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal)
    SELECT ${mergeId}::int, 'old', source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, target_ordinal
    FROM link WHERE source_kind = ${kind} AND source_id = ${id} AND mutual IS NULL`);
}

async function setBody(tx: Transaction, { kind, id }: RecordAddress, text: string, label?: string): Promise<void> {
  await tx.run(
    sql`UPDATE record SET body = ${text}::json, label = coalesce(${label ?? null}::text, label) WHERE kind = ${kind} AND id = ${id}`,
  );
}
