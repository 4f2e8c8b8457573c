// What cells of the spreadsheet name: containers of the resource, digital objects and accessions of the repository. One statement each.
import { z } from 'zod';
import { uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { accession } from '#domain/kinds/accession.ts';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import { keysOf } from '#domain/checking/split.ts';
import type { UpdateRow } from '#domain/spreadsheets/rows.ts';
import { treeCodeOf } from '#domain/tree/tree.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { Reader } from '../connection/database.ts';
import { StoredRow, column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';

/** By what a container is found: type, indicator and barcode. */
export const containerKey = (type: string | null, indicator: string | null, barcode: string | null): string =>
  JSON.stringify([type, indicator, barcode]);

/** The container of a key that containerKey made, as people read it. */
export const containerName = (key: string): string =>
  (JSON.parse(key) as readonly (string | null)[]).map((part) => part ?? '(blank)').join(', ');

/** Uris of the containers that archival objects of a resource use, by containerKey; of several alike the oldest. */
export async function readContainersOf(
  reader: Reader,
  repoId: number,
  resourceId: number,
): Promise<Map<string, string>> {
  const rows = await reader.any(sql.type(StoredRow)`
    SELECT r.id, r.body FROM (SELECT DISTINCT l.target_id FROM tree_node t JOIN link l ON l.source_kind = 'archival_object' AND l.source_id = t.id AND l.property = 'instances.sub_container.top_container'
      WHERE t.repo_id = ${repoId} AND t.kind = ${treeCodeOf(archivalObject)} AND t.root_id = ${resourceId}) u JOIN record r ON r.kind = 'top_container' AND r.id = u.target_id ORDER BY r.id DESC`);
  return new Map(
    rows.map((row) => {
      const body: JsonObject = JSON.parse(row.body);
      return [
        containerKey(textOf(body, 'type') ?? null, textOf(body, 'indicator') ?? null, textOf(body, 'barcode') ?? null),
        uriOf(topContainer, row.id, repoId),
      ];
    }),
  );
}

const DigitalObjectRow = z.strictObject({ id: column.int, name: column.text });

/** Uris of digital objects of a repository by their identifiers. */
export async function readDigitalObjects(
  reader: Reader,
  repoId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.any(sql.type(DigitalObjectRow)`
    SELECT r.id, r.body->>'digital_object_id' AS name FROM record r
    WHERE r.kind = 'digital_object' AND r.repo_id = ${repoId} AND r.body->>'digital_object_id' = ANY(${sql.array([...new Set(ids)], 'text')})`);
  return new Map(rows.map((row) => [row.name, uriOf(digitalObject, row.id, repoId)]));
}

/** The text under which an accession's identifier is found. */
export function accessionKey(parts: readonly (string | null)[], repoId: number): string {
  const body = Object.fromEntries(parts.flatMap((part, index) => (part === null ? [] : [[`id_${index}`, part]])));
  const key = keysOf(accession, body, repoId, null).find(({ rule }) => rule === accession.unique?.[0]?.name);
  return key?.value ?? '';
}

/** The accessions that a row of a sheet names, by accessionKey. */
export const accessionsIn = ({ cells }: UpdateRow, repoId: number): readonly string[] =>
  [...cells.keys()]
    .filter((path) => /^related_accessions\/\d+\/id_0$/.test(path))
    .map((path) => [0, 1, 2, 3].map((n) => cells.get(`${path.slice(0, -1)}${n}`) ?? null))
    .map((parts) => accessionKey(parts, repoId))
    .filter((key) => key !== '');

const AccessionRow = z.strictObject({ id: column.int, value: column.text });

/** Uris of accessions of a repository by accessionKey. */
export async function readAccessions(
  reader: Reader,
  repoId: number,
  keys: readonly string[],
): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await reader.any(sql.type(AccessionRow)`
    SELECT id, value FROM unique_key WHERE rule = ${accession.unique?.[0]?.name ?? ''} AND scope = ${`r${repoId}`} AND value = ANY(${sql.array([...new Set(keys)], 'text')})`);
  return new Map(rows.map((row) => [row.value, uriOf(accession, row.id, repoId)]));
}
