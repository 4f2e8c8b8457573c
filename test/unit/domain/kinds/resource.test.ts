// What is particular to resources.
// Contract: behaviour-records.md, section 6.4.
import { expect, test } from 'vitest';
import { resource } from '#domain/kinds/resource.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

const noteOnly = { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['x'] };

test.each([
  ['otherlevel alone', { level: 'otherlevel' }, { other_level: ['missing required property'] }],
  [
    'languages as a note only',
    { lang_materials: [{ notes: [noteOnly] }] },
    { coded_errors: ['must_contain_at_least_one_language'] },
  ],
  [
    'no languages',
    { lang_materials: [] },
    { lang_materials: ['At least 1 item(s) is required'], coded_errors: ['must_contain_at_least_one_language'] },
  ],
  ['a gap in the identifier', { id_0: 'G1', id_2: 'z' }, { identifier: ['must not contain blank entries'] }],
  ['a long identifier', { id_0: 'x'.repeat(51) }, { id_0: ['Max length is 50 characters'] }],
])('refuses %s', (_, changes, error) => {
  expect(refusal(resource, exampleOf(resource, changes))).toEqual(error);
});

test('is unique by identifier and by EAD id', () => {
  expect(keys(resource, exampleOf(resource, { ead_id: 'ead1' }))).toEqual({
    'resource.identifier': ['r2 ["R1",null,null,null]'],
    'resource.ead_id': ['r2 ead1'],
  });
});

test('is labelled by its title', () => {
  expect(stored(resource, exampleOf(resource, { title: 'Papers' })).label).toBe('Papers');
});
