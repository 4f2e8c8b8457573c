// The rules an authority record follows.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { fileLink } from '../file-link.ts';

/** Contract schemas.json, `agent_conventions_declaration`. */
export const AgentConventionsDeclaration: Schema = {
  name: 'agent_conventions_declaration',
  properties: {
    name_rule: { type: 'string', enumeration: 'name_rule', required: 'warn' },
    citation: { type: 'string', maxLength: 65000 },
    descriptive_note: { type: 'string', maxLength: 65000, default: '' },
    ...fileLink,
  },
  audited: true,
};
