// What is particular to vocabularies.
import { expect, test } from 'vitest';
import { vocabulary } from '#domain/kinds/vocabulary.ts';
import { exampleOf, keys } from '#test/support/make/kind.ts';

test('is unique by name and by ref_id', () => {
  expect(keys(vocabulary, exampleOf(vocabulary))).toEqual({ 'vocabulary.name': [' v2'], 'vocabulary.ref_id': [' v2'] });
});
