// Kind agent_family. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partOf, partsOf } from '../schema/build.ts';
import {
  AgentRelationshipAssociative,
  AgentRelationshipEarlierlater,
  AgentRelationshipFamily,
  AgentRelationshipHierarchical,
  AgentRelationshipIdentity,
  AgentRelationshipParentchild,
  AgentRelationshipTemporal,
} from '../subrecords/agent-parts/relation.ts';
import { NameFamily } from '../subrecords/names/family.ts';
import { agentProperties } from './parts/agent.ts';
import { isSlugAuto, slug } from './parts/identifiers.ts';
import { agentComputed, agentParts, relatedAgents } from './parts/agent-rules.ts';
import { agentSearch } from './search/agent.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

/** Kind `agent_family`. */
export const agentFamily = defineKind({
  name: 'agent_family',
  uri: '/agents/families/:id',
  model: 'AgentFamily',
  doc: 'A family as creator, source or subject of archival material: people related by blood, marriage or household who are known under one name. Its names, dates, history and relations are recorded as for a person, and it is shared by all repositories.',
  properties: {
    uri: { type: 'string', readonly: true },
    ...agentProperties,
    slug,
    is_slug_auto: isSlugAuto,
    names: { ...partsOf(() => [NameFamily]), required: 'error', minItems: 1 },
    display_name: { ...partOf(() => [NameFamily]), readonly: true },
    related_agents: {
      ...partsOf(() => [
        AgentRelationshipParentchild,
        AgentRelationshipEarlierlater,
        AgentRelationshipIdentity,
        AgentRelationshipHierarchical,
        AgentRelationshipTemporal,
        AgentRelationshipFamily,
        AgentRelationshipAssociative,
      ]),
      resolvedInSearch: true,
    },
  },
  ...agentParts('agent_family'),
  mutual: relatedAgents,
  computed: agentComputed,
  modifiedWith: modifiedWithLinked,
  search: agentSearch({ factor: 1.3 }),
  example: { names: [{ sort_name_auto_generate: true, family_name: 'Fam' }] },
});
