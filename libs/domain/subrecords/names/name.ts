// What names of all agents have, and how a name and its parallel form are made from what is particular to a kind of agent.
// Contract, schemas.json: abstract_name and abstract_parallel_name.
import { partsOf } from '../../schema/build.ts';
import type { Properties, Schema } from '../../schema/property.ts';
import { StructuredDateLabel } from '../structured-date.ts';
import { authorityHasSource, hasSortName } from './name-rules.ts';

const before: Properties = {
  dates: { type: 'string', maxLength: 255 },
  use_dates: partsOf(() => [StructuredDateLabel]),
  qualifier: { type: 'string', maxLength: 255 },
  source: { type: 'string', enumeration: 'name_source' },
  rules: { type: 'string', enumeration: 'name_rule' },
};
const flags: Properties = {
  authorized: { type: 'boolean', default: false },
  is_display_name: { type: 'boolean', default: false },
};
const after: Properties = {
  language: { type: 'string', enumeration: 'language_iso639_2' },
  script: { type: 'string', enumeration: 'script_iso15924' },
  transliteration: { type: 'string', enumeration: 'transliteration' },
  sort_name: { type: 'string', maxLength: 255 },
  sort_name_auto_generate: { type: 'boolean', default: true },
};

/** The name of a kind of agent ('person'): what all names have, `own`, and parallel forms. At most one is authorized, one displayed. */
export function nameOf(agent: string, own: Properties, parallel: () => Schema): Schema {
  return {
    name: `name_${agent}`,
    properties: {
      authority_id: { type: 'string', maxLength: 255 },
      ...before,
      ...flags,
      ...after,
      ...own,
      parallel_names: partsOf(() => [parallel()]),
    },
    audited: true,
    rules: [hasSortName, authorityHasSource],
    onlyOne: { flags: ['authorized', 'is_display_name'] },
  };
}

/** The form of such a name in another language or script. */
export function parallelNameOf(agent: string, own: Properties): Schema {
  return { name: `parallel_name_${agent}`, properties: { ...before, ...after, ...own }, audited: true };
}
