// Another authority record for the same agent, elsewhere.
// Properties follow the contract (schemas.json) in its order.
import type { Rule, Schema } from '../../schema/property.ts';
import { fileLink } from '../file-link.ts';

/** Contract 1.6, agent_alternate_set: a set says something. The key is `agent_sources` in the contract too. */
const saysSet: Rule = (set, report) => {
  if (['set_component', 'descriptive_note', 'file_uri'].every((property) => set[property] === undefined))
    report('agent_sources', 'Must specify one of Set Component, Descriptive Note or File URI');
};

/** Contract schemas.json, `agent_alternate_set`. */
export const AgentAlternateSet: Schema = {
  name: 'agent_alternate_set',
  properties: {
    set_component: { type: 'string', maxLength: 65000 },
    descriptive_note: { type: 'string', maxLength: 65000 },
    ...fileLink,
  },
  audited: true,
  rules: [saysSet],
};
