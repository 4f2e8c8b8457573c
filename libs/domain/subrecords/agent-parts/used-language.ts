// A language an agent used.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../../schema/property.ts';
import { objectsOf } from '../../json.ts';
import { partsOf } from '../../schema/build.ts';
import { NoteCitation } from '../notes/citation.ts';
import { NoteText } from '../notes/text.ts';

/** Contract 1.6, used_language. */
const saysLanguage: Rule = (used, report) => {
  if (used['language'] === undefined && objectsOf(used, 'notes').length === 0)
    report('language', 'Must specify either language or a note.');
};

/** Contract schemas.json, `used_language`. */
export const UsedLanguage: Schema = {
  name: 'used_language',
  properties: {
    language: { type: 'string', enumeration: 'language_iso639_2' },
    script: { type: 'string', enumeration: 'script_iso15924' },
    notes: partsOf(() => [NoteText, NoteCitation]),
  },
  audited: true,
  rules: [saysLanguage],
};
