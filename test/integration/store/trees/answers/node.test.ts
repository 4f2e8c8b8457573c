// A node as tree/node describes it, and the way to it that tree/node_from_root gives: letter by letter, keys in the order that a running
// server sent (contract, trees 1.5 and 1.6).
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { treeNode, treeNodeFromRoot } from '#store/trees/answers.ts';
import { expectExactly, fifth, ofDigitalObject, ofResource, plantAnsweredTrees } from '#test/support/answered-trees.ts';

const reader = await plantAnsweredTrees();

async function waysTo(...asked: Parameters<typeof treeNodeFromRoot>): Promise<JsonObject> {
  return JSON.parse([...(await treeNodeFromRoot(...asked))].join(''));
}

describe('tree/node', () => {
  test('shows the display string and the position from 1', async () => {
    expectExactly(await treeNode(reader, ofResource(), 1, 3), {
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
    expectExactly(await treeNode(reader, ofDigitalObject({ release: 'R-A' }), 1, 2), {
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
    expectExactly(await waysTo(reader, ofResource(), 1, [4, 5]), {
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

  test('comes in a piece for each node, in the order of their ids', async () => {
    const pieces = [...(await treeNodeFromRoot(reader, ofResource(), 1, [5, 4, 5]))];
    expect(pieces.map((piece) => piece.slice(0, 5))).toEqual(['{"4":', ',"5":', '}']);
    expect([...(await treeNodeFromRoot(reader, ofResource(), 1, []))]).toEqual(['{}']);
  });

  test('answers nodes of another root with their own', async () => {
    expectExactly(await waysTo(reader, ofResource(), 2, [5]), { 5: [root] });
  });

  test('is not found for unknown ids, and for hidden ones where published only', async () => {
    await expect(treeNodeFromRoot(reader, ofResource(), 1, [5, 999])).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(treeNodeFromRoot(reader, ofResource({ publishedOnly: true }), 1, [6])).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(treeNodeFromRoot(reader, ofResource(), 404, [5])).rejects.toMatchObject({
      code: 'not_found',
      error: 'Resource not found',
    });
  });
});
