// The languages and scripts of the material.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../schema/property.ts';
import { partOf, partsOf } from '../schema/build.ts';
import { NoteLangmaterial } from './notes/langmaterial.ts';

/** Contract schemas.json, `lang_material`. */
export const LangMaterial: Schema = {
  name: 'lang_material',
  properties: {
    language_and_script: partOf(() => [LanguageAndScript]),
    notes: partsOf(() => [NoteLangmaterial]),
  },
  audited: true,
};

/** Contract schemas.json, `language_and_script`. */
export const LanguageAndScript: Schema = {
  name: 'language_and_script',
  properties: {
    language: { type: 'string', enumeration: 'language_iso639_2', required: 'error' },
    script: { type: 'string', enumeration: 'script_iso15924' },
  },
  audited: true,
};
