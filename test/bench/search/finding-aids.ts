// The real finding aids in an index, without records: what benchmarks of searches begin with.
import { Failure } from '#domain/errors.ts';
import { kindNamed } from '#domain/addresses.ts';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectsOf, textOf } from '#domain/json.ts';
import { toSearchDocuments } from '#domain/search/documents/document.ts';
import { fourParts } from '#domain/search/documents/reading.ts';
import type { SearchDocument } from '#domain/search/documents/document.ts';
import { withoutMarkup } from '#domain/text/mixed-content.ts';
import type { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { indexDocuments } from '#test/support/index-documents.ts';
import { AnyRow } from '#test/support/rows.ts';
import { inChunks, readArchive } from '../../support/real-data.ts';

/** Where a document of the finding aids stands. */
export type Place = { readonly file: string; readonly n: number; readonly title: string };
/** Documents straight from the reader: refs completed from the records of the same file, as the indexer does it from the database. */
export async function indexFindingAids(database: Database, folder: string): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>();
  let next = 1;
  for (const file of readArchive(folder, 'ead.tar.gz')) {
    const records = new Map<string, JsonObject>();
    const reading = readEad(inChunks(file.bytes), {
      repositoryUri: '/repositories/1',
      importId: String(next),
      isEnumerationValue: () => true,
    });
    try {
      for await (const record of reading) records.set(String(record.uri), record);
    } catch (error) {
      // Some files of the set are broken on purpose; their records are not judged.
      if (!(error instanceof Failure) || error.code !== 'import_failed') throw error;
      console.warn(`  not indexed: ${file.name}: ${error.message.slice(0, 120)}`);
      continue;
    }
    const uris = new Map(
      [...records.keys()].map((uri, at) => [uri, `${String(uri).replace(/\/[^/]*$/, '')}/${next + at}`]),
    );
    next += records.size;
    const documents: SearchDocument[] = [];
    const components = [...records.values()].filter((record) => record['jsonmodel_type'] === 'archival_object');
    const order = documentOrder(components);
    for (const [uri, record] of records) {
      const kind = textOf(record, 'jsonmodel_type') ?? '';
      if (kind !== 'resource' && kind !== 'archival_object') continue;
      const own = uris.get(uri) ?? uri;
      const label = kindNamed(kind).label(record);
      const complete: JsonObject = {
        ...completed(record, records),
        uri: own,
        repository: { ref: '/repositories/1' },
        ...(kind === 'archival_object' ? { display_string: label } : {}),
      };
      const ancestorTexts = ancestorsOf(record, records).flatMap((ancestor) => [
        textOf(ancestor, 'title') ?? '',
        ...(textOf(ancestor, 'jsonmodel_type') === 'resource' ? [fourParts(ancestor).join('-')] : []),
      ]);
      documents.push(...toSearchDocuments(kind, complete, { ancestorTexts }));
      places.set(own, {
        file: file.name,
        n: kind === 'resource' ? 0 : (order.get(uri) ?? -1),
        title: withoutMarkup(textOf(record, 'title') ?? label),
      });
    }
    for (let at = 0; at < documents.length; at += 1000)
      await indexDocuments(
        database,
        documents.slice(at, at + 1000).filter((one) => one.audience !== 'public'),
        1,
      );
  }
  await database.reader.any(sql.type(AnyRow)`ANALYZE search_doc`);
  return places;
}

function ancestorsOf(record: JsonObject, records: ReadonlyMap<string, JsonObject>): readonly JsonObject[] {
  const refOf = (value: JsonObject | undefined, property: string): JsonObject | undefined => {
    const link = value?.[property];
    return typeof link === 'object' && link !== null && 'ref' in link ? records.get(String(link.ref)) : undefined;
  };
  const parent = refOf(record, 'parent');
  if (parent !== undefined) return [parent, ...ancestorsOf(parent, records)];
  const root = refOf(record, 'resource');
  return root === undefined ? [] : [root];
}

/** Numbers components as the document does: a parent, then what is in it. The reader yields children before parents, siblings in order. */
function documentOrder(components: readonly JsonObject[]): ReadonlyMap<string, number> {
  const children = new Map<string, JsonObject[]>();
  for (const component of components) {
    const parent = component['parent'];
    const key = typeof parent === 'object' && parent !== null && 'ref' in parent ? String(parent.ref) : '';
    children.set(key, [...(children.get(key) ?? []), component]);
  }
  const order = new Map<string, number>();
  const visit = (key: string): void => {
    for (const component of children.get(key) ?? []) {
      order.set(String(component['uri']), order.size + 1);
      visit(String(component['uri']));
    }
  };
  visit('');
  return order;
}

function completed(record: JsonObject, records: ReadonlyMap<string, JsonObject>): JsonObject {
  const link = (one: JsonObject): JsonObject => {
    const target = records.get(textOf(one, 'ref') ?? '');
    const kind = textOf(target, 'jsonmodel_type');
    return target === undefined || kind === undefined
      ? one
      : { ...one, _resolved: { ...target, title: textOf(target, 'title') ?? kindNamed(kind).label(target) } };
  };
  const instances = objectsOf(record, 'instances').map((instance) => {
    const container = instance['sub_container'];
    if (typeof container !== 'object' || container === null || Array.isArray(container)) return instance;
    const sub = container as JsonObject;
    const top = sub['top_container'];
    return typeof top === 'object' && top !== null && !Array.isArray(top)
      ? { ...instance, sub_container: { ...sub, top_container: link(top as JsonObject) } }
      : instance;
  });
  return {
    ...record,
    instances,
    subjects: objectsOf(record, 'subjects').map(link),
    linked_agents: objectsOf(record, 'linked_agents').map(link),
  };
}
