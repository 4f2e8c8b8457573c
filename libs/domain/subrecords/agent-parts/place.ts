// A place of an agent, as subjects.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { hasPrimarySubject } from './primary-subject.ts';
import { partsOf, refsTo } from '../../schema/build.ts';
import { NoteCitation } from '../notes/citation.ts';
import { NoteText } from '../notes/text.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_place`. */
export const AgentPlace: Schema = {
  name: 'agent_place',
  properties: {
    publish: { type: 'boolean' },
    place_role: { type: 'string', enumeration: 'place_role' },
    dates: partsOf(() => [StructuredDateLabel]),
    notes: partsOf(() => [NoteText, NoteCitation]),
    subjects: { ...refsTo(['subject']), resolvedInSearch: true },
  },
  audited: true,
  publishable: true,
  rules: [hasPrimarySubject],
};
