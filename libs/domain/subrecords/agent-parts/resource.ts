// A resource outside the service that an agent is linked to.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partsOf, refsTo } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';
import { fileLink } from '../file-link.ts';

/** Contract schemas.json, `agent_resource`. */
export const AgentResource: Schema = {
  name: 'agent_resource',
  properties: {
    publish: { type: 'boolean' },
    linked_agent_role: { type: 'string', enumeration: 'linked_agent_role', required: 'error' },
    linked_resource: { type: 'string', maxLength: 65000, required: 'error' },
    linked_resource_description: { type: 'string', maxLength: 65000 },
    ...fileLink,
    dates: partsOf(() => [StructuredDateLabel]),
    places: { ...refsTo(['subject']), resolvedInSearch: true },
  },
  audited: true,
  publishable: true,
};
