// What is particular to archival objects.
// Contract: behaviour-records.md, section 6.4.
import { expect, test } from 'vitest';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

test('makes a ref_id of 32 hexadecimal characters', () => {
  expect(stored(archivalObject, exampleOf(archivalObject)).body['ref_id']).toMatch(/^[0-9a-f]{32}$/);
});

test('keeps the ref_id that a client gives', () => {
  expect(stored(archivalObject, exampleOf(archivalObject, { ref_id: 'mine' })).body['ref_id']).toBe('mine');
});

test.each([[{ ref_id: 'other' }], [{}]])('keeps its ref_id on update with %o', (changes) => {
  expect(stored(archivalObject, exampleOf(archivalObject, changes), { ref_id: 'first' }).body['ref_id']).toBe('first');
});

test('is refused without title and dates', () => {
  expect(refusal(archivalObject, exampleOf(archivalObject, { title: '' }))).toEqual({
    dates: ['one or more required (or enter a Title)'],
    title: ['must not be an empty string (or enter a Date)'],
  });
});

test('is refused with otherlevel alone', () => {
  expect(refusal(archivalObject, exampleOf(archivalObject, { level: 'otherlevel' }))).toEqual({
    other_level: ['missing required property'],
  });
});

test('is labelled by title and dates', () => {
  const dates = [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' }];
  expect(stored(archivalObject, exampleOf(archivalObject, { title: 'First', dates })).label).toBe('First, 1900 - 1950');
  expect(stored(archivalObject, exampleOf(archivalObject, { title: '', dates })).label).toBe('1900 - 1950');
});

test('has a ref_id that is unique in its resource', () => {
  expect(keys(archivalObject, exampleOf(archivalObject, { ref_id: 'abc' }))).toEqual({
    'archival_object.ref_id': ['/repositories/2/resources/1 abc'],
  });
});

test('keeps its place out of its body', () => {
  const { body } = stored(
    archivalObject,
    exampleOf(archivalObject, { position: 3, parent: { ref: '/repositories/2/archival_objects/1' } }),
  );
  expect(
    Object.keys(body).filter((property) => ['resource', 'parent', 'position', 'ancestors'].includes(property)),
  ).toEqual([]);
});
