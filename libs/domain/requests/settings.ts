// Bodies of routes that set what a repository wants of forms, how assessments are rated and how the OAI provider names itself.
// They are no record kinds: each lives in a table of its own. Properties follow the contract (schemas.json) in its order.
import type { Property, Schema } from '../schema/property.ts';
import { partsOf } from '../schema/build.ts';

/** The kinds of records whose forms may be set. */
export const formRecordTypes: readonly string[] = [
  'archival_object',
  'digital_object_component',
  'resource',
  'accession',
  'subject',
  'digital_object',
  'agent_person',
  'agent_family',
  'agent_software',
  'agent_corporate_entity',
  'event',
  'location',
  'classification',
  'classification_term',
];

const recordType: Property = { type: 'string', values: formRecordTypes, required: 'error' };

/** Contract schemas.json, `default_values`: what new records begin with. */
export const DefaultValues: Schema = {
  name: 'default_values',
  properties: { uri: { type: 'string', readonly: true }, record_type: recordType, defaults: { type: 'object' } },
  shows: ['repository'],
  audited: true,
};

const SubrecordRequirement: Schema = {
  name: 'subrecord_requirement',
  properties: {
    property: { type: 'string', required: 'error' },
    record_type: { type: 'string' },
    required_fields: { type: 'list', of: { type: 'string' } },
    required: { type: 'boolean', default: false },
  },
};

/** Contract schemas.json, `required_fields`: what a form insists on. */
export const RequiredFields: Schema = {
  name: 'required_fields',
  properties: {
    uri: { type: 'string', readonly: true },
    record_type: recordType,
    subrecord_requirements: partsOf(() => [SubrecordRequirement]),
  },
  shows: ['repository'],
  audited: true,
};

/** Contract schemas.json, `assessment_attribute_definitions`. */
export const AssessmentAttributeDefinitions: Schema = {
  name: 'assessment_attribute_definitions',
  properties: {
    definitions: {
      type: 'list',
      of: {
        type: 'inline',
        properties: {
          id: { type: 'integer' },
          label: { type: 'string', required: 'error' },
          type: { type: 'string', values: ['rating', 'format', 'conservation_issue'], required: 'error' },
          global: { type: 'boolean', default: false },
          readonly: { type: 'boolean', default: false },
          position: { type: 'integer', readonly: true },
        },
      },
    },
  },
  audited: true,
};

/** Contract schemas.json, `oai_config`. What is required is said by libs/domain/settings/oai-config.ts, in words of its own. */
export const OaiConfig: Schema = {
  name: 'oai_config',
  properties: {
    oai_record_prefix: { type: 'string' },
    oai_admin_email: { type: 'string' },
    oai_repository_name: { type: 'string' },
    repo_set_codes: { type: 'string' },
    sponsor_set_names: { type: 'string' },
    repo_set_description: { type: 'string' },
    sponsor_set_description: { type: 'string' },
    repo_set_name: { type: 'string' },
    sponsor_set_name: { type: 'string' },
  },
  audited: true,
};
