// The order of siblings, with gaps, moves and what one side lacks.
import { expect, it } from 'vitest';
import { TreeOrder, orderDifferences } from '#migrate/tree-order.ts';

const tree = (...places: readonly (readonly [id: number, position: number, parent?: number])[]): TreeOrder => {
  const order = new TreeOrder();
  for (const [id, position, parent] of places)
    order.add({
      uri: `/repositories/2/archival_objects/${id}`,
      position,
      resource: { ref: '/repositories/2/resources/1' },
      ...(parent === undefined ? {} : { parent: { ref: `/repositories/2/archival_objects/${parent}` } }),
    });
  return order;
};

it('is the same where positions have gaps and records come in any order', () => {
  expect([
    ...orderDifferences(tree([1, 0], [2, 5], [3, 9, 1], [4, 20, 1]), tree([4, 1, 1], [3, 0, 1], [2, 1], [1, 0])),
  ]).toEqual([]);
});

it('tells siblings in another order, below a parent and below a root', () => {
  const parent = '/repositories/2/archival_objects/1';
  expect([
    ...orderDifferences(tree([1, 0], [2, 1], [3, 0, 1], [4, 1, 1]), tree([1, 1], [2, 0], [3, 1, 1], [4, 0, 1])),
  ]).toEqual([
    { below: '/repositories/2/resources/1', source: [1, 2], here: [2, 1] },
    { below: parent, source: [3, 4], here: [4, 3] },
  ]);
});

it('says nothing of what one side lacks or has elsewhere: records tell that', () => {
  expect([...orderDifferences(tree([1, 0], [2, 1], [3, 2]), tree([1, 0], [3, 1], [2, 0, 1]))]).toEqual([]);
});
