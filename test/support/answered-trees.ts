// Trees of resources, digital objects and classifications, in which nodes have all that tree/root, tree/waypoint and tree/node show of them, for
// the tests of these answers.
import { afterAll, expect } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { treeOf } from '#domain/tree/tree.ts';
import type { Reader } from '#store/connection/database.ts';
import { Database } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { createRoot, insertNodes } from '#store/trees/insert.ts';
import { createDatabase } from './database.ts';

const archivalObject = kindNamed('archival_object');
const resource = kindNamed('resource');
const component = kindNamed('digital_object_component');
const digitalObject = kindNamed('digital_object');
// Kinds of the shape of classifications, whatever is declared of them elsewhere.
const classification: Kind = {
  ...resource,
  name: 'classification',
  model: 'Classification',
  uri: '/repositories/:repo_id/classifications/:id',
};
const term: Kind = {
  ...archivalObject,
  name: 'classification_term',
  model: 'ClassificationTerm',
  uri: '/repositories/:repo_id/classification_terms/:id',
  tree: { root: 'classification', rootProperty: 'classification', parentProperty: 'parent', code: 3 },
};

type Made = {
  readonly kind: Kind;
  readonly id: number;
  readonly body: JsonObject;
  readonly label?: string;
  readonly publish?: boolean;
  readonly suppressed?: boolean;
};

async function make(database: Database, records: readonly Made[]): Promise<void> {
  const rows = sql.unnest(
    records.map((record) => [
      record.kind.name,
      record.id,
      record.label ?? String(record.body['title'] ?? ''),
      record.publish ?? true,
      record.suppressed ?? false,
      JSON.stringify(record.body),
    ]),
    ['text', 'int4', 'text', 'bool', 'bool', 'text'],
  );
  await database.transaction((tx) =>
    tx.run(sql`
    INSERT INTO record (kind, id, repo_id, label, publish, suppressed, body) SELECT u.kind, u.id, 2, u.label, u.publish, u.suppressed, u.body::json FROM ${rows} AS u(kind, id, label, publish, suppressed, body)`),
  );
}

async function grow(
  database: Database,
  node: Kind,
  root: Kind,
  rootId: number,
  parentId: number | null,
  records: readonly Made[],
): Promise<void> {
  await make(database, records);
  const nodes = records.map((record) => ({
    id: record.id,
    visible: (record.publish ?? true) && record.suppressed !== true,
    level: null,
  }));
  await database.transaction(async (tx) => {
    await createRoot(tx, treeOf(node, root, 2, rootId));
    await insertNodes(tx, treeOf(node, root, 2, rootId), { parentId, position: null }, nodes);
  });
}

const boxed = {
  instance_type: 'mixed_materials',
  sub_container: { top_container: { ref: '/repositories/2/top_containers/1' }, type_2: 'folder', indicator_2: '7' },
};

/** Plants them in a database of its own, which is dropped after the last test of the file that awaits this at its top; gives what reads it. */
export async function plantAnsweredTrees(): Promise<Reader> {
  const own = await createDatabase();
  const database = new Database({ url: own.url, poolSize: 4 });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await own.drop();
  });
  await plant(database);
  return database.reader;
}

