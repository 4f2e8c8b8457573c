// Names of families and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { authorityHasSource, hasSortName } from './name-rules.ts';
import { partsOf } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `name_family`. */
export const NameFamily: Schema = {
  name: 'name_family',
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
    family_name: { type: 'string', maxLength: 65000, required: 'error' },
    prefix: { type: 'string', maxLength: 65000 },
    location: { type: 'string', maxLength: 65000 },
    family_type: { type: 'string', maxLength: 65000 },
    parallel_names: partsOf(() => [ParallelNameFamily]),
  },
  audited: true,
  rules: [hasSortName, authorityHasSource],
  onlyOne: { flags: ['authorized', 'is_display_name'] },
};

/** Contract schemas.json, `parallel_name_family`. */
export const ParallelNameFamily: Schema = {
  name: 'parallel_name_family',
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
    family_name: { type: 'string', maxLength: 65000, required: 'error' },
    prefix: { type: 'string', maxLength: 65000 },
    location: { type: 'string', maxLength: 65000 },
    family_type: { type: 'string', maxLength: 65000 },
  },
  audited: true,
};
