// What is particular to preferences (contract 6.14).
import { expect, test } from 'vitest';
import { preference } from '#domain/kinds/preference.ts';
import { keys, refusal, stored } from '#test/support/make/kind.ts';

test('stores what is set and nothing else, so that layers below show through', () => {
  expect(stored(preference, { defaults: { publish: true } }).body['defaults']).toEqual({
    publish: true,
    jsonmodel_type: 'defaults',
  });
});

test('has one for everybody and one for each user of a repository', () => {
  expect(keys(preference, { defaults: {} })).toEqual({ 'preference.owner': ['r2 everybody'] });
  expect(keys(preference, { user_id: 7 })).toEqual({ 'preference.owner': ['r2 user 7'] });
});

test('refuses columns that a list does not have', () => {
  expect(refusal(preference, { defaults: { subject_browse_column_1: 'barcode' } })).toEqual({
    'defaults/subject_browse_column_1': [
      "Invalid value 'barcode'.  Must be one of: title, source, first_term_type, audit_info, uri, no_value",
    ],
  });
});
