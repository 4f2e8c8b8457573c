// The shapes of search replies (contract behaviour-search.md 5; libs/domain/search/reply makes them).
import { shape } from '../shape.ts';

const { text, integer, boolean, nullable, object, list, mapOf, anyOf, uri } = shape;

/** A search document: what is found of a record. Kinds add fields of their own, and `fields` takes fields away. */
const searchDocument = shape.named(
  'search_document',
  shape.schema({
    type: 'object',
    properties: {
      id: { type: 'string', description: 'The uri; of the public copy of a component with `#pui` behind it.' },
      uri: { type: ['string', 'null'] },
      title: { type: 'string' },
      primary_type: { type: 'string' },
      jsonmodel_type: { type: ['string', 'null'] },
      types: { type: 'array', items: { type: 'string' } },
      json: { type: 'string', contentMediaType: 'application/json', description: 'The record as JSON text.' },
      repository: { type: 'string' },
      publish: { type: 'boolean' },
      suppressed: { type: 'boolean' },
      system_generated: { type: 'boolean' },
      create_time: { type: 'string' },
      system_mtime: { type: 'string' },
      user_mtime: { type: 'string' },
      _path: {
        type: 'array',
        description: 'With `paths`: what is above, from the root down.',
        items: {
          type: 'object',
          required: ['uri', 'title'],
          properties: { uri: { type: 'string' }, title: { type: ['string', 'null'] } },
        },
      },
    },
    additionalProperties: true,
  }),
);

/** Counts of values in turn, by field: `{"level": ["collection", 12, "file", 3]}`. */
const facets = object({
  facet_queries: shape.anyObject,
  facet_fields: mapOf(list(anyOf(text, integer))),
  facet_ranges: shape.anyObject,
  facet_intervals: shape.anyObject,
  facet_heatmaps: shape.anyObject,
});

/** A page of a search; a walk by cursor has `next_cursor` in place of the numbers of pages. */
export const searchPage = shape.named(
  'search_page',
  object(
    { page_size: integer, total_hits: integer, results: list(searchDocument), facets },
    {
      first_page: integer,
      last_page: integer,
      this_page: integer,
      offset_first: integer,
      offset_last: integer,
      next_cursor: nullable(text),
      highlighting: shape.says(
        mapOf(mapOf(list(text))),
        'With `hl`: fragments with what was found marked, by id and field.',
      ),
      warnings: shape.says(
        list(object({ message: text }, { column: integer, code: text })),
        'How a broken query was read (`column`), and what of the reply is not whole, since that would have taken too long (`code`).',
      ),
      relaxed: shape.says(
        object({ with_all: integer, at_least: integer, not_found: list(text), spelt: mapOf(list(text)) }),
        'With `relax`: how many documents have all words, how many of the words the others have at least, which words no document has, and what misspelt ones are taken for.',
      ),
      found_without: shape.says(
        list(object({ word: text, total_hits: integer })),
        'With `relax` or `did_you_mean`, where no document has all words: those without which some are found.',
      ),
      did_you_mean: list(object({ words: mapOf(text), total_hits: integer }, { query: text })),
      explain: shape.says(mapOf(shape.anyObject), 'How each document got its place, by id.'),
    },
  ),
);

/** Titles that begin as what was typed. */
export const suggestions = shape.named(
  'title_suggestions',
  object({
    suggestions: list(
      object(
        { id: text, uri, title: text, primary_type: text, words: list(text) },
        { repository: text, publish: boolean },
      ),
    ),
  }),
);

/** Containers in the shape of the index that the interface was made with. */
export const containerSearch = shape.named(
  'top_container_search',
  object({
    responseHeader: object({ status: integer, QTime: integer, params: object({ rows: text }) }),
    response: object({
      numFound: integer,
      start: integer,
      numFoundExact: boolean,
      docs: list(searchDocument),
    }),
    facet_counts: facets,
  }),
);

/** Counts by type, or by repository and type. */
export const typeCounts = anyOf(mapOf(integer), mapOf(mapOf(integer)));
