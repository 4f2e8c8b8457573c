// Processing status and estimates of an accession, resource or digital object.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../schema/property.ts';
import { textOf } from '../json.ts';
import { decimalNumber, saysDecimal } from '../rules/number-text.ts';
import { managementUri } from '../rules/part-uris.ts';
import { partsOf, refTo } from '../schema/build.ts';
import { copies } from '../search/documents/reading.ts';
import { ExternalId } from './external-id.ts';

/** Contract 1.6, collection_management: sums are numbers, and the extent has a type. */
const sumsAreNumbers: Rule = (management, report) => {
  if (management['processing_total_extent'] !== undefined && management['processing_total_extent_type'] === undefined)
    report('processing_total_extent_type', 'is required if total extent is specified');
  for (const property of ['processing_hours_per_foot_estimate', 'processing_total_extent', 'processing_hours_total']) {
    const text = textOf(management, property);
    if (text !== undefined && !decimalNumber.test(text)) report(property, saysDecimal);
  }
};

/** Contract schemas.json, `collection_management`. */
export const CollectionManagement: Schema = {
  name: 'collection_management',
  properties: {
    uri: { type: 'string', readonly: true },
    parent: { ...refTo(['resource', 'digital_object', 'accession']), readonly: true },
    external_ids: partsOf(() => [ExternalId]),
    processing_hours_per_foot_estimate: { type: 'string', maxLength: 255 },
    processing_total_extent: { type: 'string', maxLength: 255 },
    processing_total_extent_type: { type: 'string', enumeration: 'extent_extent_type' },
    processing_hours_total: { type: 'string', maxLength: 255 },
    processing_plan: { type: 'string', maxLength: 65000 },
    processing_priority: { type: 'string', enumeration: 'collection_management_processing_priority' },
    processing_funding_source: { type: 'string', maxLength: 65000 },
    processors: { type: 'string', maxLength: 65000 },
    rights_determined: { type: 'boolean', default: false },
    processing_status: { type: 'string', enumeration: 'collection_management_processing_status' },
  },
  audited: true,
  shows: ['repository', { property: 'uri', of: ({ kind, id, repoId }) => managementUri(kind, id, repoId) }, 'parent'],
  rules: [sumsAreNumbers],
  search: {
    fields: {
      ...copies('processing_priority processing_status processing_hours_total'),
      ...copies('processing_funding_source', {
        type: 'text',
        words: { number: 6, weight: 'C' },
        sortsBy: 'processing_funding_source',
      }),
      ...copies('processors', { type: 'text', words: { number: 5, weight: 'C' }, sortsBy: 'processors' }),
    },
    ownDocument: {
      fields: {
        ...copies('parent_id', { type: 'string', isCounted: false, isFoundFromStart: true }),
        ...copies('parent_title', { type: 'text', words: { number: 4, weight: 'B' }, sortsBy: 'title_sort' }),
        ...copies('parent_type'),
      },
    },
  },
};
