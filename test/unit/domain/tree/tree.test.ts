// What names a tree.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { treeOf } from '#domain/tree/tree.ts';

test('knows the tree of a resource by the code of its nodes', () => {
  expect(treeOf(kindNamed('archival_object'), kindNamed('resource'), 2, 7)).toEqual({
    repoId: 2,
    code: 1,
    rootId: 7,
    nodeModel: 'ArchivalObject',
    rootModel: 'Resource',
  });
});

test('refuses kinds that do not belong together', () => {
  expect(() => treeOf(kindNamed('archival_object'), kindNamed('digital_object'), 2, 7)).toThrow(
    'archival_object is no node kind of digital_object',
  );
});
