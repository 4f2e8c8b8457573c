// What bulk routes change in a container (contract 6.7).
import { expect, test } from 'vitest';
import { withBarcode, withLocation, withProfile } from '#domain/containers/bulk-changes.ts';

const stored = {
  indicator: '1',
  barcode: 'b',
  container_profile: { ref: '/container_profiles/1' },
  container_locations: [
    { status: 'current', ref: '/locations/1' },
    { status: 'previous', ref: '/locations/2', end_date: '2001-01-01' },
  ],
};

test('takes a value away with an empty text', () => {
  expect(withBarcode('')(stored)).not.toHaveProperty('barcode');
  expect(withProfile('')(stored)).not.toHaveProperty('container_profile');
});

test('replaces the current locations and keeps the previous ones', () => {
  const moved = withLocation('/locations/3', '2026-01-02')(stored);
  expect(moved['container_locations']).toEqual([
    { jsonmodel_type: 'container_location', status: 'current', start_date: '2026-01-02', ref: '/locations/3' },
    stored.container_locations[1],
  ]);
  expect(withLocation('', '2026-01-02')(stored)['container_locations']).toEqual([stored.container_locations[1]]);
});
