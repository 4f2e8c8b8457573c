// What the four kinds of agents have in common beyond their properties: rules, generated values, uniqueness, links.
// Contract, behaviour-records.md 1.6, 3.5 and 6.1.
import type { JsonObject } from '../../json.ts';
import { objectsOf, textOf } from '../../json.ts';
import type { KindDeclaration, MutualLink } from '../../kind.ts';
import type { Rule } from '../../schema/property.ts';
import {
  agentDigest,
  authorityIds,
  completeNames,
  displayNameOf,
  repeatedAuthorityId,
  withSortNames,
} from '../../rules/agent-names.ts';
import { oppositeLink } from '../../rules/relators.ts';
import type { AgentKind } from '../../rules/sort-name.ts';

/** Dates of existence carry the label existence. */
const existenceLabels: Rule = (body, report) => {
  const odd = objectsOf(body, 'dates_of_existence').some((date) => textOf(date, 'date_label') !== 'existence');
  if (odd) report('dates_of_existence', "Label must be 'existence' in this context");
};

// Saving an agent gives these sub-records its own publish flag (contract 5.1).
const publishedWithAgent = ['agent_functions', 'agent_occupations', 'agent_places', 'agent_resources', 'agent_topics'];

/** The body of an agent with its generated values: completed names, sort names, the shown name, its kind, forced publish flags. */
function generateAgent(kind: AgentKind, body: JsonObject, old: JsonObject | null): JsonObject {
  const names = withSortNames(
    kind,
    completeNames(kind, objectsOf(body, 'names')),
    objectsOf(body, 'dates_of_existence'),
  );
  const { publish } = body;
  // A stored body, which jobs revise, does not have the flag of its record: its parts have been given theirs.
  const flags = publish === undefined ? [] : publishedWithAgent.filter((property) => body[property] !== undefined);
  const published = Object.fromEntries(
    flags.map((property) => [
      property,
      objectsOf(body, property).map((part) => ({ ...part, publish: publish === true })),
    ]),
  );
  const display = displayNameOf({ names });
  const { display_name: _, ...rest } = body;
  return {
    ...rest,
    ...published,
    names,
    ...(display === undefined ? {} : { display_name: display }),
    agent_type: kind,
    // Clients cannot send it, so an update would lose it.
    ...(old?.['system_generated'] === true ? { system_generated: true } : {}),
  };
}

/** The links that both sides of a relation between agents may write; the far side shows the opposite relator. */
export const relatedAgents: { readonly related_agents: MutualLink } = {
  related_agents: { relation: 'related_agents', inverse: oppositeLink },
};

/** The part of a declaration that agents share. Agents that belong to users are system generated and exempt from uniqueness of content. */
export function agentParts(
  kind: AgentKind,
): Pick<
  KindDeclaration,
  'publishable' | 'rules' | 'generate' | 'label' | 'labelProperty' | 'unique' | 'reusedBy' | 'may' | 'stale'
> {
  return {
    publishable: true,
    rules: [existenceLabels],
    generate: (body, _making, old) => generateAgent(kind, body, old),
    label: (body) => textOf(displayNameOf(body), 'sort_name') ?? '',
    labelProperty: 'title',
    unique: [
      {
        name: `${kind}.identity`,
        within: 'everywhere',
        key: (body) => (body['system_generated'] === true ? null : agentDigest(kind, body)),
        property: 'names',
        says: 'Agent must be unique',
        showsConflict: true,
      },
      {
        name: 'agent.authority_id',
        within: 'everywhere',
        key: authorityIds,
        repeats: repeatedAuthorityId,
        property: 'names/*/authority_id',
        says: 'Authority ID must be unique',
        showsConflict: true,
      },
    ],
    reusedBy: [`${kind}.identity`, 'agent.authority_id'],
    may: {
      read: 'public',
      create: 'update_agent_record',
      update: 'update_agent_record',
      delete: 'delete_agent_record',
      publish: 'update_agent_record',
      merge: 'merge_agent_record',
    },
    stale: true,
  };
}

/** The computed properties of all agents. */
export const agentComputed: readonly string[] = ['linked_agent_roles', 'used_within', 'is_linked_to_published_record'];
