// What is particular to top containers.
import { expect, test } from 'vitest';
import { topContainer } from '#domain/kinds/top_container.ts';
import { exampleOf, keys, stored } from '#test/support/make/kind.ts';

test('is labelled by type, indicator and barcode', () => {
  expect(stored(topContainer, exampleOf(topContainer, { barcode: 'b1' })).label).toBe('Box 1: [Barcode: b1]');
});

test('has a barcode that is unique in its repository, or none', () => {
  expect(keys(topContainer, exampleOf(topContainer, { barcode: 'b1' }))).toEqual({
    'top_container.barcode': ['r2 b1'],
  });
  expect(keys(topContainer, exampleOf(topContainer))).toEqual({});
});

test('was only ever in a temporary location', () => {
  const rule = topContainer.targets?.[0];
  const previous = { ref: '/locations/1', status: 'previous' };
  expect(rule?.concerns({ ...previous, status: 'current' })).toBe(false);
  expect(rule?.concerns(previous)).toBe(true);
  expect(rule?.check(previous, { building: 'B', temporary: 'loan' })).toBeNull();
  expect(rule?.check(previous, { building: 'B' })).toEqual({
    path: 'status',
    message: 'cannot be previous if Location is not temporary',
  });
});

test('keeps its location from being deleted', () => {
  expect(topContainer.links?.['container_locations']).toEqual({
    whenTargetGoes: { refuse: 'Location cannot be deleted if linked' },
  });
});
