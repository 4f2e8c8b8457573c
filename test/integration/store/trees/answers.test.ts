// The tree answers letter by letter, keys in the order that a running server sent (contract, trees 1.2 to 1.6).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import type { Kind } from '#domain/kind.ts';
import { sql } from '#store/connection/sql.ts';
import { ensureKinds } from '#store/set-up/kind-partitions.ts';
import { treeNode, treeNodeFromRoot, treeRoot, treeWaypoint } from '#store/trees/answers.ts';
import type { TreeView } from '#store/trees/answers.ts';
import { createRoot, insertNodes } from '#store/trees/insert.ts';
import { treeOf } from '#domain/tree/tree.ts';
import { openForest } from './forest.ts';
import type { Forest } from './forest.ts';

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

let forest: Forest;
beforeAll(async () => {
  forest = await openForest();
  await forest.database.transaction((tx) =>
    ensureKinds(tx, [
      archivalObject,
      resource,
      component,
      digitalObject,
      classification,
      term,
      kindNamed('top_container'),
    ]),
  );
  await plant();
});
afterAll(() => forest[Symbol.asyncDispose]());

type Made = {
  readonly kind: Kind;
  readonly id: number;
  readonly body: JsonObject;
  readonly label?: string;
  readonly publish?: boolean;
  readonly suppressed?: boolean;
};

async function make(records: readonly Made[]): Promise<void> {
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
  await forest.database.transaction((tx) =>
    tx.run(sql`
    INSERT INTO record (kind, id, repo_id, label, publish, suppressed, body) SELECT u.kind, u.id, 2, u.label, u.publish, u.suppressed, u.body::json FROM ${rows} AS u(kind, id, label, publish, suppressed, body)`),
  );
}

async function grow(
  node: Kind,
  root: Kind,
  rootId: number,
  parentId: number | null,
  records: readonly Made[],
): Promise<void> {
  await make(records);
  const nodes = records.map((record) => ({
    id: record.id,
    visible: (record.publish ?? true) && record.suppressed !== true,
    level: null,
  }));
  await forest.database.transaction(async (tx) => {
    await createRoot(tx, treeOf(node, root, 2, rootId));
    await insertNodes(tx, treeOf(node, root, 2, rootId), { parentId, position: null }, nodes);
  });
}

const boxed = {
  instance_type: 'mixed_materials',
  sub_container: { top_container: { ref: '/repositories/2/top_containers/1' }, type_2: 'folder', indicator_2: '7' },
};

