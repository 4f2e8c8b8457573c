// Records as batches have them, under temporary uris, for an importer that a test opens later; and what became of them.
import { z } from 'zod';
import { parseUri } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Imported, Importer } from '../batch.ts';
import { personBody, resourceBody } from '../records.ts';

/** Makers of records by a key, from which their temporary uris are made; `fresh` gives one that none had. */
export function batchRecords(importer: () => Importer) {
  let made = 0;
  const fresh = (): string => `b${(made += 1)}`;
  const temporary = (path: string, key: string): string =>
    `${path.startsWith('/') ? '' : `/repositories/${importer().repoId}/`}${path}/import_${key}`;
  const resource = (key: string, more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'resource',
    uri: temporary('resources', key),
    ...resourceBody(fresh()),
    ...more,
  });
  const component = (key: string, root: string, more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'archival_object',
    uri: temporary('archival_objects', key),
    title: `AO ${key}`,
    level: 'file',
    resource: { ref: temporary('resources', root) },
    ...more,
  });
  const under = (key: string): JsonObject => ({ parent: { ref: temporary('archival_objects', key) } });
  const subject = (key: string, words: readonly string[], more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'subject',
    uri: `/subjects/import_${key}`,
    vocabulary: '/vocabularies/1',
    source: 'local',
    terms: words.map((term) => ({ jsonmodel_type: 'term', term, term_type: 'topical', vocabulary: '/vocabularies/1' })),
    ...more,
  });
  const person = (key: string, name: string, more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'agent_person',
    uri: `/agents/people/import_${key}`,
    ...personBody(name),
    ...more,
  });
  const container = (key: string, more: JsonObject = {}): JsonObject => ({
    jsonmodel_type: 'top_container',
    uri: temporary('top_containers', key),
    indicator: key,
    type: 'box',
    ...more,
  });
  const inBox = (key: string): JsonObject => ({
    instances: [
      {
        jsonmodel_type: 'instance',
        instance_type: 'mixed_materials',
        sub_container: { jsonmodel_type: 'sub_container', top_container: { ref: temporary('top_containers', key) } },
      },
    ],
  });
  const realUri = (imported: Imported, temporaryUri: unknown): string =>
    imported.saved[String(temporaryUri)]?.[0] ?? `${String(temporaryUri)} was not saved`;

  /** Titles of the nodes of a tree in order, by the title of their parent; those at the top under `root`. */
  async function childrenOf(rootUri: string): Promise<{ readonly [parent: string]: readonly string[] }> {
    const id = parseUri(rootUri)?.id ?? 0;
    const rows = await importer().database.reader.any(sql.type(
      z.strictObject({ parent: column.text, titles: column.texts }),
    )`
      SELECT coalesce(p.label, 'root') AS parent, array_agg(r.label ORDER BY t.bucket, t.ord) AS titles FROM tree_node t JOIN record r ON r.kind = 'archival_object' AND r.id = t.id
      LEFT JOIN record p ON p.kind = 'archival_object' AND p.id = t.parent_id WHERE t.repo_id = ${importer().repoId} AND t.root_id = ${id} GROUP BY 1`);
    return Object.fromEntries(rows.map((row) => [row.parent, row.titles]));
  }
  return { fresh, temporary, resource, component, under, subject, person, container, inBox, realUri, childrenOf };
}
