// Kind subject. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { externalDocuments, metadataRightsDeclarations } from './parts/described.ts';
import { externalIds, isSlugAuto, slug } from './parts/identifiers.ts';
import { term } from './term.ts';
import type { JsonObject } from '../json.ts';
import { isObject, objectsOf, textOf } from '../json.ts';
import { subjectTitle } from '../labels/headings.ts';

/** Vocabulary, source and terms in order. Terms are compared by content, which is unique, so that an import finds an equal subject before its terms exist. */
function termsKey(body: JsonObject): string {
  const terms = Array.isArray(body['terms']) ? body['terms'] : [];
  const contents = terms.map((term) =>
    isObject(term) ? [term['vocabulary'] ?? null, term['term'] ?? null, term['term_type'] ?? null] : term,
  );
  return JSON.stringify([body['vocabulary'] ?? null, body['source'] ?? null, ...contents]);
}

function authorityKey(body: JsonObject): string | null {
  const id = textOf(body, 'authority_id');
  return id === undefined ? null : JSON.stringify([body['vocabulary'] ?? null, body['source'] ?? null, id]);
}

/** Kind `subject`. */
export const subject = defineKind({
  name: 'subject',
  uri: '/subjects/:id',
  model: 'Subject',
  doc: 'A heading from a controlled vocabulary under which material can be found: a topic, place, genre, function, made of one term or of several in order. Subjects are shared by all repositories and linked to whatever they describe. Subjects with the same terms, source and vocabulary are one.',
  properties: {
    uri: { type: 'string', readonly: true },
    title: { type: 'string', readonly: true },
    external_ids: externalIds,
    is_linked_to_published_record: { type: 'boolean', readonly: true },
    publish: { type: 'boolean', readonly: true, default: true },
    slug,
    is_slug_auto: isSlugAuto,
    used_within_repositories: { type: 'list', of: { type: 'uri', to: ['repository'] }, readonly: true },
    used_within_published_repositories: { type: 'list', of: { type: 'uri', to: ['repository'] }, readonly: true },
    source: { type: 'string', enumeration: 'subject_source', required: 'error' },
    scope_note: { type: 'string' },
    terms: {
      type: 'list',
      of: { type: 'uri_or_object', to: ['term'], of: () => term.schema },
      required: 'error',
      minItems: 1,
    },
    vocabulary: { type: 'uri', to: ['vocabulary'], required: 'error' },
    authority_id: { type: 'string', maxLength: 255 },
    external_documents: externalDocuments,
    metadata_rights_declarations: metadataRightsDeclarations,
  },
  may: {
    read: 'public',
    create: 'update_subject_record',
    update: 'update_subject_record',
    delete: 'delete_subject_record',
    merge: 'merge_subject_record',
  },
  unique: [
    {
      name: 'subject.terms',
      within: 'everywhere',
      key: termsKey,
      property: 'terms',
      says: 'Subject must be unique',
      showsConflict: true,
    },
    {
      name: 'subject.authority_id',
      within: 'everywhere',
      key: authorityKey,
      property: 'authority_id',
      says: 'Subject heading identifier must be unique within source',
    },
  ],
  reusedBy: ['subject.terms'],
  label: subjectTitle,
  labelProperty: 'title',
  computed: ['is_linked_to_published_record', 'used_within'],
  stale: true,
  search: {
    factor: 1.5,
    suggestedFirst: true,
    showsUse: 'links',
    // Public through published records alone.
    isPublic: (record) => record['publish'] === true && record['is_linked_to_published_record'] === true,
    fields: {
      source: { type: 'string', read: (record) => textOf(record, 'source') },
      first_term_type: { type: 'string', read: (record) => textOf(objectsOf(record, 'terms')[0], 'term_type') },
    },
  },
  example: {
    vocabulary: '/vocabularies/1',
    source: 'local',
    terms: [{ term: 'T1', term_type: 'topical', vocabulary: '/vocabularies/1' }],
  },
});
