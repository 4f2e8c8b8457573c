// What the declarations of all kinds say about search, put together.
import { expect, it } from 'vitest';
import { allKinds } from '#domain/kinds/index.ts';
import {
  indexedKinds,
  kindsWhere,
  partsOf,
  readFieldSettings,
  resolvedProperties,
  searchOf,
  unfoundKinds,
} from '#domain/search/declared.ts';

it('holds every kind that does not say otherwise, and jobs', () => {
  expect(indexedKinds).toEqual(
    new Set([...allKinds.filter(({ search }) => search !== false).map(({ name }) => name), 'job']),
  );
  expect(unfoundKinds).toEqual([
    'custom_report_template',
    'group',
    'preference',
    'rde_template',
    'term',
    'user',
    'vocabulary',
  ]);
});

it('knows the properties of a kind that documents show resolved, at any depth', () => {
  expect(resolvedProperties('accession')).toContain('top_container');
  expect(resolvedProperties('event')).toContain('linked_records');
  // What is sorted under a classification may be all there is.
  expect([...resolvedProperties('classification')]).toEqual(['creator']);
});

it('reads the fields of sub-records from their declarations, and those of their own documents', () => {
  expect(partsOf('accession').map(([property]) => property)).toEqual(['collection_management']);
  expect(Object.keys(searchOf('collection_management').fields ?? {})).toContain('processors');
});

it('gives every text field a number of its own', () => {
  const numbers = [...readFieldSettings().values()].flatMap(({ words }) => words?.number ?? []);
  expect(new Set(numbers).size).toBe(numbers.length);
});

it('has at most one kind with public copies', () => {
  expect(kindsWhere(({ hasPublicCopy }) => hasPublicCopy === true)).toEqual(['archival_object']);
});
