// Kind vocabulary. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';

/** Kind `vocabulary`. */
export const vocabulary = defineKind({
  name: 'vocabulary',
  uri: '/vocabularies/:id',
  model: 'Vocabulary',
  doc: 'A controlled list that terms are taken from, such as a national subject heading list or one kept by the institution. Terms with the same words in two vocabularies are two terms.',
  properties: {
    uri: { type: 'string', readonly: true },
    ref_id: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    name: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    terms: { type: 'list', of: { type: 'uri', to: ['term'] }, readonly: true },
  },
  listing: 'own',
  may: { read: 'public', create: 'update_vocabulary_record', update: 'update_vocabulary_record' },
  unique: [
    {
      name: 'vocabulary.name',
      within: 'everywhere',
      key: (body) => textOf(body, 'name') ?? null,
      property: 'db_error',
      says: 'Database integrity constraint conflict: the name of a vocabulary must be unique',
    },
    {
      name: 'vocabulary.ref_id',
      within: 'everywhere',
      key: (body) => textOf(body, 'ref_id') ?? null,
      property: 'db_error',
      says: 'Database integrity constraint conflict: the ref_id of a vocabulary must be unique',
    },
  ],
  label: (body) => textOf(body, 'name') ?? '',
  labelProperty: null,
  // Never listed in the record, but there (contract, schemas.json output_exceptions): terms have lists of their own.
  show: (record) => ({ ...record, terms: [] }),
  stale: false,
  search: false,
  firstId: 2,
  example: { name: 'v2', ref_id: 'v2' },
});
