// Sources of an authority record.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../../schema/property.ts';
import { fileLink } from '../file-link.ts';

/** Contract 1.6, agent_sources: a source says something. */
const saysSource: Rule = (source, report) => {
  if (['source_entry', 'descriptive_note', 'file_uri'].every((property) => source[property] === undefined))
    report('agent_sources', 'Must specify one of Source Entry, Descriptive Note or File URI');
};

/** Contract schemas.json, `agent_sources`. */
export const AgentSources: Schema = {
  name: 'agent_sources',
  properties: {
    source_entry: { type: 'string', maxLength: 65000 },
    descriptive_note: { type: 'string', maxLength: 65000 },
    ...fileLink,
  },
  audited: true,
  rules: [saysSource],
};
