// Further codes of the agency that maintains an authority record.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `agent_other_agency_codes`. */
export const AgentOtherAgencyCodes: Schema = {
  name: 'agent_other_agency_codes',
  properties: {
    agency_code_type: { type: 'string', enumeration: 'agency_code_type' },
    maintenance_agency: { type: 'string', maxLength: 65000, required: 'error' },
  },
  audited: true,
};
