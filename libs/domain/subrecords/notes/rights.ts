// Notes on rights statements and on the acts they allow.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { noteProperties } from './note-properties.ts';

/** Contract schemas.json, `note_rights_statement`. */
export const NoteRightsStatement: Schema = {
  name: 'note_rights_statement',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_rights_statement_type', required: 'error' },
  },
  publishable: true,
};

/** Contract schemas.json, `note_rights_statement_act`. */
export const NoteRightsStatementAct: Schema = {
  name: 'note_rights_statement_act',
  properties: {
    ...noteProperties,
    content: { type: 'list', of: { type: 'string', maxLength: 65000 }, required: 'error', minItems: 1 },
    type: { type: 'string', enumeration: 'note_rights_statement_act_type', required: 'error' },
  },
  publishable: true,
};
