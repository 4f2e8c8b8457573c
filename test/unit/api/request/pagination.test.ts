// Windows, wrappers and orders of lists (contract, records 4.2).
import { describe, expect, it } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { toListOrder, toPage, toSorting, toWindow } from '../../../../apps/api/request/pagination.ts';

describe('a page', () => {
  it.each([
    [1, 10, 0, 1],
    [1, 10, 10, 1],
    [2, 10, 11, 2],
    [9, 250, 251, 2],
  ])('%i of %i records each has of %i a last one that is %i', (page, size, total, last) => {
    const results = ['x'];
    expect(toPage(page, size, total, results)).toEqual({
      first_page: 1,
      last_page: last,
      this_page: page,
      total,
      results,
    });
  });

  it('begins behind those before it', () => {
    const window = (page: number, pageSize: number): object => toWindow({ kind: 'page', page, pageSize });
    expect([window(1, 10), window(3, 25)]).toEqual([
      { offset: 0, limit: 10 },
      { offset: 50, limit: 25 },
    ]);
  });
});

it('is ordered as asked, by properties that can be ordered alone', () => {
  const order = (direction: string, field = 'title') =>
    toListOrder({ modified_since: 7, sort_field: field, sort_direction: direction });
  expect([order('desc'), order('asc')]).toEqual([
    { modifiedSince: 7, sortField: 'title', sortDirection: 'desc' },
    { modifiedSince: 7, sortField: 'title', sortDirection: 'asc' },
  ]);
  const accession = kindNamed('accession');
  expect([toSorting(accession, order('desc')), toSorting(accession, order('asc', 'id'))]).toEqual([
    { sortField: 'title', descending: true },
    { sortField: 'id', descending: false },
  ]);
  let refused: unknown = null;
  try {
    toSorting(kindNamed('vocabulary'), order('asc', 'notes'));
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(Error);
  expect(Object(refused)).toMatchObject({
    code: 'bad_parameter',
    error: { sort_field: [expect.stringMatching(/^Failed validation -- must be one of: id, .*name/)] },
  });
});
