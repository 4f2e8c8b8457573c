// The rules an authority record follows.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `agent_conventions_declaration`. */
export const AgentConventionsDeclaration: Schema = {
  name: 'agent_conventions_declaration',
  properties: {
    name_rule: { type: 'string', enumeration: 'name_rule', required: 'warn' },
    citation: { type: 'string', maxLength: 65000 },
    descriptive_note: { type: 'string', maxLength: 65000, default: '' },
    file_uri: { type: 'string', maxLength: 65000 },
    file_version_xlink_actuate_attribute: { type: 'string', enumeration: 'file_version_xlink_actuate_attribute' },
    file_version_xlink_show_attribute: { type: 'string', enumeration: 'file_version_xlink_show_attribute' },
    xlink_title_attribute: { type: 'string', maxLength: 65000 },
    xlink_role_attribute: { type: 'string', maxLength: 65000 },
    xlink_arcrole_attribute: { type: 'string', maxLength: 65000 },
    last_verified_date: { type: 'date-time' },
  },
  audited: true,
};
