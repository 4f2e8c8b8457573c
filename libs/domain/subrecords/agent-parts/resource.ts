// A resource outside the service that an agent is linked to.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partsOf, refsTo } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_resource`. */
export const AgentResource: Schema = {
  name: 'agent_resource',
  properties: {
    publish: { type: 'boolean' },
    linked_agent_role: { type: 'string', enumeration: 'linked_agent_role', required: 'error' },
    linked_resource: { type: 'string', maxLength: 65000, required: 'error' },
    linked_resource_description: { type: 'string', maxLength: 65000 },
    file_uri: { type: 'string', maxLength: 65000 },
    file_version_xlink_actuate_attribute: { type: 'string', enumeration: 'file_version_xlink_actuate_attribute' },
    file_version_xlink_show_attribute: { type: 'string', enumeration: 'file_version_xlink_show_attribute' },
    xlink_title_attribute: { type: 'string', maxLength: 65000 },
    xlink_role_attribute: { type: 'string', maxLength: 65000 },
    xlink_arcrole_attribute: { type: 'string', maxLength: 65000 },
    last_verified_date: { type: 'date-time' },
    dates: partsOf(() => [StructuredDateLabel]),
    places: refsTo(['subject']),
  },
  audited: true,
  publishable: true,
};
