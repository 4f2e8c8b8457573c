// Biography or history of an agent, and the agent notes beside it (EAC-CPF description).
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { hasSubnotes } from './has-subnotes.ts';
import { partsOf } from '../../schema/build.ts';
import { NoteAbstract } from './abstract.ts';
import { NoteChronology } from './chronology.ts';
import { NoteCitation } from './citation.ts';
import { NoteDefinedlist, NoteOrderedlist } from './lists.ts';
import { NoteOutline } from './outline.ts';
import { NoteText } from './text.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_bioghist`. */
export const NoteBioghist: Schema = {
  name: 'note_bioghist',
  properties: {
    ...noteProperties,
    subnotes: partsOf(() => [
      NoteAbstract,
      NoteChronology,
      NoteCitation,
      NoteOrderedlist,
      NoteDefinedlist,
      NoteText,
      NoteOutline,
    ]),
  },
  publishable: true,
  rules: [hasSubnotes],
};

/** Contract schemas.json, `note_general_context`. */
export const NoteGeneralContext: Schema = {
  name: 'note_general_context',
  properties: {
    ...noteProperties,
    subnotes: partsOf(() => [NoteOrderedlist, NoteDefinedlist, NoteText, NoteOutline]),
  },
  publishable: true,
};

/** Contract schemas.json, `note_legal_status`. */
export const NoteLegalStatus: Schema = {
  name: 'note_legal_status',
  properties: {
    ...noteProperties,
    subnotes: partsOf(() => [NoteText, NoteCitation]),
  },
  publishable: true,
};

/** Contract schemas.json, `note_mandate`. */
export const NoteMandate: Schema = {
  name: 'note_mandate',
  properties: {
    ...noteProperties,
    subnotes: partsOf(() => [NoteText, NoteCitation]),
  },
  publishable: true,
};

/** Contract schemas.json, `note_structure_or_genealogy`. */
export const NoteStructureOrGenealogy: Schema = {
  name: 'note_structure_or_genealogy',
  properties: {
    ...noteProperties,
    subnotes: partsOf(() => [NoteText, NoteDefinedlist, NoteOrderedlist, NoteOutline]),
  },
  publishable: true,
};