async function plant(database: Database): Promise<void> {
  await make(database, [
    { kind: kindNamed('top_container'), id: 1, body: { type: 'box', indicator: '1', barcode: 'tb1' } },
    {
      kind: resource,
      id: 1,
      body: {
        title: 'A resource',
        id_0: 'RS',
        id_2: '9',
        level: 'collection',
        instances: [
          {
            instance_type: 'mixed_materials',
            sub_container: { top_container: { ref: '/repositories/2/top_containers/1' } },
          },
        ],
      },
    },
    { kind: resource, id: 2, body: { title: 'Empty', id_0: 'E', level: 'fonds' } },
    {
      kind: digitalObject,
      id: 1,
      body: {
        title: 'A <emph>scan</emph>',
        digital_object_type: 'text',
        file_versions: [{ file_uri: 'a' }, { file_uri: 'b' }],
      },
    },
    { kind: digitalObject, id: 2, publish: false, body: { title: 'Hidden' } },
    { kind: classification, id: 1, body: { title: 'Class', identifier: 'cl' } },
  ]);
  await grow(database, archivalObject, resource, 1, null, [
    { kind: archivalObject, id: 5, body: { title: 'At zero', level: 'file' } },
    {
      kind: archivalObject,
      id: 3,
      label: 'Third, 1900-1950',
      body: {
        title: 'Third',
        component_id: 'c3',
        level: 'otherlevel',
        other_level: 'pile',
        dates: [{ date_type: 'inclusive', label: 'creation', expression: '1900-1950', begin: '1900', end: '1950' }],
        instances: [
          boxed,
          { instance_type: 'digital_object', digital_object: { ref: '/repositories/2/digital_objects/2' } },
        ],
      },
    },
    {
      kind: archivalObject,
      id: 6,
      label: '1901',
      publish: false,
      body: { level: 'file', dates: [{ date_type: 'single', label: 'creation', begin: '1901' }] },
    },
    { kind: archivalObject, id: 7, suppressed: true, body: { title: 'Away', level: 'file' } },
  ]);
  await grow(database, archivalObject, resource, 1, 3, [
    { kind: archivalObject, id: 4, body: { title: 'Fourth', level: 'item' } },
  ]);
  await grow(database, component, digitalObject, 1, null, [
    { kind: component, id: 1, body: { title: 'Page', label: 'P1', file_versions: [{ file_uri: 'p1' }] } },
    { kind: component, id: 2, body: { label: 'P2' } },
  ]);
  await grow(database, term, classification, 1, null, [
    { kind: term, id: 3, body: { title: 'Term t3', identifier: 't3' } },
  ]);
}

const viewOf =
  (nodeKind: Kind, rootKind: Kind) =>
  (more: Partial<TreeView> = {}): TreeView => ({
    repoId: 2,
    nodeKind,
    rootKind,
    release: 'R-B',
    publishedOnly: false,
    seesSuppressed: true,
    ...more,
  });
/** What is asked for of the trees of each kind of root: by somebody who sees all, in the later release, unless it is said otherwise. */
export const ofResource = viewOf(archivalObject, resource);
export const ofDigitalObject = viewOf(component, digitalObject);
export const ofClassification = viewOf(term, classification);

/** Equal as texts: the order of keys counts. */
export const expectExactly = (actual: Json, expected: Json): void =>
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));

/** What is shown of archival objects 5 and 3 of the resource in a waypoint. */
export const fifth = {
  child_count: 0,
  waypoints: 0,
  waypoint_size: 200,
  title: 'At zero',
  slugged_url: '',
  parsed_title: 'At zero',
  uri: '/repositories/2/archival_objects/5',
  position: 0,
  parent_id: null,
  suppressed: 0,
  jsonmodel_type: 'archival_object',
  has_digital_instance: false,
  identifier: null,
  level: 'file',
};
export const third = {
  child_count: 1,
  waypoints: 1,
  waypoint_size: 200,
  title: 'Third',
  slugged_url: '',
  parsed_title: 'Third',
  uri: '/repositories/2/archival_objects/3',
  position: 1,
  parent_id: null,
  suppressed: 0,
  jsonmodel_type: 'archival_object',
  has_digital_instance: true,
  identifier: 'c3',
  level: 'pile',
  dates: [{ type: 'inclusive', label: 'creation', expression: '1900-1950', begin: '1900', end: '1950' }],
  containers: [
    {
      instance_type: 'mixed_materials',
      top_container_type: 'box',
      top_container_indicator: '1',
      top_container_barcode: 'tb1',
      type_2: 'folder',
      indicator_2: '7',
    },
    { instance_type: 'digital_object' },
  ],
};
const sixth = {
  child_count: 0,
  waypoints: 0,
  waypoint_size: 200,
  title: null,
  slugged_url: '',
  parsed_title: null,
  uri: '/repositories/2/archival_objects/6',
  position: 2,
  parent_id: null,
  suppressed: 0,
  jsonmodel_type: 'archival_object',
  has_digital_instance: false,
  identifier: null,
  level: 'file',
  dates: [{ type: 'single', label: 'creation', begin: '1901' }],
};
const seventh = {
  ...fifth,
  title: 'Away',
  parsed_title: 'Away',
  uri: '/repositories/2/archival_objects/7',
  position: 3,
  suppressed: 1,
};

/** A waypoint of all children of the resource; the third of them is unpublished, the last one suppressed. */
export const allChildren = [fifth, third, sixth, seventh];
