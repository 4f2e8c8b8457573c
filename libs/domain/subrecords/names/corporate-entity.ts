// Names of corporate entities and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { authorityHasSource, hasSortName } from './name-rules.ts';
import { partsOf } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `name_corporate_entity`. */
export const NameCorporateEntity: Schema = {
  name: 'name_corporate_entity',
  properties: {
    authority_id: { type: 'string', maxLength: 255 },
    dates: { type: 'string', maxLength: 255 },
    use_dates: partsOf(() => [StructuredDateLabel]),
    qualifier: { type: 'string', maxLength: 255 },
    source: { type: 'string', enumeration: 'name_source' },
    rules: { type: 'string', enumeration: 'name_rule' },
    authorized: { type: 'boolean', default: false },
    is_display_name: { type: 'boolean', default: false },
    language: { type: 'string', enumeration: 'language_iso639_2' },
    script: { type: 'string', enumeration: 'script_iso15924' },
    transliteration: { type: 'string', enumeration: 'transliteration' },
    sort_name: { type: 'string', maxLength: 255 },
    sort_name_auto_generate: { type: 'boolean', default: true },
    primary_name: { type: 'string', maxLength: 65000, required: 'error' },
    subordinate_name_1: { type: 'string', maxLength: 65000 },
    subordinate_name_2: { type: 'string', maxLength: 65000 },
    number: { type: 'string', maxLength: 255 },
    location: { type: 'string', maxLength: 65000 },
    conference_meeting: { type: 'boolean', default: false },
    jurisdiction: { type: 'boolean', default: false },
    parallel_names: partsOf(() => [ParallelNameCorporateEntity]),
  },
  audited: true,
  rules: [hasSortName, authorityHasSource],
  onlyOne: { flags: ['authorized', 'is_display_name'] },
};

/** Contract schemas.json, `parallel_name_corporate_entity`. */
export const ParallelNameCorporateEntity: Schema = {
  name: 'parallel_name_corporate_entity',
  properties: {
    dates: { type: 'string', maxLength: 255 },
    use_dates: partsOf(() => [StructuredDateLabel]),
    qualifier: { type: 'string', maxLength: 255 },
    source: { type: 'string', enumeration: 'name_source' },
    rules: { type: 'string', enumeration: 'name_rule' },
    language: { type: 'string', enumeration: 'language_iso639_2' },
    script: { type: 'string', enumeration: 'script_iso15924' },
    transliteration: { type: 'string', enumeration: 'transliteration' },
    sort_name: { type: 'string', maxLength: 255 },
    sort_name_auto_generate: { type: 'boolean', default: true },
    primary_name: { type: 'string', maxLength: 65000, required: 'error' },
    subordinate_name_1: { type: 'string', maxLength: 65000 },
    subordinate_name_2: { type: 'string', maxLength: 65000 },
    number: { type: 'string', maxLength: 255 },
    location: { type: 'string', maxLength: 65000 },
    conference_meeting: { type: 'boolean', default: false },
    jurisdiction: { type: 'boolean', default: false },
  },
  audited: true,
};
