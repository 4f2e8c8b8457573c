// Status of an authority record: who maintains it, in what language, how complete.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';

/** Contract schemas.json, `agent_record_control`. */
export const AgentRecordControl: Schema = {
  name: 'agent_record_control',
  properties: {
    maintenance_status: { type: 'string', enumeration: 'maintenance_status', required: 'error' },
    publication_status: { type: 'string', enumeration: 'publication_status' },
    romanization: { type: 'string', enumeration: 'romanization' },
    government_agency_type: { type: 'string', enumeration: 'government_agency_type' },
    reference_evaluation: { type: 'string', enumeration: 'reference_evaluation' },
    name_type: { type: 'string', enumeration: 'name_type' },
    level_of_detail: { type: 'string', enumeration: 'level_of_detail' },
    modified_record: { type: 'string', enumeration: 'modified_record' },
    cataloging_source: { type: 'string', enumeration: 'cataloging_source' },
    language: { type: 'string', enumeration: 'language_iso639_2' },
    script: { type: 'string', enumeration: 'script_iso15924' },
    language_note: { type: 'string', maxLength: 65000 },
    maintenance_agency: { type: 'string', maxLength: 65000 },
    agency_name: { type: 'string', maxLength: 65000 },
    maintenance_agency_note: { type: 'string', maxLength: 65000 },
  },
  audited: true,
};
