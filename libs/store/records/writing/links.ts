// Link rows: checking that targets exist, and replacing the links of a record.
import { z } from 'zod';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { suppressibleKinds } from '#domain/access/suppression.ts';
import type { Transaction } from '../../connection/database.ts';
import { column } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { MutualRow } from './far-sides.ts';
import { heldInOrder } from './lock-order.ts';
import { ofKinds } from '../of-kinds.ts';
import type { LinkRow } from '#domain/checking/split.ts';
import { keyTable } from '../record-key.ts';

const TargetRow = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
  suppressed: column.bool,
});

/**
 * Fails with the contract's words (1.3 "Bad reference") where a target does not exist, lives in another repository than the
 * source, or is the source itself. Holds the targets against deletion and suppression until the transaction ends. One statement.
 * Gives the uris of targets that are suppressed: links to them are marked from the start (contract 5.2).
 */
export async function checkTargets(
  tx: Transaction,
  links: readonly LinkRow[],
  repoId: number | null,
  self: { readonly kind: string; readonly id: number } | null,
): Promise<ReadonlySet<string>> {
  if (links.length === 0) return none;
  for (const link of links) {
    if (link.targetRepoId !== null && repoId !== null && link.targetRepoId !== repoId)
      throw fail('unknown_reference', `Invalid URI reference for this (${repoId}) repo: '${link.uri}'`);
    if (self !== null && link.targetKind === self.kind && link.targetId === self.id)
      throw fail('unknown_reference', "Can't relate an object to itself");
  }
  const targets = new Map(links.map((link) => [link.uri, link]));
  const wanted = [...targets.values()];
  const rows = await tx.any(sql.type(TargetRow)`
    SELECT r.kind, r.id, r.repo_id, r.suppressed FROM ${heldInOrder(
      wanted.map((link) => ({ kind: link.targetKind, id: link.targetId })),
      'deletion',
    )}`);
  const found = new Set(rows.map((row) => `${row.kind} ${row.id} ${row.repo_id}`));
  const missing = wanted.find((link) => !found.has(`${link.targetKind} ${link.targetId} ${link.targetRepoId}`));
  if (missing !== undefined) throw fail('unknown_reference', `Can't relate to non-existent record: ${missing.uri}`);
  const hidden = rows.filter((row) => row.suppressed && suppressibleKinds.has(row.kind));
  return hidden.length === 0 ? none : new Set(hidden.map((row) => uriOf(kindNamed(row.kind), row.id, row.repo_id)));
}

const none: ReadonlySet<string> = new Set();

const TargetRuleRow = z.strictObject({ kind: column.text, id: column.int, body: column.text });

/** Runs the checks of a kind that need the bodies of linked records; one statement, and none where no ref is concerned. */
export async function checkTargetRules(tx: Transaction, kind: Kind, bodies: readonly JsonObject[]): Promise<void> {
  const concerned = bodies.flatMap((body) =>
    (kind.targets ?? []).flatMap((rule) =>
      objectsOf(body, rule.property).flatMap((ref, index) => {
        const address = rule.concerns(ref) ? parseUri(textOf(ref, 'ref') ?? '') : null;
        return address === null ? [] : [{ rule, ref, address, index }];
      }),
    ),
  );
  if (concerned.length === 0) return;
  const rows = await tx.any(sql.type(TargetRuleRow)`
    SELECT r.kind, r.id, r.body FROM ${keyTable(concerned.map(({ address }) => address))} AS u (kind, id) JOIN record r ON r.kind = u.kind AND r.id = u.id AND ${ofKinds(concerned.map(({ address }) => address.kind))}`);
  for (const { rule, ref, address, index } of concerned) {
    const target = rows.find((row) => row.kind === address.kind && row.id === address.id);
    const problem = target === undefined ? null : rule.check(ref, JSON.parse(target.body));
    if (problem !== null)
      throw fail('invalid_record', { [`${rule.property}/${index}/${problem.path}`]: [problem.message] });
  }
}

