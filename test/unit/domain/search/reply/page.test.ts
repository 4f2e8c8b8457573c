// The reply of a search, as the contract shows it.
import { expect, it } from 'vitest';
import { toResult, toSearchPage } from '#domain/search/reply/page.ts';
import { buildSearchRequest } from '#domain/search/query/request.ts';

const stored = JSON.stringify({
  id: '/repositories/2/resources/5',
  uri: '/repositories/2/resources/5',
  title: 'Letters',
  primary_type: 'resource',
  jsonmodel_type: 'resource',
});

it('makes the page of the contract’s example', () => {
  const request = buildSearchRequest(
    {
      page: 1,
      page_size: 1,
      q: 'letters',
      facet: ['primary_type'],
      facet_mincount: 1,
      fields: ['id', 'title', 'primary_type'],
    },
    { now: 0 },
  );
  const page = toSearchPage(request, {
    total: 3,
    hits: [{ id: '/repositories/2/resources/5', stored }],
    facets: [{ field: 'primary_type', counts: [['resource', 3]] }],
  });
  expect(page).toEqual({
    page_size: 1,
    first_page: 1,
    last_page: 3,
    this_page: 1,
    offset_first: 1,
    offset_last: 1,
    total_hits: 3,
    results: [
      {
        id: '/repositories/2/resources/5',
        title: 'Letters',
        primary_type: 'resource',
        uri: '/repositories/2/resources/5',
        jsonmodel_type: 'resource',
      },
    ],
    facets: {
      facet_queries: {},
      facet_fields: { primary_type: ['resource', 3] },
      facet_ranges: {},
      facet_intervals: {},
      facet_heatmaps: {},
    },
  });
});

it('says 0 for the last page of nothing, and an empty page beyond the last', () => {
  const empty = { total: 0, hits: [], facets: [] };
  expect(toSearchPage(buildSearchRequest({ page: 1 }, { now: 0 }), empty)).toMatchObject({
    last_page: 0,
    offset_first: 1,
    offset_last: 0,
  });
  expect(toSearchPage(buildSearchRequest({ page: 9, hl: true }, { now: 0 }), { ...empty, total: 12 })).toMatchObject({
    last_page: 2,
    offset_first: 81,
    offset_last: 12,
    results: [],
    highlighting: {},
  });
});

it('gives null for uri and type where the fields asked for lack them', () => {
  expect(toResult(stored, ['title'])).toEqual({ title: 'Letters', uri: null, jsonmodel_type: null });
});
