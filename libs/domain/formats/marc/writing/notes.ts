// Notes as MARC 3xx and 5xx fields: the table, and the walk over the notes of a record (contract behaviour-exports 4, notes).
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf, textsOf } from '../../../json.ts';
import { languageNotes, noteTexts, noteType } from '../../writing/note-text.ts';
import type { Field } from './fields.ts';
import { field, marcText } from './fields.ts';

/** Where notes of a type go. `ind1` 'published' is 1 for a published note and 0 for another; `prefix` stands before the text. */
type NoteField = { readonly tag: string; readonly ind1?: string; readonly code?: string; readonly prefix?: string };

/** By type of note. */
export const noteFields: { readonly [type: string]: NoteField } = {
  arrangement: { tag: '351' },
  fileplan: { tag: '351' },
  odd: { tag: '500' },
  dimensions: { tag: '500', prefix: 'Dimensions: ' },
  physdesc: { tag: '500', prefix: 'Physical Description note: ' },
  materialspec: { tag: '500', prefix: 'Material Specific Details: ' },
  physloc: { tag: '500', prefix: 'Location of resource: ' },
  phystech: { tag: '500', prefix: 'Physical Characteristics / Technical Requirements: ' },
  physfacet: { tag: '500', prefix: 'Physical Facet: ' },
  processinfo: { tag: '500', prefix: 'Processing Information: ' },
  separatedmaterial: { tag: '500', prefix: 'Materials Separated from the Resource: ' },
  accessrestrict: { tag: '506' },
  scopecontent: { tag: '520', ind1: '2' },
  abstract: { tag: '520', ind1: '3' },
  prefercite: { tag: '524' },
  originalsloc: { tag: '535', ind1: '1' },
  altformavail: { tag: '535', ind1: '2' },
  userestrict: { tag: '540' },
  legalstatus: { tag: '540' },
  acqinfo: { tag: '541', ind1: 'published' },
  relatedmaterial: { tag: '544', code: 'd' },
  bioghist: { tag: '545' },
  langmaterial: { tag: '546' },
  otherfindaid: { tag: '555', ind1: '0' },
  custodhist: { tag: '561', ind1: 'published' },
  appraisal: { tag: '583', ind1: 'published' },
  accruals: { tag: '584' },
};

/** A field for each note of a known type, bibliographies by content and item; then the notes of languages. */
export function notesAsFields(record: JsonObject): readonly Field[] {
  return [...objectsOf(record, 'notes').flatMap(fieldsOf), ...languageNoteFields(record)];
}

/** Notes about languages as 546. */
export const languageNoteFields = (record: JsonObject): readonly Field[] => languageNotes(record).flatMap(fieldsOf);

function fieldsOf(note: JsonObject): readonly Field[] {
  if (textOf(note, 'jsonmodel_type') === 'note_bibliography')
    return [...textsOf(note, 'content'), ...textsOf(note, 'items')].map((text) =>
      field('581', '  ', ['a', sentence(text)]),
    );
  const target = noteFields[noteType(note)];
  const text = sentence(noteTexts(note).join(' '));
  if (target === undefined || text === '') return [];
  const ind1 = target.ind1 === 'published' ? (note['publish'] === false ? '0' : '1') : (target.ind1 ?? ' ');
  return [field(target.tag, `${ind1} `, [target.code ?? 'a', `${target.prefix ?? ''}${text}`])];
}

/** Text without markup, ended by a full stop unless it ends in one of . ! ? already; '' stays. */
export function sentence(text: string): string {
  const plain = marcText(text);
  return plain === '' || /[.!?]$/.test(plain) ? plain : `${plain}.`;
}
