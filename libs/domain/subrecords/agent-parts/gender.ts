// A gender of a person, with its dates.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partsOf } from '../../schema/build.ts';
import { NoteCitation } from '../notes/citation.ts';
import { NoteText } from '../notes/text.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_gender`. */
export const AgentGender: Schema = {
  name: 'agent_gender',
  properties: {
    gender: { type: 'string', enumeration: 'gender', required: 'error' },
    dates: partsOf(() => [StructuredDateLabel]),
    notes: partsOf(() => [NoteText, NoteCitation]),
  },
  audited: true,
};
