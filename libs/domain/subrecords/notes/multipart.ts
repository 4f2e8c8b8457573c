// A note made of sub-notes, with the restrictions that an access or use note states.
// Properties follow the contract (schemas.json) in its order.
import type { Properties, Rule, Schema } from '../../schema/property.ts';
import { objectOf, textOf } from '../../json.ts';
import { endsBeforeBegin, parseDay } from '../../dates/rules.ts';
import { hasSubnotes } from './has-subnotes.ts';
import { partsOf, refTo } from '../../schema/build.ts';
import { NoteChronology } from './chronology.ts';
import { NoteDefinedlist, NoteOrderedlist } from './lists.ts';
import { NoteText } from './text.ts';
import { noteProperties } from './note-properties.ts';

const fullDate = /^\d{4}-\d{2}-\d{2}$/;

/** Contract 1.6, rights_restriction in a note: full dates in order. The keys are the contract's, not paths. */
const restrictionIsOrdered: Rule = (note, report) => {
  const restriction = objectOf(note, 'rights_restriction');
  const [begin, end] = [textOf(restriction, 'begin'), textOf(restriction, 'end')];
  for (const [property, text] of [
    ['begin', begin],
    ['end', end],
  ] as const) {
    if (text !== undefined && (!fullDate.test(text) || parseDay(text) === null))
      report(`rights_restriction__${property}`, 'must be in YYYY-MM-DD format');
  }
  if (begin !== undefined && end !== undefined && endsBeforeBegin(begin, end))
    report('rights_restriction__end', 'must not be before begin');
};

/** What a note says of restrictions; stored in the note as sent, without `jsonmodel_type` (contract output_exceptions). */
const restrictionProperties: Properties = {
  begin: { type: 'string' },
  end: { type: 'string' },
  local_access_restriction_type: { type: 'list', of: { type: 'string', enumeration: 'restriction_type' } },
  linked_records: { ...refTo(['archival_object', 'resource']), resolvedInSearch: true },
  restriction_note_type: { type: 'string', readonly: true },
};

/** Contract schemas.json, `rights_restriction`: as containers show it under `active_restrictions`. */
export const RightsRestriction: Schema = { name: 'rights_restriction', properties: restrictionProperties };

/** Contract schemas.json, `note_multipart`. */
export const NoteMultipart: Schema = {
  name: 'note_multipart',
  properties: {
    ...noteProperties,
    type: { type: 'string', enumeration: 'note_multipart_type', required: 'error' },
    rights_restriction: { type: 'inline', properties: restrictionProperties },
    subnotes: partsOf(() => [NoteChronology, NoteOrderedlist, NoteDefinedlist, NoteText]),
  },
  publishable: true,
  rules: [hasSubnotes, restrictionIsOrdered],
};
