// The records that one tree answer shows, read in sets: bodies in one statement, their top containers in one more, and only for
// published_only the flags of linked digital objects in a third. Never per node.
import { z } from 'zod';
import { isObject, objectsOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import type { Reader } from '../../connection/database.ts';
import { column, IdRow } from '../../connection/columns.ts';
import { sql } from '../../connection/sql.ts';
import { idArray } from '../conditions.ts';
import { containerRef, digitalRef } from '#domain/tree/shown.ts';
import type { Surroundings } from '#domain/tree/shown.ts';

/** Who asks for what: the kinds of the tree, the release whose keys are sent, and the published_only filter. */
export type TreeView = {
  readonly repoId: number;
  readonly nodeKind: Kind;
  readonly rootKind: Kind;
  readonly release: 'R-A' | 'R-B';
  readonly publishedOnly: boolean;
  /** Whether the caller is shown suppressed records (tree/node answers 404 else). */
  readonly seesSuppressed: boolean;
  /** The `slugged_url` of a record; '' where it is absent, as it is unless slugs are on. */
  readonly sluggedUrl?: (kind: Kind, body: JsonObject) => string;
};

/** A record of a page. */
export type PageRecord = {
  readonly id: number;
  readonly label: string;
  readonly publish: boolean | null;
  readonly suppressed: boolean;
  readonly body: JsonObject;
};

/** A page of records by id, with what their instances point at. */
export type Page = Surroundings & { readonly records: ReadonlyMap<number, PageRecord> };

const RecordRow = z.strictObject({
  id: column.int,
  label: column.text,
  publish: column.maybeBool,
  suppressed: column.bool,
  body: column.text,
});

/** Reads records of a kind in a repository, in one statement. Ids without a record are left out. */
export async function readRecords(
  reader: Reader,
  kind: string,
  repoId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PageRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.any(sql.type(RecordRow)`
    SELECT r.id, r.label, r.publish, r.suppressed, r.body FROM record r WHERE r.kind = ${kind} AND r.repo_id = ${repoId} AND r.id = ANY(${idArray(ids)})`);
  return new Map(rows.map((row) => [row.id, { ...row, body: toBody(row.body) }]));
}

/** Records of a kind with the top containers and digital objects of their instances. */
export async function readPage(reader: Reader, view: TreeView, kind: Kind, ids: readonly number[]): Promise<Page> {
  const records = await readRecords(reader, kind.name, view.repoId, ids);
  const instances = [...records.values()].flatMap((record) => objectsOf(record.body, 'instances'));
  const containers = await readRecords(reader, topContainer.name, view.repoId, idsOf(instances.map(containerRef)));
  const digitalRefs =
    view.publishedOnly && view.release === 'R-B' ? instances.map(digitalRef).filter((ref) => ref !== undefined) : [];
  return {
    records,
    containers: new Map(
      [...containers].map(([id, container]) => [`/repositories/${view.repoId}/top_containers/${id}`, container.body]),
    ),
    digitalObjects: view.publishedOnly ? await publishedAmong(reader, view.repoId, digitalRefs) : null,
  };
}

async function publishedAmong(reader: Reader, repoId: number, refs: readonly string[]): Promise<ReadonlySet<string>> {
  if (refs.length === 0) return new Set();
  const rows = await reader.any(sql.type(IdRow)`
    SELECT r.id FROM record r WHERE r.kind = ${digitalObject.name} AND r.repo_id = ${repoId} AND r.publish AND r.id = ANY(${idArray(idsOf(refs))})`);
  return new Set(rows.map((row) => `/repositories/${repoId}/digital_objects/${row.id}`));
}

function idsOf(refs: readonly (string | undefined)[]): readonly number[] {
  return [...new Set(refs.map((ref) => Number(/\/(\d{1,9})$/.exec(ref ?? '')?.[1])))].filter((id) => !Number.isNaN(id));
}

function toBody(text: string): JsonObject {
  const body: unknown = JSON.parse(text);
  return isObject(body) ? body : {};
}
