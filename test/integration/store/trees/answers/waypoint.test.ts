// Children as tree/waypoint lists them, letter by letter, keys in the order that a running server sent (contract, trees 1.3 and 1.4).
import { describe, expect, test } from 'vitest';
import { treeWaypoint } from '#store/trees/answers.ts';
import {
  allChildren,
  expectExactly,
  fifth,
  ofDigitalObject,
  ofResource,
  plantAnsweredTrees,
  third,
} from '#test/support/answered-trees.ts';

const reader = await plantAnsweredTrees();

describe('tree/waypoint', () => {
  test('lists all children with what trees of resources show', async () => {
    expectExactly(await treeWaypoint(reader, ofResource(), 1, null, 0), allChildren);
  });

  test('lists published children alone where asked to, and no unpublished digital objects', async () => {
    expectExactly(await treeWaypoint(reader, ofResource({ publishedOnly: true }), 1, null, 0), [
      fifth,
      { ...third, has_digital_instance: false },
    ]);
  });

  test('has no keys of R-B in R-A', async () => {
    const [first] = await treeWaypoint(reader, ofResource({ release: 'R-A' }), 1, null, 0);
    const { suppressed, has_digital_instance, ...expected } = fifth;
    expectExactly(first ?? null, expected);
    expect([suppressed, has_digital_instance]).toEqual([0, false]);
  });

  test('is empty past the end and for parents of other roots, and refuses a negative offset', async () => {
    expect(await treeWaypoint(reader, ofResource(), 1, null, 9)).toEqual([]);
    expect(await treeWaypoint(reader, ofResource(), 1, null, 99_999_999_999)).toEqual([]);
    expect(await treeWaypoint(reader, ofResource(), 2, 3, 0)).toEqual([]);
    await expect(treeWaypoint(reader, ofResource(), 1, null, -1)).rejects.toMatchObject({ code: 'bad_parameter' });
  });

  test('shows labels and files of components', async () => {
    const common = { child_count: 0, waypoints: 0, waypoint_size: 200 };
    expectExactly(await treeWaypoint(reader, ofDigitalObject({ release: 'R-A' }), 1, null, 0), [
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
    ]);
  });
});
