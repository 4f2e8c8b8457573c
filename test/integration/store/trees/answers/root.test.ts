// A root as tree/root describes it, letter by letter, keys in the order that a running server sent (contract, trees 1.2).
import { describe, expect, test } from 'vitest';
import { treeRoot } from '#store/trees/answers.ts';
import {
  allChildren,
  expectExactly,
  ofClassification,
  ofDigitalObject,
  ofResource,
  plantAnsweredTrees,
} from '#test/support/answered-trees.ts';

const reader = await plantAnsweredTrees();

describe('tree/root', () => {
  test('describes a resource and its first waypoint', async () => {
    expectExactly(await treeRoot(reader, ofResource(), 1), {
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
      precomputed_waypoints: { '': { 0: allChildren } },
    });
  });

  test('has no containers and no waypoints where there are none', async () => {
    expectExactly(await treeRoot(reader, ofResource({ release: 'R-A' }), 2), {
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
    const digital = await treeRoot(reader, ofDigitalObject(), 1);
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
    expectExactly(await treeRoot(reader, ofClassification(), 1), {
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
    await expect(treeRoot(reader, ofResource(), 404)).rejects.toMatchObject({
      code: 'not_found',
      error: 'Resource not found',
    });
  });
});