/** The links that a record is to have. */
export type LinkSource = { readonly id: number; readonly links: readonly LinkRow[] };

/** Writes the links of records that have none of their own yet; `hidden` as checkTargets gives it. Mutual links of the far side are untouched. One statement, or none. */
export async function insertLinks(
  tx: Transaction,
  kind: string,
  sources: readonly LinkSource[],
  repoId: number | null,
  hidden: ReadonlySet<string>,
  hasOthers = false,
): Promise<void> {
  const rows = sources.flatMap(({ id, links }) =>
    links.map((link, ordinal) => [
      id,
      ordinal,
      link.property,
      link.targetKind,
      link.targetId,
      link.role,
      link.mutual,
      link.ref,
      hidden.has(link.uri),
    ]),
  );
  if (rows.length === 0) return;
  // Behind those that stayed, where any may have.
  const first = hasOthers
    ? sql.fragment`coalesce((SELECT max(ordinal) + 1 FROM link WHERE source_kind = ${kind} AND source_id = u.id), 0)`
    : sql.fragment`0`;
  await tx.run(sql`
    INSERT INTO link (source_kind, source_id, ordinal, property, target_kind, target_id, repo_id, role, mutual, ref, suppressed)
    SELECT ${kind}, u.id, ${first} + u.ordinal, u.property, u.target_kind, u.target_id, ${repoId}::int, u.role, u.mutual, u.ref::json, u.suppressed
    FROM ${sql.unnest(rows, ['int4', 'int4', 'text', 'text', 'int4', 'text', 'text', 'text', 'bool'])} AS u (id, ordinal, property, target_kind, target_id, role, mutual, ref, suppressed)`);
}

/**
 * Replaces the links of a record. Mutual links in which it stands on the far side are dropped and written anew from this
 * side, since the body that was sent holds them too (contract 3.3); with `keepsHidden` mutual links to suppressed records stay, but for those that
 * the body names. Gives the
 * mutual links that were dropped.
 */
export async function replaceLinks(
  tx: Transaction,
  kind: string,
  id: number,
  repoId: number | null,
  links: readonly LinkRow[],
  hidden: ReadonlySet<string>,
  keepsHidden = false,
): Promise<readonly MutualRow[]> {
  const own = sql.fragment`(source_kind = ${kind} AND source_id = ${id})`;
  const named = sql.unnest(
    links.flatMap((link) => (link.mutual === null ? [] : [[link.mutual, link.targetKind, link.targetId]])),
    ['text', 'text', 'int4'],
  );
  const kept = keepsHidden
    ? sql.fragment` AND NOT (suppressed AND mutual IS NOT NULL AND (mutual, CASE WHEN ${own} THEN target_kind ELSE source_kind END, CASE WHEN ${own} THEN target_id ELSE source_id END)
        NOT IN (SELECT n.relation, n.kind, n.id FROM ${named} AS n (relation, kind, id)))`
    : sql.fragment``;
  const drop = async (): Promise<readonly MutualRow[]> =>
    tx.any(sql.type(MutualRow)`
    WITH dropped AS (
      DELETE FROM link WHERE (${own} OR (target_kind = ${kind} AND target_id = ${id} AND mutual IS NOT NULL))${kept} RETURNING *
    ), sided AS (SELECT *, NOT ${own} AS far FROM dropped WHERE mutual IS NOT NULL)
    SELECT CASE WHEN far THEN source_kind ELSE target_kind END AS kind, CASE WHEN far THEN source_id ELSE target_id END AS id, mutual AS relation, coalesce(ref::text, '{}') AS ref, far FROM sided`);
  const [dropped, since] = await tx.together(() => [
    drop(),
    // Who saves the other side at the same moment drops the same row, and writes it anew: this has waited for that, and sees what was written by looking again.
    links.some((link) => link.mutual !== null) ? drop() : [],
    insertLinks(tx, kind, [{ id, links }], repoId, hidden, keepsHidden),
  ]);
  return [...dropped, ...since];
}
