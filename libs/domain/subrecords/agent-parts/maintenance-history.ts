// What was done to an authority record, when and by whom.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `agent_maintenance_history`. */
export const AgentMaintenanceHistory: Schema = {
  name: 'agent_maintenance_history',
  properties: {
    maintenance_event_type: { type: 'string', enumeration: 'maintenance_event_type', required: 'error' },
    maintenance_agent_type: {
      type: 'string',
      enumeration: 'maintenance_agent_type',
      required: 'error',
      default: 'Human',
    },
    event_date: { type: 'date-time', required: 'error' },
    agent: { type: 'string', maxLength: 65000, required: 'error' },
    descriptive_note: { type: 'string', maxLength: 65000, default: '' },
  },
  audited: true,
};
