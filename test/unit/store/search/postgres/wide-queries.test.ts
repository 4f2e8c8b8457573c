// What is remembered of queries that took too long, and for how long.
import { expect, it } from 'vitest';
import { buildSearchRequest } from '#domain/search/query/request.ts';
import type { SearchParameters } from '#domain/search/query/request.ts';
import { createWideQueries } from '#store/search/postgres/wide-queries.ts';

const staff = { repositories: 'all', mayNotSeeUnpublished: false, seesSuppressed: false } as const;
const ask = (parameters: Partial<SearchParameters>) => buildSearchRequest({ page: 1, ...parameters }, { now: 0 });

it('is that of the query, its filters, its order and who asks, whatever page it is, for a minute', () => {
  let now = 0;
  const wide = createWideQueries(() => now);
  expect(wide.wayOf(ask({ q: 'box' }), staff)).toBeUndefined();
  wide.add(ask({ q: 'box', type: ['resource'] }), staff, 'bounded');
  expect(wide.wayOf(ask({ q: 'box', type: ['resource'], page: 3, facet: ['level'] }), staff)).toBe('bounded');
  for (const other of [
    { q: 'box' },
    { q: 'map', type: ['resource'] },
    { q: 'box', type: ['resource'], sort: 'title_sort asc' },
  ])
    expect(wide.wayOf(ask(other), staff), JSON.stringify(other)).toBeUndefined();
  expect(wide.wayOf(ask({ q: 'box', type: ['resource'] }), { ...staff, mayNotSeeUnpublished: true })).toBeUndefined();
  now = 59_999;
  expect(wide.wayOf(ask({ q: 'box', type: ['resource'] }), staff)).toBe('bounded');
  now = 60_000;
  expect(wide.wayOf(ask({ q: 'box', type: ['resource'] }), staff)).toBeUndefined();
});

it('is twice as long each time that the query is stopped again soon, up to an hour', () => {
  let now = 0;
  const wide = createWideQueries(() => now);
  const box = ask({ q: 'box' });
  // Somebody asks right after it was forgotten, and is stopped again.
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    wide.add(box, staff, 'bounded');
    now += minutes * 60_000 - 1;
    expect(wide.wayOf(box, staff), `${minutes} minutes`).toBe('bounded');
    now += 1;
    expect(wide.wayOf(box, staff), `${minutes} minutes`).toBeUndefined();
  }
});

it('is a minute again where the query was not stopped for as long as it was remembered', () => {
  let now = 0;
  const wide = createWideQueries(() => now);
  const box = ask({ q: 'box' });
  wide.add(box, staff, 'bounded');
  now = 119_999;
  wide.add(box, staff, 'bounded');
  now += 120_000;
  expect(wide.wayOf(box, staff)).toBeUndefined();
  now += 120_000;
  wide.add(box, staff, 'bounded');
  now += 60_000;
  expect(wide.wayOf(box, staff)).toBeUndefined();
});

it('is the way in which it was answered last, for as long as it was to be', () => {
  let now = 0;
  const wide = createWideQueries(() => now);
  const box = ask({ q: 'box' });
  wide.add(box, staff, 'bounded');
  now = 59_999;
  wide.add(box, staff, 'sampled');
  expect(wide.wayOf(box, staff)).toBe('sampled');
  now += 59_999;
  expect(wide.wayOf(box, staff)).toBe('sampled');
  now += 1;
  expect(wide.wayOf(box, staff)).toBeUndefined();
});

it('is a thousand queries at most, the latest', () => {
  const wide = createWideQueries(() => 0);
  for (let n = 0; n <= 1000; n++) wide.add(ask({ q: `word${n}` }), staff, 'bounded');
  expect(wide.wayOf(ask({ q: 'word0' }), staff)).toBeUndefined();
  expect(wide.wayOf(ask({ q: 'word1' }), staff)).toBe('bounded');
  wide.add(ask({ q: 'word1' }), staff, 'bounded');
  wide.add(ask({ q: 'more' }), staff, 'bounded');
  expect(wide.wayOf(ask({ q: 'word1' }), staff)).toBe('bounded');
  expect(wide.wayOf(ask({ q: 'word2' }), staff)).toBeUndefined();
});

it('is nothing where nothing is to be remembered', () => {
  const wide = createWideQueries(() => 0, false);
  wide.add(ask({ q: 'box' }), staff, 'bounded');
  expect(wide.wayOf(ask({ q: 'box' }), staff)).toBeUndefined();
});