async function plant(): Promise<void> {
  await make([
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
  await grow(archivalObject, resource, 1, null, [
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
  await grow(archivalObject, resource, 1, 3, [
    { kind: archivalObject, id: 4, body: { title: 'Fourth', level: 'item' } },
  ]);
  await grow(component, digitalObject, 1, null, [
    { kind: component, id: 1, body: { title: 'Page', label: 'P1', file_versions: [{ file_uri: 'p1' }] } },
    { kind: component, id: 2, body: { label: 'P2' } },
  ]);
  await grow(term, classification, 1, null, [{ kind: term, id: 3, body: { title: 'Term t3', identifier: 't3' } }]);
}

const viewOf = (nodeKind: Kind, rootKind: Kind, more: Partial<TreeView> = {}): TreeView => ({
  repoId: 2,
  nodeKind,
  rootKind,
  release: 'R-B',
  publishedOnly: false,
  seesSuppressed: true,
  ...more,
});
const ofResource = (more: Partial<TreeView> = {}): TreeView => viewOf(archivalObject, resource, more);
// Key order counts.
const expectExactly = (actual: Json, expected: Json): void =>
  expect(JSON.stringify(actual)).toBe(JSON.stringify(expected));

const fifth = {
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
const third = {
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

describe('tree/waypoint', () => {
  test('lists all children with what trees of resources show', async () => {
    expectExactly(await treeWaypoint(forest.database.reader, ofResource(), 1, null, 0), [fifth, third, sixth, seventh]);
  });

  test('lists published children alone where asked to, and no unpublished digital objects', async () => {
    expectExactly(await treeWaypoint(forest.database.reader, ofResource({ publishedOnly: true }), 1, null, 0), [
      fifth,
      { ...third, has_digital_instance: false },
    ]);
  });

  test('has no keys of R-B in R-A', async () => {
    const [first] = await treeWaypoint(forest.database.reader, ofResource({ release: 'R-A' }), 1, null, 0);
    const { suppressed, has_digital_instance, ...expected } = fifth;
    expectExactly(first ?? null, expected);
    expect([suppressed, has_digital_instance]).toEqual([0, false]);
  });

  test('is empty past the end and for parents of other roots, and refuses a negative offset', async () => {
    const { reader } = forest.database;
    expect(await treeWaypoint(reader, ofResource(), 1, null, 9)).toEqual([]);
    expect(await treeWaypoint(reader, ofResource(), 1, null, 99_999_999_999)).toEqual([]);
    expect(await treeWaypoint(reader, ofResource(), 2, 3, 0)).toEqual([]);
    await expect(treeWaypoint(reader, ofResource(), 1, null, -1)).rejects.toMatchObject({ code: 'bad_parameter' });
  });

  test('shows labels and files of components', async () => {
    const common = { child_count: 0, waypoints: 0, waypoint_size: 200 };
    expectExactly(
      await treeWaypoint(forest.database.reader, viewOf(component, digitalObject, { release: 'R-A' }), 1, null, 0),
      [
        {
          ...common,
          title: 'Page',
          slugged_url: '',
          parsed_title: 'Page',
          uri: '/repositories/2/digital_object_components/1',
          position: 0,
          parent_id: null,
          jsonmodel_type: 'digital_object_component',
          label: 'P1',
          file_uri_summary: 'p1',
        },
        {
          ...common,
          title: null,
          slugged_url: '',
          parsed_title: null,
          uri: '/repositories/2/digital_object_components/2',
          position: 1,
          parent_id: null,
          jsonmodel_type: 'digital_object_component',
          label: 'P2',
        },
      ],
    );
  });
});

describe('tree/root', () => {
  test('describes a resource and its first waypoint', async () => {
    expectExactly(await treeRoot(forest.database.reader, ofResource(), 1), {
      child_count: 4,
      waypoints: 1,
      waypoint_size: 200,
      title: 'A resource',
      uri: '/repositories/2/resources/1',
      slugged_url: '',
      jsonmodel_type: 'resource',
      parsed_title: 'A resource',
      suppressed: 0,
      has_digital_instance: false,
      level: 'collection',
      identifier: 'RS-9',
      containers: [
        {
          instance_type: 'mixed_materials',
          top_container_type: 'box',
          top_container_indicator: '1',
          top_container_barcode: 'tb1',
        },
      ],
      precomputed_waypoints: { '': { 0: [fifth, third, sixth, seventh] } },
    });
  });

  test('has no containers and no waypoints where there are none', async () => {
    expectExactly(await treeRoot(forest.database.reader, ofResource({ release: 'R-A' }), 2), {
      child_count: 0,
      waypoints: 0,
      waypoint_size: 200,
      title: 'Empty',
      uri: '/repositories/2/resources/2',
      slugged_url: '',
      jsonmodel_type: 'resource',
      parsed_title: 'Empty',
      level: 'fonds',
      identifier: 'E',
      precomputed_waypoints: {},
    });
  });

  test('describes digital objects and classifications', async () => {
    const digital = await treeRoot(forest.database.reader, viewOf(component, digitalObject), 1);
    expectExactly(
      { ...digital, precomputed_waypoints: null },
      {
        child_count: 2,
        waypoints: 1,
        waypoint_size: 200,
        title: 'A <emph>scan</emph>',
        uri: '/repositories/2/digital_objects/1',
        slugged_url: '',
        jsonmodel_type: 'digital_object',
        parsed_title: 'A <span class="emph render-none">scan</span>',
        suppressed: 0,
        has_digital_instance: false,
        digital_object_type: 'text',
        file_uri_summary: 'a, b',
        precomputed_waypoints: null,
      },
    );
    expectExactly(await treeRoot(forest.database.reader, viewOf(term, classification), 1), {
      child_count: 1,
      waypoints: 1,
      waypoint_size: 200,
      title: 'Class',
      uri: '/repositories/2/classifications/1',
      slugged_url: '',
      jsonmodel_type: 'classification',
      parsed_title: 'Class',
      suppressed: 0,
      has_digital_instance: false,
      identifier: 'cl',
      precomputed_waypoints: {
        '': {
          0: [
            {
              child_count: 0,
              waypoints: 0,
              waypoint_size: 200,
              title: 'Term t3',
              slugged_url: '',
              parsed_title: 'Term t3',
              uri: '/repositories/2/classification_terms/3',
              position: 0,
              parent_id: null,
              suppressed: 0,
              jsonmodel_type: 'classification_term',
              has_digital_instance: false,
              identifier: 't3',
            },
          ],
        },
      },
    });
  });

  test('is not found where the resource is not', async () => {
    await expect(treeRoot(forest.database.reader, ofResource(), 404)).rejects.toMatchObject({
      code: 'not_found',
      error: 'Resource not found',
    });
  });
});

describe('tree/node', () => {
  test('shows the display string and the position from 1', async () => {
    expectExactly(await treeNode(forest.database.reader, ofResource(), 1, 3), {
      child_count: 1,
      waypoints: 1,
      waypoint_size: 200,
      title: 'Third, 1900-1950',
      uri: '/repositories/2/archival_objects/3',
      position: 2,
      jsonmodel_type: 'archival_object',
      has_digital_instance: true,
      identifier: 'c3',
      precomputed_waypoints: {
        '/repositories/2/archival_objects/3': {
          0: [
            {
              ...fifth,
              title: 'Fourth',
              parsed_title: 'Fourth',
              uri: '/repositories/2/archival_objects/4',
              parent_id: 3,
              level: 'item',
            },
          ],
        },
      },
    });
    expectExactly(await treeNode(forest.database.reader, viewOf(component, digitalObject, { release: 'R-A' }), 1, 2), {
      child_count: 0,
      waypoints: 0,
      waypoint_size: 200,
      title: '',
      uri: '/repositories/2/digital_object_components/2',
      position: 2,
      jsonmodel_type: 'digital_object_component',
      precomputed_waypoints: {},
    });
  });

  test('is not found for unknown nodes, nodes of other roots, and suppressed ones the caller may not see', async () => {
    const { reader } = forest.database;
    const notFound = { code: 'not_found', error: 'ArchivalObject not found' };
    await expect(treeNode(reader, ofResource(), 1, 999)).rejects.toMatchObject(notFound);
    await expect(treeNode(reader, ofResource(), 2, 3)).rejects.toMatchObject(notFound);
    await expect(treeNode(reader, ofResource({ seesSuppressed: false }), 1, 7)).rejects.toMatchObject(notFound);
    expect(await treeNode(reader, ofResource(), 1, 7)).toMatchObject({ position: 4 });
  });
});

describe('tree/node_from_root', () => {
  const root = {
    node: null,
    root_record_uri: '/repositories/2/resources/1',
    offset: 0,
    jsonmodel_type: 'resource',
    title: 'A resource',
    parsed_title: 'A resource',
  };

  test('gives the way to each node', async () => {
    expectExactly(await treeNodeFromRoot(forest.database.reader, ofResource(), 1, [4, 5]), {
      4: [
        root,
        {
          node: '/repositories/2/archival_objects/3',
          root_record_uri: '/repositories/2/resources/1',
          jsonmodel_type: 'archival_object',
          title: 'Third, 1900-1950',
          offset: 0,
          parsed_title: 'Third, 1900-1950',
        },
      ],
      5: [root],
    });
  });

  test('answers nodes of another root with their own', async () => {
    expectExactly(await treeNodeFromRoot(forest.database.reader, ofResource(), 2, [5]), { 5: [root] });
  });

  test('is not found for unknown ids, and for hidden ones where published only', async () => {
    await expect(treeNodeFromRoot(forest.database.reader, ofResource(), 1, [5, 999])).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(
      treeNodeFromRoot(forest.database.reader, ofResource({ publishedOnly: true }), 1, [6]),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(treeNodeFromRoot(forest.database.reader, ofResource(), 404, [5])).rejects.toMatchObject({
      code: 'not_found',
      error: 'Resource not found',
    });
  });
});
