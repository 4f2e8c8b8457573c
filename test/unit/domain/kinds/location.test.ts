// What is particular to locations.
import { expect, test } from 'vitest';
import { location } from '#domain/kinds/location.ts';
import { exampleOf, refusal, stored } from '#test/support/make/kind.ts';

test('is titled from the building down', () => {
  expect(stored(location, { building: 'B', floor: '1', room: '2', area: '3', barcode: 'bc' }).label).toBe(
    'B, 1, 2, 3 [bc]',
  );
});

test.each([
  ['a building alone', { building: 'B' }],
  ['a coordinate without indicator', { building: 'B', coordinate_1_label: 'x' }],
  ['a second coordinate without a first', { building: 'B', coordinate_2_label: 'x', coordinate_2_indicator: '1' }],
])('refuses %s', (_, body) => {
  expect(refusal(location, body)).toEqual({ coded_errors: ['location_fields_error'] });
});

test.each([[{ classification: 'c' }], [{ coordinate_1_label: 'x', coordinate_1_indicator: '1' }]])(
  'takes a building with %o',
  (more) => {
    expect(stored(location, { building: 'B', ...more }).body).toMatchObject(more);
  },
);

test('counts a function that is named twice once', () => {
  const functions = ['av_materials', 'arrivals', 'av_materials'].map((location_function_type) => ({
    location_function_type,
  }));
  expect(stored(location, exampleOf(location, { functions })).body['functions']).toMatchObject(functions.slice(0, 2));
  expect(stored(location, exampleOf(location, { functions })).body['functions']).toHaveLength(2);
});

test('keeps its repository from being deleted', () => {
  expect(location.links?.['owner_repo']).toEqual({ whenTargetGoes: { refuse: 'Repository not empty' } });
});
