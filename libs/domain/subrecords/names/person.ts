// Names of persons and their forms in other languages or scripts.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { authorityHasSource, hasSortName } from './name-rules.ts';
import { partsOf } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `name_person`. */
export const NamePerson: Schema = {
  name: 'name_person',
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
    primary_name: { type: 'string', maxLength: 255, required: 'error' },
    title: { type: 'string', maxLength: 16384 },
    name_order: { type: 'string', enumeration: 'name_person_name_order', required: 'error' },
    prefix: { type: 'string', maxLength: 65000 },
    rest_of_name: { type: 'string', maxLength: 65000 },
    suffix: { type: 'string', maxLength: 65000 },
    fuller_form: { type: 'string', maxLength: 65000 },
    number: { type: 'string', maxLength: 255 },
    parallel_names: partsOf(() => [ParallelNamePerson]),
  },
  audited: true,
  rules: [hasSortName, authorityHasSource],
  onlyOne: { flags: ['authorized', 'is_display_name'] },
};

/** Contract schemas.json, `parallel_name_person`. */
export const ParallelNamePerson: Schema = {
  name: 'parallel_name_person',
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
    primary_name: { type: 'string', maxLength: 255, required: 'error' },
    title: { type: 'string', maxLength: 16384 },
    name_order: { type: 'string', enumeration: 'name_person_name_order', required: 'error' },
    prefix: { type: 'string', maxLength: 65000 },
    rest_of_name: { type: 'string', maxLength: 65000 },
    suffix: { type: 'string', maxLength: 65000 },
    fuller_form: { type: 'string', maxLength: 65000 },
    number: { type: 'string', maxLength: 255 },
  },
  audited: true,
};
