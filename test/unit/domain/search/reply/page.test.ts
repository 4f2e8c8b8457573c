// The reply of a search, as the contract shows it.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
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

it('gives what of the notes is published, be it all of them or some, and of internal notes nothing', () => {
  const given = (document: JsonObject, release?: 'R-A' | 'R-B'): readonly unknown[] => {
    const { notes, notes_published: published } = toResult(
      JSON.stringify({ primary_type: 'resource', ...document }),
      undefined,
      release,
    );
    return [notes, published];
  };
  const notes = ['Letters', 'Maps'];
  expect(given({ notes })).toEqual([notes, notes]);
  expect(given({ notes, notes_published: ['Maps'] })).toEqual([notes, ['Maps']]);
  expect(given({ notes, primary_type: 'top_container' })).toEqual([notes, undefined]);
  expect(given({})).toEqual([undefined, undefined]);
  // One text in the earlier release.
  expect(given({ notes }, 'R-A')[0]).toBe('Letters Maps');
  expect(given({ notes: 'Letters' }, 'R-A')[0]).toBe('Letters');
  expect(toResult(JSON.stringify({ primary_type: 'resource', notes }), ['notes_published'])).toMatchObject({
    notes_published: notes,
  });
});
