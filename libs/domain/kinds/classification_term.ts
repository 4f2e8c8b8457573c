// Kind classification_term. Properties follow the contract (schemas.json) in its order.
import { defineKind } from '../kind.ts';
import { objectOf, textOf } from '../json.ts';
import { refTo } from '../schema/build.ts';
import { classifiedProperties, linkedRecords } from './parts/classified.ts';
import { position } from './parts/tree-node.ts';
import { classifiedSearch } from './search/classified.ts';

const uniqueAmongSiblings = (property: 'title' | 'identifier') => ({
  name: `classification_term.${property}`,
  within: 'siblings' as const,
  key: (body: Parameters<typeof textOf>[0]) => textOf(body, property) ?? null,
  property,
  says: 'must be unique to its level in the tree',
});

/** Kind `classification_term`. */
export const classificationTerm = defineKind({
  name: 'classification_term',
  uri: '/repositories/:repo_id/classification_terms/:id',
  model: 'ClassificationTerm',
  doc: 'One class of a classification, in its place in the tree: a record group, a function, a branch of it. Titles and identifiers differ among siblings.',
  properties: {
    ...classifiedProperties,
    display_string: { type: 'string', readonly: true },
    position,
    parent: refTo(['classification_term']),
    classification: { ...refTo(['classification']), required: 'error' },
  },
  may: {
    read: 'view_repository',
    create: 'update_classification_record',
    update: 'update_classification_record',
    delete: 'delete_classification_record',
  },
  unique: [uniqueAmongSiblings('title'), uniqueAmongSiblings('identifier')],
  mutual: linkedRecords,
  tree: { root: 'classification', rootProperty: 'classification', parentProperty: 'parent', code: 3 },
  label: (body) => textOf(body, 'title') ?? '',
  labelProperty: 'display_string',
  computed: ['tree_path'],
  stale: true,
  search: classifiedSearch(
    {},
    { classification: { type: 'string', read: (record) => textOf(objectOf(record, 'classification'), 'ref') } },
  ),
  example: { identifier: 'T1', title: 'Term', classification: { ref: '@classification' } },
});
