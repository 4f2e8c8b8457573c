// Reads what search documents are made of: records as GET answers them, the records they name, titles of ancestors, where things are
// used. Set-based: a fixed number of statements for any number of records.
import { z } from 'zod';
import { kindNamed, parseUri, uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { allKinds, kinds } from '#domain/kinds/index.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { searchOf, unfoundKinds, workedOutLists } from '#domain/search/declared.ts';
import type { Material, RecordText } from '#domain/search/documents/material.ts';
import type { Transaction } from '../connection/database.ts';
import { readJobsToIndex } from '../queue/client-jobs.ts';
import type { ReadRecord } from '../records/reading/read.ts';
import { readManyRecords } from '../records/reading/read.ts';
import { composeRecord } from '../records/reading/compose.ts';
import { column } from '../connection/columns.ts';
import { ofKinds } from '../records/of-kinds.ts';
import { RecordRow } from '../records/reading/row.ts';
import { sql } from '../connection/sql.ts';
import { classifyingRelations, readClassifications } from './classified.ts';
import { keyOf } from './postgres/keys.ts';
import { readIndexed } from './postgres/write.ts';
import { readUsingRepositories } from './using-repositories.ts';
import { RecordKey, keyTable } from '../records/record-key.ts';

/** Material, the change up to which it was read and the sequencer's position then, the edition of the index, and the keys of the records that are there. */
export type ReadMaterial = {
  readonly seq: number;
  readonly position: string;
  readonly edition: number;
  readonly material: Material;
  readonly found: ReadonlySet<string>;
};

const MaterialRow = z.strictObject({
  n: column.int,
  position: column.text,
  edition: column.int,
  set_config: column.text,
});

/** Reads for records by kind and id; those that do not exist are left out. */
export async function readMaterial(tx: Transaction, wanted: readonly RecordKey[]): Promise<ReadMaterial> {
  // Before the records: what they show is then at least as new as this number says.
  const {
    n: seq,
    position,
    edition,
  } = await tx.one(sql.type(MaterialRow)`
    SELECT n, position::text AS position, (SELECT edition FROM search_form), set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true) FROM sequencer`);
  const byKind = new Map<string, number[]>();
  for (const { kind, id } of wanted)
    if (kinds.has(kind) && !isHidden(kind, id)) byKind.set(kind, [...(byKind.get(kind) ?? []), id]);
  const all = await readShown(tx, byKind);
  // Events of the service itself are of no repository that anybody lists (contract 2.6): they would be found by the name of every new agent.
  const listed = all.filter(({ row }) => row.repo_id !== globalRepoId);
  const rows = listed.map(({ row }) => row);
  const jobs = await readJobs(
    tx,
    wanted.flatMap(({ kind, id }) => (kind === 'job' ? [id] : [])),
  );
  const indexed = await readIndexed(tx, rows);
  const holding = await readHolding(tx, rows);
  return {
    seq,
    position,
    edition,
    found: new Set([...all.map(({ row }) => keyOf(row)), ...jobs.map(({ id }) => keyOf({ kind: 'job', id }))]),
    material: {
      records: [
        ...jobs.map(({ record }) => record),
        ...listed.map(({ row, text }) => ({
          kind: row.kind,
          text,
          isNew: !indexed.has(keyOf(row)),
          holdsHidden: holding.has(keyOf(row)),
        })),
      ],
      targets: [...(await readTargets(tx, rows, namedByReplies(listed))), ...(await readClassifications(tx, rows))],
      labels: await readAncestors(tx, rows),
      used: await readUsingRepositories(tx, rows),
      repositories: await readRepositories(tx, rows),
    },
  };
}

/**
 * The records as those see them who may not know of suppressed ones: their documents are the same for everybody. A suppressed record, which
 * only those find who see all, is read as it is.
 */
async function readShown(
  tx: Transaction,
  byKind: ReadonlyMap<string, readonly number[]>,
): Promise<readonly ReadRecord[]> {
  const shown = [...(await readManyRecords(tx, byKind, { seesSuppressed: false })).values()];
  const there = new Set(shown.map(({ row }) => keyOf(row)));
  const rest = new Map(
    [...byKind].map(([kind, ids]) => [kind, ids.filter((id) => !there.has(keyOf({ kind, id })))] as const),
  );
  return [...shown, ...(await readManyRecords(tx, rest, { seesSuppressed: true })).values()];
}

/** Jobs that clients see, which are no records. */
async function readJobs(
  tx: Transaction,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly record: RecordText }[]> {
  if (ids.length === 0) return [];
  const jobs = await readJobsToIndex(tx, ids);
  const indexed = await readIndexed(
    tx,
    jobs.map(({ id }) => ({ kind: 'job', id })),
  );
  return jobs.map(({ id, job, files }) => ({
    id,
    record: { kind: 'job', text: JSON.stringify(job), isNew: !indexed.has(keyOf({ kind: 'job', id })), files },
  }));
}

/** Those of the records that ask for it to which something suppressed links: containers show nothing of it, and are not empty all the same. */
async function readHolding(tx: Transaction, rows: readonly RecordRow[]): Promise<ReadonlySet<string>> {
  const asked = rows.filter((row) => searchOf(row.kind).looksForHidden === true);
  if (asked.length === 0) return new Set();
  const found = await tx.any(sql.type(RecordKey)`SELECT u.kind, u.id FROM ${keyTable(asked)} AS u (kind, id)
    WHERE EXISTS (SELECT FROM link l WHERE l.target_kind = u.kind AND l.target_id = u.id AND l.suppressed)`);
  return new Set(found.map(keyOf));
}

// The global repository is ours alone (contract 2.6): nobody lists it.
const isHidden = (kind: string, id: number): boolean => kind === 'repository' && id === globalRepoId;

/** Links that both sides write and documents of both show; of the others by which records are sorted, readClassifications tells. */
const shownOnBothSides = sql.array([...new Set(propertiesShownOnBothSides())], 'text');

function propertiesShownOnBothSides(): readonly string[] {
  const written = allKinds.flatMap(({ mutual = {}, properties }) =>
    Object.entries(mutual).map(([property, { relation }]) => ({
      property,
      relation,
      isShown: properties[property]?.resolvedInSearch !== undefined,
    })),
  );
  const shown = written.flatMap(({ relation, isShown }) => (isShown ? [relation] : []));
  return written
    .filter(({ relation }) => shown.includes(relation) && !classifyingRelations.includes(relation))
    .map(({ property }) => property);
}

/** The records that replies name and no link does, such as the collections that what was assessed is in. */
function namedByReplies(records: readonly ReadRecord[]): readonly RecordKey[] {
  return records.flatMap(({ row, text }) => {
    const lists = workedOutLists(row.kind);
    if (lists.length === 0) return [];
    const record: JsonObject = JSON.parse(text);
    return lists
      .flatMap((list) => objectsOf(record, list))
      .flatMap((link) => parseUri(textOf(link, 'ref') ?? '') ?? [])
      .map(({ kind, id }) => ({ kind, id }));
  });
}

/**
 * The records that links name, and `others`, without what is computed of them; suppressed ones stay unnamed. Containers get a plain name: the one
 * that their own document shows costs a walk over all that is in them, which every batch of an import would pay anew.
 */
async function readTargets(
  tx: Transaction,
  keys: readonly RecordKey[],
  others: readonly RecordKey[],
): Promise<Material['targets']> {
  if (keys.length === 0) return [];
  const named = sql.fragment`${keyTable(keys)} AS s (kind, id)`;
  const linked = await tx.any(sql.type(RecordKey)`
    SELECT l.target_kind AS kind, l.target_id AS id FROM ${named} JOIN link l ON l.source_kind = s.kind AND l.source_id = s.id
    WHERE (l.mutual IS NULL OR l.property = ANY(${shownOnBothSides})) AND l.target_kind <> ALL(${sql.array([...unfoundKinds], 'text')})
    UNION SELECT l.source_kind, l.source_id FROM ${named} JOIN link l ON l.target_kind = s.kind AND l.target_id = s.id AND l.property = ANY(${shownOnBothSides})`);
  const targets = [...new Map([...linked, ...others].map((key) => [keyOf(key), key])).values()];
  if (targets.length === 0) return [];
  const rows = await tx.any(sql.type(RecordRow)`
    SELECT r.kind, r.id, r.repo_id, r.lock_version, r.publish, r.suppressed, r.label, r.created_by, r.last_modified_by, r.create_time, r.system_mtime, r.user_mtime, r.body
    FROM ${keyTable(targets)} AS t (kind, id)
    JOIN record r ON r.kind = t.kind AND r.id = t.id AND ${ofKinds(targets.map(({ kind }) => kind))} WHERE NOT r.suppressed`);
  return rows.map((row): readonly [string, string] => {
    const kind = kindNamed(row.kind);
    return [uriOf(kind, row.id, row.repo_id), composeRecord(kind, row, computedOf(row))];
  });
}

/** What a record is shown with besides, as its kind has it from the body: `"name":value,` for each property. */
function computedOf(row: RecordRow): string {
  const shownAs = searchOf(row.kind).shownAs;
  if (shownAs === undefined) return '';
  const body: JsonObject = JSON.parse(row.body);
  return Object.entries(shownAs(body))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`)
    .join('');
}

const AncestorRow = z.strictObject({
  code: column.int,
  is_root: column.bool,
  id: column.int,
  repo_id: column.int,
  label: column.text,
  body: column.maybeText,
});

/** Titles of all ancestors of nodes, roots among them with their identifiers. */
async function readAncestors(tx: Transaction, rows: readonly RecordRow[]): Promise<Material['labels']> {
  const nodes = rows.flatMap((row) => {
    const code = kindNamed(row.kind).tree?.code;
    return code === undefined || row.repo_id === null ? [] : [[row.repo_id, code, row.id]];
  });
  if (nodes.length === 0) return [];
  const kindsAbove = new Set(
    rows.flatMap(({ kind }) => {
      const { tree } = kindNamed(kind);
      return tree === undefined ? [] : [kind, tree.root];
    }),
  );
  const found = await tx.any(sql.type(AncestorRow)`
    WITH RECURSIVE up AS (
      SELECT t.repo_id, t.kind, t.root_id, t.parent_id FROM ${sql.unnest(nodes, ['int4', 'int2', 'int4'])} AS s (repo_id, kind, id)
      JOIN tree_node t ON t.repo_id = s.repo_id AND t.kind = s.kind AND t.id = s.id
      UNION SELECT t.repo_id, t.kind, t.root_id, t.parent_id FROM up JOIN tree_node t ON t.repo_id = up.repo_id AND t.kind = up.kind AND t.id = up.parent_id
    ), above AS (
      SELECT DISTINCT kind AS code, false AS is_root, parent_id AS id FROM up WHERE parent_id IS NOT NULL UNION SELECT kind, true, root_id FROM up
    )
    SELECT a.code, a.is_root, r.id, r.repo_id, r.label, CASE WHEN a.is_root THEN r.body::text END AS body FROM above a JOIN record r ON r.id = a.id AND NOT r.suppressed AND r.kind = ${kindOfCode} AND ${ofKinds(kindsAbove)}`);
  return found.flatMap(
    ({ code, is_root: isRoot, id, repo_id: repoId, label, body }): (readonly [string, readonly string[]])[] => {
      const kind = kindOfNode(code, isRoot);
      if (kind === undefined) return [];
      const root: JsonObject = body === null ? {} : JSON.parse(body);
      const identifier = searchOf(kind.name).fields?.['identifier']?.read(root, {});
      const texts = [textOf(root, 'title') ?? label, ...(typeof identifier === 'string' ? [identifier] : [])];
      return [[uriOf(kind, id, repoId), texts]];
    },
  );
}

/** The kind of an ancestor by the number of its tree, as SQL. */
const kindOfCode = sql.fragment`CASE a.code ${sql.join(
  allKinds.flatMap(({ name, tree }) =>
    tree === undefined
      ? []
      : [sql.fragment`WHEN ${tree.code} THEN CASE WHEN a.is_root THEN ${tree.root}::text ELSE ${name}::text END`],
  ),
  sql.fragment` `,
)} END`;

function kindOfNode(code: number, isRoot: boolean): Kind | undefined {
  const node = [...kinds.values()].find((kind) => kind.tree?.code === code);
  return isRoot ? kinds.get(node?.tree?.root ?? '') : node;
}

const RepositoryRow = z.strictObject({ id: column.int, label: column.text, publish: column.bool });

async function readRepositories(tx: Transaction, rows: readonly RecordRow[]): Promise<Material['repositories']> {
  const ids = [...new Set(rows.flatMap((row) => row.repo_id ?? []))];
  if (ids.length === 0) return [];
  const found = await tx.any(sql.type(RepositoryRow)`
    SELECT id, label, publish IS TRUE AS publish FROM record WHERE kind = 'repository' AND id = ANY(${sql.array(ids, 'int4')})`);
  return found.map(({ id, label, publish }) => [id, label, publish]);
}
