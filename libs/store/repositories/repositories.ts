// Repositories: the record, its agent, its groups, its place among the others; and the deletion of everything in one (contract 2.6).
import { z } from 'zod';
import { kinds } from '#domain/kinds/index.ts';
import { fail } from '#domain/errors.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { repository } from '#domain/kinds/repository.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import type { Reader, Transaction } from '../connection/database.ts';
import { announceAccessChange } from '../access/grants.ts';
import { notifyClients } from '../change-log/notifications.ts';
import { createGroup, groupBody } from '../access/groups.ts';
import { deleteJobsOf } from '../queue/mailbox.ts';
import type { AgentContext } from './service-agents.ts';
import { findOrCreateCorporateBody, withRef } from './service-agents.ts';
import { holdRecords } from '../records/writing/lock-order.ts';
import { freeSlug } from '../records/writing/naming.ts';
import { writePartTombstonesOfRepository } from '../records/writing/part-tombstones.ts';
import type { ReadRecord } from '../records/reading/read.ts';
import { readRecords } from '../records/reading/read.ts';
import type { Viewer } from '../records/reading/viewer.ts';
import type { Written } from '../records/writing/write.ts';
import { createRecord, lockRecord, staleToDelete, updateRecord } from '../records/writing/write.ts';
import { column, StoredRow, IdRow, LockVersionRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** The groups that a new repository has: '{repo_code}' in the description stands for the code. */
export type DefaultGroups = {
  readonly [code: string]: { readonly description: string; readonly grants: readonly string[] };
};

/** The kinds whose records live in a repository. */
export const repositoryKinds = (): readonly Kind[] => [...kinds.values()].filter((kind) => kind.scope === 'repository');

/** Positions, slugs and codes are taken by one transaction after another. */
async function lockRepositories(tx: Transaction): Promise<void> {
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended('muniment repositories', 0))`);
}

/** A new repository. `makeAgent` makes the agent that the client gave with it (null: none) and gives its uri; absent, one is found or made by the code. */
export type NewRepository = {
  readonly prepared: Prepared;
  readonly groups: DefaultGroups;
  readonly makeAgent?: (context: AgentContext) => Promise<string | null>;
};

const PositionRow = z.strictObject({ position: column.int });

/** Creates a repository with its agent, slug, position and six groups. Fails with `not_unique`. */
export async function createRepository(tx: Transaction, given: NewRepository, context: AgentContext): Promise<Written> {
  await lockRepositories(tx);
  const code = textOf(given.prepared.body, 'repo_code') ?? '';
  // Behind the last one; where that stands at the last place that there is, the highest free place behind another.
  const { position } = await tx.one(sql.type(PositionRow)`
    WITH taken AS (SELECT (body->>'position')::int AS place FROM record WHERE kind = 'repository')
    SELECT coalesce((SELECT max(t.place) + 1 FROM taken t WHERE t.place < ${largestInt4} AND NOT EXISTS (SELECT FROM taken next WHERE next.place = t.place + 1)), 0) AS position`);
  const { kind, slug } = await withSlug(tx, given.prepared.body, { position }, null);
  const { makeAgent = (around) => findOrCreateCorporateBody(tx, code, around) } = given;
  const agentUri = await makeAgent(reservingSlug(context, slug));
  const prepared = agentUri === null ? given.prepared : withRef(given.prepared, 'agent_representation', agentUri);
  const written = await createRecord(tx, kind, prepared, {
    actor: context.actor,
    repoId: null,
    generatedValues: context.generatedValues,
  });
  await createDefaultGroups(tx, written.id, code, given.groups, context);
  await announceAccessChange(tx);
  await notifyClients(tx, 'REPOSITORY_CHANGED');
  return written;
}

/** The agent of a repository has its code as its name; the slug that both would have is the repository's, by which people look for it. */
function reservingSlug(context: AgentContext, slug: string | undefined): AgentContext {
  const { naming } = context.generatedValues;
  if (slug === undefined || naming === undefined) return context;
  const slugs = { ...naming.slugs, reserved: slug };
  return { ...context, generatedValues: { ...context.generatedValues, naming: { ...naming, slugs } } };
}

async function createDefaultGroups(
  tx: Transaction,
  repoId: number,
  code: string,
  groups: DefaultGroups,
  context: AgentContext,
): Promise<void> {
  const group = { actor: context.actor, repoId, generatedValues: context.generatedValues, caller: null };
  // Six groups of different shapes, each once in the life of a repository: a chain of promises, in the order of their ids.
  await Object.entries(groups).reduce<Promise<unknown>>(
    (before, [name, { description, grants }]) =>
      before.then(() => createGroup(tx, groupBody(name, description.replace('{repo_code}', code), grants, []), group)),
    Promise.resolve(),
  );
}

/** The kind with a generation that makes the slug unique (contract 6.16: `_1`, `_2` …) and puts in what clients cannot set. */
async function withSlug(
  tx: Transaction,
  body: JsonObject,
  kept: JsonObject,
  ownId: number | null,
): Promise<{ readonly kind: Kind; readonly slug?: string }> {
  // Repository slugs need neither generated ids nor defaults.
  const plain = repository.generate?.(body, { newHexId: () => '', publishDefault: false }, null) ?? body;
  const wanted = textOf(plain, 'slug');
  const slug = wanted === undefined ? undefined : await freeSlug(tx, wanted, 'repository', ownId);
  const named = slug === undefined ? {} : { slug };
  const kind: Kind = {
    ...repository,
    generate: (given, generatedValues, old) => ({
      ...(repository.generate?.(given, generatedValues, old) ?? given),
      ...kept,
      ...named,
    }),
  };
  return { kind, ...named };
}

const PublishRow = z.strictObject({ publish: column.maybeBool });

/**
 * Replaces a repository; position and agent stay (`agentUri` given: another agent, null: none). A changed `publish` re-dates
 * every publishable record in it, a changed name its classifications and terms. Fails with `not_found`, `stale_record`, `not_unique`.
 */
export async function updateRepository(
  tx: Transaction,
  id: number,
  prepared: Prepared,
  lockVersion: unknown,
  context: AgentContext,
  agentUri?: string | null,
): Promise<Written> {
  await lockRepositories(tx);
  const { body: text } = await lockRecord(tx, repository, id, null);
  // A stored body is our own canonical text; the flag is a column.
  const old: JsonObject = JSON.parse(text);
  const { publish } = await tx.one(sql.type(PublishRow)`
    SELECT publish FROM record WHERE kind = 'repository' AND id = ${id}`);
  const agent = agentUri === undefined ? (textOf(objectOf(old, 'agent_representation'), 'ref') ?? null) : agentUri;
  const { kind } = await withSlug(tx, prepared.body, { position: old['position'] }, id);
  const whole = agent === null ? prepared : withRef(prepared, 'agent_representation', agent);
  const written = await updateRecord(tx, kind, id, whole, lockVersion, {
    actor: context.actor,
    repoId: null,
    generatedValues: context.generatedValues,
  });
  if ((prepared.body['publish'] === true) !== (publish === true))
    await redate(
      tx,
      id,
      repositoryKinds().filter((each) => each.properties['publish'] !== undefined),
      context.actor,
    );
  else if (textOf(prepared.body, 'name') !== textOf(old, 'name'))
    await redate(
      tx,
      id,
      repositoryKinds().filter((each) => each.name.startsWith('classification')),
      context.actor,
    );
  await announceAccessChange(tx);
  return written;
}

/** Sets `system_mtime` of records of a repository and logs them as changed, a thousand to a row. */
async function redate(tx: Transaction, repoId: number, which: readonly Kind[], actor: string | null): Promise<void> {
  const names = sql.array(
    which.map((kind) => kind.name),
    'text',
  );
  await tx.run(sql`
    WITH written AS (UPDATE record SET system_mtime = now() WHERE kind = ANY(${names}) AND repo_id = ${repoId} RETURNING kind, id),
    numbered AS (SELECT kind, id, (row_number() OVER (PARTITION BY kind ORDER BY id) - 1) / 1000 AS part FROM written)
    INSERT INTO change (actor, kind, ids, repo_id, op) SELECT ${actor}, kind, array_agg(id ORDER BY id), ${repoId}, 'update' FROM numbered GROUP BY kind, part`);
  tx.changed();
}

/** Gives a repository a position; the repository that holds it takes the old one (contract 2.6, R-B). Gives the lock version, unchanged. */
export async function setRepositoryPosition(tx: Transaction, id: number, position: number): Promise<number> {
  await lockRepositories(tx);
  const { body, lock_version: lockVersion } = await lockRecord(tx, repository, id, null);
  const old = Number(JSON.parse(body).position ?? 0);
  const rows = await tx.any(sql.type(StoredRow)`
    SELECT id, body FROM record WHERE kind = 'repository' AND (id = ${id} OR (body->>'position')::int = ${position}) FOR NO KEY UPDATE`);
  const moved = rows.map((row) => [
    row.id,
    JSON.stringify({ ...JSON.parse(row.body), position: row.id === id ? position : old }),
  ]);
  await tx.run(sql`
    WITH written AS (UPDATE record r SET body = u.body::json, system_mtime = now() FROM ${sql.unnest(moved, ['int4', 'text'])} AS u (id, body) WHERE r.kind = 'repository' AND r.id = u.id RETURNING r.id, r.lock_version)
    INSERT INTO change (kind, id, op, lock_version) SELECT 'repository', id, 'update', lock_version FROM written`);
  tx.changed();
  return lockVersion;
}

const IdsRow = z.strictObject({ ids: column.ints });

/** All repositories by ascending id, the hidden global one left out; only those changed since a time in epoch seconds. */
export async function listRepositories(reader: Reader, viewer: Viewer, since = 0): Promise<readonly ReadRecord[]> {
  const { ids } = await reader.one(sql.type(IdsRow)`
    SELECT ARRAY(SELECT id FROM record WHERE kind = 'repository' AND id <> ${globalRepoId} AND system_mtime >= to_timestamp(${since}) ORDER BY id) AS ids`);
  const found = await readRecords(reader, new Map([['repository', ids]]), viewer);
  return [...found.values()].sort((a, b) => a.row.id - b.row.id);
}

/**
 * Deletes a repository with everything in it: records with their links, keys, trees, revisions kept; groups, jobs. A fixed number of statements, whatever the size. Fails with `not_found`; with
 * `delete_refused` where a record has an assessment (`linked_to_assessment`), or where assessments or locations of the repository are left (`Repository not empty`); with `lockVersion` (If-Match) with `stale_record` where it
 * has another version.
 */
export async function deleteRepository(
  tx: Transaction,
  id: number,
  actor: string | null,
  lockVersion: number | null = null,
): Promise<void> {
  if (id === globalRepoId) throw fail('delete_refused', 'Repository not empty');
  await lockRepositories(tx);
  // Who makes a record in it, or a link to it, holds it (records/writing/home.ts): from here on all of these are to be seen, and no new ones come.
  const held = await tx.maybeOne(
    sql.type(LockVersionRow)`SELECT lock_version FROM record WHERE kind = 'repository' AND id = ${id} FOR UPDATE`,
  );
  if (held === null) throw fail('not_found', 'Repository not found');
  if (lockVersion !== null && held.lock_version !== lockVersion) throw staleToDelete();
  await refuseLeftovers(tx, id);
  const names = sql.array(
    repositoryKinds().map((kind) => kind.name),
    'text',
  );
  const doomed = sql.fragment`((r.kind = ANY(${names}) AND r.repo_id = ${id}) OR (r.kind = 'repository' AND r.id = ${id}))`;
  // Links and keys that saves are writing are to be seen, too. Against writes first: a save has its record before its targets, and is let through to these.
  for (const hold of ['writes', 'deletion and links'] as const)
    await holdRecords(tx, sql.fragment`SELECT r.kind, r.id FROM record r WHERE ${doomed}`, hold);
  await writePartTombstonesOfRepository(tx, id);
  await tx.run(
    sql`DELETE FROM link l USING record r WHERE ${doomed} AND l.source_kind = r.kind AND l.source_id = r.id`,
  );
  await tx.run(
    sql`DELETE FROM link l USING record r WHERE ${doomed} AND l.target_kind = r.kind AND l.target_id = r.id`,
  );
  await tx.run(sql`DELETE FROM unique_key k USING record r WHERE ${doomed} AND k.kind = r.kind AND k.id = r.id`);
  await tx.run(sql`
    WITH gone AS (DELETE FROM record r WHERE ${doomed} RETURNING r.*),
    kept AS (INSERT INTO revision (kind, id, lock_version, repo_id, op, actor, label, publish, suppressed, last_modified_by, user_mtime, body)
      SELECT kind, id, lock_version, repo_id, 'delete', ${actor}, label, publish, suppressed, last_modified_by, user_mtime, body FROM gone),
    buried AS (INSERT INTO tombstone (uri, kind, id) SELECT record_uri(kind, id, repo_id), kind, id FROM gone),
    numbered AS (SELECT kind, id, repo_id, (row_number() OVER (PARTITION BY kind ORDER BY id) - 1) / 1000 AS part FROM gone)
    INSERT INTO change (actor, kind, ids, repo_id, op) SELECT ${actor}, kind, array_agg(id ORDER BY id), repo_id, 'delete' FROM numbered GROUP BY kind, repo_id, part`);
  await tx.run(sql`WITH nodes AS (DELETE FROM tree_node WHERE repo_id = ${id}), shifts AS (DELETE FROM tree_shift WHERE repo_id = ${id}), buckets AS (DELETE FROM tree_bucket WHERE repo_id = ${id}),
    members AS (DELETE FROM group_member WHERE repo_id = ${id}), grants AS (DELETE FROM group_grant WHERE repo_id = ${id})
    DELETE FROM tree_root WHERE repo_id = ${id}`);
  await tx.run(
    sql`WITH forms AS (DELETE FROM form_setting WHERE repo_id = ${id}) DELETE FROM assessment_attribute_definition WHERE repo_id = ${id}`,
  );
  await deleteJobsOf(tx, id);
  tx.changed();
  await announceAccessChange(tx);
  await notifyClients(tx, 'REPOSITORY_CHANGED');
}

const LeftRow = z.strictObject({ assessed: column.bool, assessments: column.bool, locations: column.bool });

async function refuseLeftovers(tx: Transaction, id: number): Promise<void> {
  const left = await tx.one(sql.type(LeftRow)`SELECT
    EXISTS (SELECT FROM record a JOIN link l ON l.source_kind = 'assessment' AND l.source_id = a.id AND l.property = 'records' WHERE a.kind = 'assessment' AND a.repo_id = ${id}) AS assessed,
    EXISTS (SELECT FROM record WHERE kind = 'assessment' AND repo_id = ${id}) AS assessments,
    EXISTS (SELECT FROM link WHERE target_kind = 'repository' AND target_id = ${id} AND source_kind = 'location') AS locations`);
  if (left.assessed) throw fail('delete_refused', 'linked_to_assessment');
  if (left.assessments || left.locations) throw fail('delete_refused', 'Repository not empty');
}

/** Which repositories exist, remembered until `forget`; an id that is not known is looked up. The hidden global one counts (groups and preferences live in it). */
export class RepositoryIds {
  readonly #reader: Reader;
  #known = new Set<number>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Whether there is a repository of this id. */
  async has(id: number): Promise<boolean> {
    if (this.#known.has(id)) return true;
    const known = this.#known;
    const row = await this.#reader.maybeOne(
      sql.type(IdRow)`SELECT id FROM record WHERE kind = 'repository' AND id = ${id}`,
    );
    // Added to the set that was current before the question, so that a forget in between wins.
    if (row !== null) known.add(id);
    return row !== null;
  }

  /** Drops what is remembered. */
  forget(): void {
    this.#known = new Set();
  }
}
