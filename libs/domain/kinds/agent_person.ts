// Kind agent_person. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partOf, partsOf } from '../schema/build.ts';
import { AgentGender } from '../subrecords/agent-parts/gender.ts';
import {
  AgentRelationshipAssociative,
  AgentRelationshipEarlierlater,
  AgentRelationshipFamily,
  AgentRelationshipHierarchical,
  AgentRelationshipIdentity,
  AgentRelationshipParentchild,
  AgentRelationshipTemporal,
} from '../subrecords/agent-parts/relation.ts';
import { NamePerson } from '../subrecords/names/person.ts';
import { agentProperties } from './parts/agent.ts';
import { isSlugAuto, slug } from './parts/identifiers.ts';
import { agentComputed, agentParts, relatedAgents } from './parts/agent-rules.ts';
import { agentSearch } from './search/agent.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

/** Kind `agent_person`. */
export const agentPerson = defineKind({
  name: 'agent_person',
  uri: '/agents/people/:id',
  model: 'AgentPerson',
  doc: 'A person who made, gathered, is written about in, or acted upon archival material. A person has one or more names, one of them authorised and one shown, and may have dates, places, occupations, contacts and relations to other agents. Agents are shared by all repositories and linked to material with a role: creator, source or subject.',
  properties: {
    uri: { type: 'string', readonly: true },
    ...agentProperties,
    slug,
    is_slug_auto: isSlugAuto,
    names: { ...partsOf(() => [NamePerson]), required: 'error', minItems: 1 },
    display_name: { ...partOf(() => [NamePerson]), readonly: true },
    agent_genders: partsOf(() => [AgentGender]),
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
  ...agentParts('agent_person'),
  mutual: relatedAgents,
  computed: [...agentComputed, 'is_user'],
  modifiedWith: modifiedWithLinked,
  search: agentSearch({ factor: 1.5, publicTypes: ['pui_agent', 'pui_person', 'pui'] }),
  example: { names: [{ sort_name_auto_generate: true, primary_name: 'Person', name_order: 'direct' }] },
});
