// An occupation of an agent, as subjects.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { hasPrimarySubject } from './primary-subject.ts';
import { partsOf, refsTo } from '../../schema/build.ts';
import { NoteCitation } from '../notes/citation.ts';
import { NoteText } from '../notes/text.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_occupation`. */
export const AgentOccupation: Schema = {
  name: 'agent_occupation',
  properties: {
    publish: { type: 'boolean' },
    notes: partsOf(() => [NoteText, NoteCitation]),
    dates: partsOf(() => [StructuredDateLabel]),
    subjects: { ...refsTo(['subject']), resolvedInSearch: true },
    places: { ...refsTo(['subject']), resolvedInSearch: true },
  },
  audited: true,
  publishable: true,
  rules: [hasPrimarySubject],
};
