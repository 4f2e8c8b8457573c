// The fields of search documents against the contract's list.
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findField, findSortField, isFacet, isField, toExactValue } from '#domain/search/fields.ts';

const contract = new URL('../../../../../shared/contract/search_fields.json', import.meta.url);

it('knows every indexed field of the contract, with its type', () => {
  if (!existsSync(contract)) {
    console.warn('skipped: ../shared/contract/search_fields.json is not there');
    return;
  }
  const types: { readonly [type: string]: string } = {
    text_general: 'text',
    text_ws: 'text',
    sort_icu: 'sort',
    sort_string: 'sort',
  };
  const { fields } = JSON.parse(readFileSync(contract, 'utf8')) as {
    fields: { [name: string]: { type: string; multi: boolean; indexed: boolean } };
  };
  const wrong = Object.entries(fields).filter(([name, field]) => {
    if (!field.indexed) {
      return false;
    }
    const found = findField(name.replace('*', 'any'));
    return found?.type !== (types[field.type] ?? field.type) || found.isMulti !== field.multi;
  });
  expect(wrong.map(([name]) => name)).toEqual([]);
});

it('takes no other name for a field', () => {
  expect(['json', 'foo', 'constructor', '__proto__', 'bad name_u_sstr', ''].filter(isField)).toEqual([]);
});

it('sorts by single values alone, and by the sort key for titles', () => {
  expect(findSortField('title')?.name).toBe('title_sort');
  expect(['subjects', 'notes', 'years', 'nonsense'].map(findSortField)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

it('counts values but no running text', () => {
  expect(
    ['subjects', 'publish', 'assessment_survey_year', 'notes', 'title'].map((name) =>
      isFacet(findField(name) ?? expect.fail(name)),
    ),
  ).toEqual([true, true, true, false, false]);
});

it('compares values as their type asks', () => {
  const exact = (name: string, value: string) => toExactValue(findField(name) ?? expect.fail(name), value);
  expect([
    exact('level', 'Series'),
    exact('type_u_ssort', 'Box 2'),
    exact('publish', 'TRUE'),
    exact('assessment_survey_begin', '2020-01-02'),
  ]).toEqual(['Series', 'box 0000000002', 'true', '2020-01-02T00:00:00Z']);
});
