// Kind agent_software. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { partOf, partsOf } from '../schema/build.ts';
import { NameSoftware } from '../subrecords/names/software.ts';
import { agentProperties } from './parts/agent.ts';
import { isSlugAuto, slug } from './parts/identifiers.ts';
import { objectsOf } from '../json.ts';
import type { Rule } from '../schema/property.ts';
import { agentComputed, agentParts } from './parts/agent-rules.ts';
import { agentSearch } from './search/agent.ts';
import { modifiedWithLinked } from './parts/described-rules.ts';

const common = agentParts('agent_software');

// Sub-records of authority records that software cannot carry (contract 1.6).
const refused = [
  'agent_record_identifiers',
  'agent_record_controls',
  'agent_other_agency_codes',
  'agent_conventions_declarations',
  'agent_maintenance_histories',
  'agent_sources',
  'agent_alternate_sets',
  'agent_resources',
];

const hasNoAuthorityParts: Rule = (body, report) => {
  for (const property of refused)
    if (objectsOf(body, property).length > 0) report(property, 'subrecord not allowed for agent software');
};

/** Kind `agent_software`. */
export const agentSoftware = defineKind({
  name: 'agent_software',
  uri: '/agents/software/:id',
  model: 'AgentSoftware',
  doc: "A program that made or changed records, or that acted in an event: a scanner's software, a migration tool, this service itself. It is named by maker, product and version, and has none of the sub-records that describe the sources and control of an authority record.",
  properties: {
    uri: { type: 'string', readonly: true },
    ...agentProperties,
    display_name: { ...partOf(() => [NameSoftware]), readonly: true },
    slug,
    is_slug_auto: isSlugAuto,
    names: { ...partsOf(() => [NameSoftware]), required: 'error', minItems: 1 },
  },
  ...common,
  // This service itself, the only software agent that nobody made (contract 5.5).
  undeletable: (body) => body['system_generated'] === true,
  rules: [...(common.rules ?? []), hasNoAuthorityParts],
  computed: [...agentComputed, 'is_user'],
  modifiedWith: modifiedWithLinked,
  search: agentSearch({}),
  example: { names: [{ sort_name_auto_generate: true, software_name: 'Soft' }] },
});
