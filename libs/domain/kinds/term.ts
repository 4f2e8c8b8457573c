// Kind term. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';

/** Kind `term`. */
export const term = defineKind({
  name: 'term',
  uri: '/terms/:id',
  model: 'Term',
  doc: 'One word or phrase of a vocabulary, with its type: topical, geographic, temporal, genre and so on. Subjects are made of terms, and a term that several subjects use is one record. Terms come into being with the subjects that name them and are not deleted.',
  properties: {
    uri: { type: 'string', readonly: true },
    term: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    term_type: { type: 'string', minLength: 1, enumeration: 'subject_term_type', required: 'error' },
    vocabulary: { type: 'uri', to: ['vocabulary'], required: 'error' },
  },
  // Terms are made by the subjects that name them; GET /terms is a search by prefix.
  listing: 'own',
  madeWhenNamed: true,
  may: { read: 'public' },
  // The store finds terms by this key when a subject names them (libs/store/records/writing/terms.ts).
  unique: [
    {
      name: 'term.identity',
      within: 'everywhere',
      key: (body) => JSON.stringify([body['vocabulary'], body['term'], body['term_type']]),
      property: 'term',
      says: 'Term must be unique',
    },
  ],
  label: (body) => textOf(body, 'term') ?? '',
  labelProperty: null,
  stale: true,
  search: false,
  example: { term: 'T1', term_type: 'topical', vocabulary: '/vocabularies/1' },
});
