// The parameters of listings and how they are read: page wins over id_set, id_set over all_ids (contract 4.2).
// A listing without any of the three is a 400 that names all three; a list that knows pages only uses pageParameters.
import { fail } from '#domain/errors.ts';
import { largestInt4 } from '#domain/int4.ts';
import type { Kind } from '#domain/kind.ts';
import type { Sorting } from '#store/records/reading/list.ts';
import { sortFieldsOf } from '#store/records/reading/list.ts';
import { anything, cutInteger, idSet, integerBetween, resolve, text } from './parameters.ts';
import type { Parameter, Values } from './parameters.ts';

/** The page size where the client names none. */
export const defaultPageSize = 10;

/** The largest page; a larger page_size is cut to it. */
export const maximumPageSize = 250;

const pageSize = cutInteger(
  1,
  maximumPageSize,
)({ default: defaultPageSize, doc: 'Records of a page; above 250 is cut to 250.' });

/** The last second that PostgreSQL can hold. Nothing was changed after it, nor after any later one (milliseconds sent by mistake). */
export const lastSecond = 9_224_318_015_999;

/** `modified_since` of lists without pages. */
export const modifiedSince = cutInteger(
  0,
  lastSecond,
)({ default: 0, doc: 'Only records changed at or after this time, in seconds since 1970.' });

const order = {
  modified_since: modifiedSince,
  sort_field: text({
    default: 'id',
    doc: 'Property to order by: any that is a text, a number, a date or true or false.',
  }),
  sort_direction: text({
    default: 'asc',
    doc: 'asc or desc.',
    check: (value) =>
      value === 'asc' || value === 'desc' ? null : `must be either 'asc' or 'desc' but given: ${value}`,
  }),
};

const filters = { ...order, resolve };

/** Parameters of a listing that answers page, id_set or all_ids. Spread them into `parameters`. */
export const listParameters = {
  page: integerBetween(1, largestInt4)({ optional: true, group: 'pagination', doc: 'Page to show, from 1.' }),
  id_set: idSet({ optional: true, group: 'pagination', doc: 'Ids of the records to show, at most 250.' }),
  all_ids: anything({ optional: true, group: 'pagination', doc: 'Given with any value: the ids of all records.' }),
  page_size: pageSize,
  ...filters,
};

/** Parameters of a list that knows pages only (delete feed, searches); `page` is required. */
export const pageParameters = {
  page: integerBetween(1, largestInt4)({ doc: 'Page to show, from 1.' }),
  page_size: pageSize,
};

/** The page of a search: required, unless a `cursor` walks through all. */
export const pageOrCursor = {
  page: { ...pageParameters.page, optional: true, unless: 'cursor' } satisfies Parameter<number> as Parameter<
    number | null
  >,
  page_size: pageParameters.page_size,
};

/** What searches take with their pages and do not heed; a value that is none is refused all the same (contract: behaviour-search.md section 2). */
export const unheededOrder = order;

/** What a client asked a listing for. */
export type Pagination =
  | { readonly kind: 'page'; readonly page: number; readonly pageSize: number }
  | { readonly kind: 'id_set'; readonly ids: readonly number[] }
  | { readonly kind: 'all_ids' };

/** How a listing is narrowed and ordered; `modifiedSince` in seconds since 1970, 0 is no limit. */
export type ListOrder = {
  readonly modifiedSince: number;
  readonly sortField: string;
  readonly sortDirection: 'asc' | 'desc';
};

/** Which of the three forms of a listing was asked for; the parameters have passed `listParameters`, so one was given. */
export function toPagination(
  params: Pick<Values<typeof listParameters>, 'page' | 'page_size' | 'id_set' | 'all_ids'>,
): Pagination {
  if (params.page !== null) return { kind: 'page', page: params.page, pageSize: params.page_size };
  if (params.id_set !== null) return { kind: 'id_set', ids: params.id_set };
  return { kind: 'all_ids' };
}

/** How the listing is narrowed and ordered. */
export function toListOrder(
  params: Pick<Values<typeof listParameters>, 'modified_since' | 'sort_field' | 'sort_direction'>,
): ListOrder {
  return {
    modifiedSince: params.modified_since,
    sortField: params.sort_field,
    sortDirection: params.sort_direction === 'desc' ? 'desc' : 'asc',
  };
}

/** The order of a list in any of its forms. Fails with `bad_parameter` where the list of the kind cannot be ordered by what was named. */
export function toSorting(kind: Kind, { sortField, sortDirection }: ListOrder): Sorting {
  const sortFields = sortFieldsOf(kind);
  if (!sortFields.includes(sortField))
    throw fail('bad_parameter', { sort_field: [`Failed validation -- must be one of: ${sortFields.join(', ')}`] });
  return { sortField, descending: sortDirection === 'desc' };
}

/** The window of a page. */
export const toWindow = ({
  page,
  pageSize: size,
}: Extract<Pagination, { readonly kind: 'page' }>): { readonly offset: number; readonly limit: number } => ({
  offset: (page - 1) * size,
  limit: size,
});

/** The wrapper of one page (contract 4.2); `last_page` is 1 where there is nothing. */
export function toPage<T>(
  page: number,
  pageSizeGiven: number,
  total: number,
  results: readonly T[],
): {
  readonly first_page: 1;
  readonly last_page: number;
  readonly this_page: number;
  readonly total: number;
  readonly results: readonly T[];
} {
  return { first_page: 1, last_page: Math.max(1, Math.ceil(total / pageSizeGiven)), this_page: page, total, results };
}
