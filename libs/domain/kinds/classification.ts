// Kind classification. Properties follow the contract (schemas.json) in its order.
import { defineKind } from '../kind.ts';
import { textOf } from '../json.ts';
import { classifiedProperties, linkedRecords } from './parts/classified.ts';
import { classifiedSearch } from './search/classified.ts';

/** Kind `classification`. */
export const classification = defineKind({
  name: 'classification',
  uri: '/repositories/:repo_id/classifications/:id',
  model: 'Classification',
  doc: 'A scheme by which a repository sorts what it holds: record groups, functions, subjects. Its terms form a tree, and records are linked to the scheme or to a term.',
  properties: { ...classifiedProperties, has_classification_terms: { type: 'boolean', readonly: true } },
  may: {
    read: 'view_repository',
    create: 'update_classification_record',
    update: 'update_classification_record',
    delete: 'delete_classification_record',
  },
  mutual: linkedRecords,
  label: (body) => textOf(body, 'title') ?? '',
  labelProperty: null,
  computed: ['tree_path'],
  stale: true,
  search: classifiedSearch({ publicTypes: ['pui_record_group', 'pui'] }),
  example: { identifier: 'C1', title: 'Class' },
});
