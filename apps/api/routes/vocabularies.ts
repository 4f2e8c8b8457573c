// Lists of vocabularies and terms; single vocabularies have the uniform routes of their kind (contract 6.2).
import { shape } from '../openapi/shape.ts';
import { readVocabularyTerms, searchTerms, readVocabularies } from '#store/enumerations/vocabularies.ts';
import { id, text } from '../request/parameters.ts';
import { jsonPage, jsonText } from '../reply/reply.ts';
import { modifiedSince, toPage } from '../request/pagination.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';

const list = defineRoute({
  method: 'GET',
  path: '/vocabularies',
  operation: 'listVocabularies',
  area: 'vocabularies',
  summary: 'List vocabularies',
  access: 'public',
  parameters: {
    ref_id: text({ optional: true, doc: 'Only the vocabulary of this ref_id.' }),
    modified_since: modifiedSince,
  },
  replies: { 200: { says: 'An array of vocabularies.', shape: shape.list(shape.record('vocabulary')) } },
  handler: async ({ params, services }) =>
    jsonText(`[${(await readVocabularies(services.database.reader, params.ref_id, params.modified_since)).join(',')}]`),
});

const terms = defineRoute({
  method: 'GET',
  path: '/vocabularies/:id/terms',
  operation: 'listVocabularyTerms',
  area: 'vocabularies',
  summary: 'List the terms of a vocabulary',
  access: 'public',
  parameters: { id: id(), modified_since: modifiedSince },
  replies: {
    200: { says: 'An array of terms by id.', shape: shape.list(shape.record('term')) },
    404: 'Vocabulary not found',
  },
  handler: async ({ params, services }) =>
    jsonText(`[${(await readVocabularyTerms(services.database.reader, params.id, params.modified_since)).join(',')}]`),
});

// The page is fixed to the first 20 (contract endpoints.json).
const termsAtOnce = 20;

const search = defineRoute({
  method: 'GET',
  path: '/terms',
  operation: 'searchTerms',
  area: 'vocabularies',
  summary: 'Terms that begin with a text',
  access: 'public',
  parameters: { q: text({ doc: 'The beginning of the term; case does not matter.' }) },
  replies: {
    200: { says: 'A page wrapper of one page with at most 20 terms.', shape: shape.page(shape.record('term')) },
  },
  handler: async ({ params, services }) => {
    const found = await searchTerms(services.database.reader, params.q, termsAtOnce);
    return jsonPage(toPage(1, termsAtOnce, found.total, []), [`[${found.texts.join(',')}]`].values());
  },
});

/** The routes of this file. */
export const vocabularyRoutes: readonly Route[] = [list, terms, search];
