// Fields that all kinds share.
import { expect, it } from 'vitest';
import { list, readYears } from '#domain/search/documents/reading.ts';
import { readSharedFields, repositoryOf } from '#domain/search/documents/shared-fields.ts';

it('reads every year of every date, and none of nonsense', () => {
  expect(
    readYears([{ begin: '1914-05', end: '1916' }, { begin: '1900' }, { begin: 'x' }, { begin: '1', end: '9999' }]),
  ).toEqual([1900, 1914, 1915, 1916]);
});

it('shows inclusive dates and whole extents where there are any', () => {
  const fields = readSharedFields({
    dates: [
      { date_type: 'bulk', begin: '1920', end: '1921' },
      { date_type: 'inclusive', expression: 'circa 1910-1930' },
    ],
    extents: [{ portion: 'part', number: '1', extent_type: 'boxes' }],
  });
  expect(fields).toMatchObject({ dates: ['circa 1910-1930'], extents: ['1 --- boxes'], year_sort: '19201921' });
});

it('names the repository of a record, or global', () => {
  expect([
    repositoryOf({ repository: { ref: '/repositories/3' } }),
    repositoryOf({ uri: '/repositories/4/jobs/1' }),
    repositoryOf({ uri: '/subjects/1' }),
  ]).toEqual(['/repositories/3', '/repositories/4', 'global']);
});

it('lists each value once', () => {
  expect([list(['a', '', 'a', 'b']), list([''])]).toEqual([['a', 'b'], undefined]);
});
