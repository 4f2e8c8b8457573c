// Kind agent_corporate_entity. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partOf, partsOf } from '../schema/build.ts';
import {
  AgentRelationshipAssociative,
  AgentRelationshipEarlierlater,
  AgentRelationshipFamily,
  AgentRelationshipHierarchical,
  AgentRelationshipIdentity,
  AgentRelationshipSubordinatesuperior,
  AgentRelationshipTemporal,
} from '../subrecords/agent-parts/relation.ts';
import { NameCorporateEntity } from '../subrecords/names/corporate-entity.ts';
import { agentProperties } from './parts/agent.ts';
import { isSlugAuto, slug } from './parts/identifiers.ts';
import { agentComputed, agentParts, relatedAgents } from './parts/agent-rules.ts';
import { agentSearch } from './search/agent.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

/** Kind `agent_corporate_entity`. */
export const agentCorporateEntity = defineKind({
  name: 'agent_corporate_entity',
  uri: '/agents/corporate_entities/:id',
  model: 'AgentCorporateEntity',
  doc: 'An organisation, or a group that acts as one: a company, an office, an association, a conference. Its name may have subordinate parts; mergers and renamings are kept as relations between earlier and later agents. Each repository is represented by one.',
  properties: {
    uri: { type: 'string', readonly: true },
    ...agentProperties,
    slug,
    is_slug_auto: isSlugAuto,
    names: { ...partsOf(() => [NameCorporateEntity]), required: 'error', minItems: 1 },
    display_name: { ...partOf(() => [NameCorporateEntity]), readonly: true },
    related_agents: {
      ...partsOf(() => [
        AgentRelationshipSubordinatesuperior,
        AgentRelationshipEarlierlater,
        AgentRelationshipIdentity,
        AgentRelationshipHierarchical,
        AgentRelationshipTemporal,
        AgentRelationshipFamily,
        AgentRelationshipAssociative,
      ]),
      resolvedInSearch: true,
    },
    is_repo_agent: { type: 'string', readonly: true },
  },
  ...agentParts('agent_corporate_entity'),
  mutual: relatedAgents,
  computed: [...agentComputed, 'is_repo_agent'],
  modifiedWith: modifiedWithLinked,
  search: agentSearch({ factor: 1.3, publicTypes: ['pui_agent', 'pui'] }),
  example: { names: [{ sort_name_auto_generate: true, primary_name: 'Corp' }] },
});
