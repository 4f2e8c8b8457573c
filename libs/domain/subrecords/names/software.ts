// Names of software agents and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { authorityHasSource, hasSortName } from './name-rules.ts';
import { partsOf } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `name_software`. */
export const NameSoftware: Schema = {
  name: 'name_software',
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
    software_name: { type: 'string', maxLength: 65000, required: 'error' },
    version: { type: 'string', maxLength: 65000 },
    manufacturer: { type: 'string', maxLength: 65000 },
    parallel_names: partsOf(() => [ParallelNameSoftware]),
  },
  audited: true,
  rules: [hasSortName, authorityHasSource],
  onlyOne: { flags: ['authorized', 'is_display_name'] },
};

/** Contract schemas.json, `parallel_name_software`. */
export const ParallelNameSoftware: Schema = {
  name: 'parallel_name_software',
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
    software_name: { type: 'string', maxLength: 65000, required: 'error' },
    version: { type: 'string', maxLength: 65000 },
    manufacturer: { type: 'string', maxLength: 65000 },
  },
  audited: true,
};
