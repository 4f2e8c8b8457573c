// Identifiers of an agent and of its authority record.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `agent_identifier`. */
export const AgentIdentifier: Schema = {
  name: 'agent_identifier',
  properties: {
    entity_identifier: { type: 'string', maxLength: 65000, required: 'error' },
    identifier_type: { type: 'string', enumeration: 'identifier_type' },
  },
  audited: true,
};

/** Contract schemas.json, `agent_record_identifier`. */
export const AgentRecordIdentifier: Schema = {
  name: 'agent_record_identifier',
  properties: {
    primary_identifier: { type: 'boolean', required: 'error' },
    record_identifier: { type: 'string', maxLength: 65000, required: 'error' },
    source: { type: 'string', enumeration: 'name_source', required: 'error' },
    identifier_type: { type: 'string', enumeration: 'identifier_type' },
  },
  audited: true,
};
