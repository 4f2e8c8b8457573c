// Links between agents. Link objects, so without audit fields.
// Properties follow the contract (schemas.json) in its order.
import type { Schema } from '../../schema/property.ts';
import { partOf } from '../../schema/build.ts';
import { StructuredDateLabel } from '../structured-date.ts';

/** Contract schemas.json, `agent_relationship_associative`. */
export const AgentRelationshipAssociative: Schema = {
  name: 'agent_relationship_associative',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_associative_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family', 'agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_earlierlater`. */
export const AgentRelationshipEarlierlater: Schema = {
  name: 'agent_relationship_earlierlater',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_earlierlater_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_corporate_entity', 'agent_family'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_family`. */
export const AgentRelationshipFamily: Schema = {
  name: 'agent_relationship_family',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_family_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family', 'agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_hierarchical`. */
export const AgentRelationshipHierarchical: Schema = {
  name: 'agent_relationship_hierarchical',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_hierarchical_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family', 'agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_identity`. */
export const AgentRelationshipIdentity: Schema = {
  name: 'agent_relationship_identity',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_identity_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family', 'agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_parentchild`. */
export const AgentRelationshipParentchild: Schema = {
  name: 'agent_relationship_parentchild',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_parentchild_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_subordinatesuperior`. */
export const AgentRelationshipSubordinatesuperior: Schema = {
  name: 'agent_relationship_subordinatesuperior',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_subordinatesuperior_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};

/** Contract schemas.json, `agent_relationship_temporal`. */
export const AgentRelationshipTemporal: Schema = {
  name: 'agent_relationship_temporal',
  properties: {
    relationship_uri: { type: 'string' },
    specific_relator: { type: 'string', enumeration: 'agent_relationship_specific_relator' },
    description: { type: 'string', maxLength: 65000 },
    dates: partOf(() => [StructuredDateLabel]),
    relator: { type: 'string', enumeration: 'agent_relationship_temporal_relator', required: 'error' },
    ref: { type: 'uri', to: ['agent_person', 'agent_family', 'agent_corporate_entity'], required: 'error' },
    _resolved: { type: 'object', readonly: true },
  },
};
