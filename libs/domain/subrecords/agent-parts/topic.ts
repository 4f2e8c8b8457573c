// A topic of an agent, as subjects.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { hasPrimarySubject } from './primary-subject.ts';
import { partsOf, refsTo } from '../../schema/build.ts';
import { NoteCitation } from '../notes/citation.ts';
import { NoteText } from '../notes/text.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_topic`. */
export const AgentTopic: Schema = {
  name: 'agent_topic',
  properties: {
    publish: { type: 'boolean' },
    dates: partsOf(() => [StructuredDateLabel]),
    notes: partsOf(() => [NoteText, NoteCitation]),
    subjects: { ...refsTo(['subject']), resolvedInSearch: true },
    places: { ...refsTo(['subject']), resolvedInSearch: true },
  },
  audited: true,
  publishable: true,
  rules: [hasPrimarySubject],
};
