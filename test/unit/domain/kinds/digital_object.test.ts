// What is particular to digital objects.
// Contract: behaviour-records.md, section 6.5.
import { expect, test } from 'vitest';
import { digitalObject } from '#domain/kinds/digital_object.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

const shown = { file_uri: 'http://x/1', publish: true, is_representative: true };

test('shows its representative file version', () => {
  const { body } = stored(
    digitalObject,
    exampleOf(digitalObject, { file_versions: [{ file_uri: 'http://x/0', publish: true }, shown] }),
  );
  expect(body['representative_file_version']).toMatchObject({ file_uri: 'http://x/1' });
});

test('refuses two representative file versions', () => {
  expect(
    refusal(digitalObject, exampleOf(digitalObject, { file_versions: [shown, { ...shown, file_uri: 'http://x/2' }] })),
  ).toEqual({
    'file_versions/1/is_representative': [
      'A digital_object can have only one FileVersion defined as: is_representative',
    ],
  });
});

test('refuses a representative file version that is not published', () => {
  expect(
    refusal(
      digitalObject,
      exampleOf(digitalObject, { file_versions: [{ file_uri: 'http://x/1', is_representative: true }] }),
    ),
  ).toEqual({
    'file_versions/0/is_representative': ['representative_file_version_must_be_published'],
  });
});

test('has an identifier that is unique in its repository', () => {
  expect(keys(digitalObject, exampleOf(digitalObject))).toEqual({ 'digital_object.digital_object_id': ['r2 D1'] });
});
