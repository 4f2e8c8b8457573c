// EAC-CPF `relations` and `alternativeSet` to related agents, resources and sets of an agent (behaviour-imports.md section 6).
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { attributeOf, elementsOf, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { dateElements, dateText, isDateElement, readDates } from './dates.ts';
import { subject } from './description.ts';
import { given, linkProperties, noteTextOf } from './links.ts';
import { agentKinds, nameOfParts, simpleName } from './names.ts';
import type { AgentKind } from './names.ts';
import { joinParts } from '../../reading/record-parts.ts';
import { dropOthers } from '../../reading/report.ts';

/** Relationship and relator of each type of relation, as this agent stands to the related one. */
export const relationships: ReadonlyMap<string, { readonly kind: string; readonly relator: string }> = new Map([
  ['identity', { kind: 'identity', relator: 'is_identified_with' }],
  ['hierarchical', { kind: 'hierarchical', relator: 'is_hierarchical_with' }],
  ['hierarchical-parent', { kind: 'subordinatesuperior', relator: 'is_subordinate_to' }],
  ['hierarchical-child', { kind: 'subordinatesuperior', relator: 'is_superior_of' }],
  ['temporal', { kind: 'temporal', relator: 'is_temporal_with' }],
  ['temporal-earlier', { kind: 'earlierlater', relator: 'is_later_form_of' }],
  ['temporal-later', { kind: 'earlierlater', relator: 'is_earlier_form_of' }],
  ['family', { kind: 'family', relator: 'is_related_with' }],
  // Not of EAC-CPF 2010: a family relation whose role EAC-CPF 2.0 tells.
  ['family-parent', { kind: 'parentchild', relator: 'is_child_of' }],
  ['family-child', { kind: 'parentchild', relator: 'is_parent_of' }],
]);

/** Addresses that own exports give agents; their path says which kind. */
const ownAgent = /\/agents\/(people|corporate_entities|families)\//;

const associative = { kind: 'associative', relator: 'is_associative_with' };

/** The related agents (emitted before) and resources. */
export function readRelations(
  context: ReadingContext,
  relations: XmlNode,
  kind: AgentKind,
): Readonly<Record<string, Json>> {
  const agents: JsonObject[] = [];
  const resources: JsonObject[] = [];
  for (const node of elementsOf(relations)) {
    if (node.name === 'cpfRelation') agents.push(...relatedAgent(context, node, kind));
    else if (node.name === 'resourceRelation') resources.push(...resource(context, node));
  }
  dropOthers(context.report, relations, ['cpfRelation', 'resourceRelation']);
  return {
    ...(agents.length === 0 ? {} : { related_agents: agents }),
    ...(resources.length === 0 ? {} : { agent_resources: resources }),
  };
}

/** `alternativeSet`: records of the same agent elsewhere. */
export function readAlternativeSet(context: ReadingContext, set: XmlNode): Readonly<Record<string, Json>> {
  const sets = elementsOf(set, 'setComponent').flatMap((node) => {
    dropOthers(context.report, node, ['componentEntry', 'descriptiveNote']);
    const record = {
      ...given('set_component', elementsOf(node, 'componentEntry').map(textContent).join('; ')),
      ...given('descriptive_note', noteTextOf(node)),
      ...linkProperties(context, node),
    };
    return ['set_component', 'descriptive_note', 'file_uri'].some((property) => property in record)
      ? [{ jsonmodel_type: 'agent_alternate_set', ...record }]
      : [];
  });
  return sets.length === 0 ? {} : { agent_alternate_sets: sets };
}

/** The kind by @role, else by the path of an address that names it (own exports write no role). */
function kindOf(node: XmlNode, own: AgentKind): AgentKind | undefined {
  const role = attributeOf(node, 'role')?.toLowerCase() ?? '';
  for (const [name, kind] of agentKinds) if (role.includes(name)) return kind;
  const path = ownAgent.exec(attributeOf(node, 'href') ?? '')?.[1];
  const byPath =
    path === undefined
      ? undefined
      : agentKinds.get({ people: 'person', corporate_entities: 'corporatebody', families: 'family' }[path] ?? '');
  if (byPath !== undefined) return byPath;
  // What is above, below, before or after a body is a body; of persons and families nothing follows.
  const type = attributeOf(node, 'cpfRelationType') ?? '';
  return own.kind === 'agent_corporate_entity' && /^(hierarchical|temporal)/.test(type) ? own : undefined;
}

function relatedAgent(context: ReadingContext, node: XmlNode, own: AgentKind): readonly JsonObject[] {
  const entries = elementsOf(node, 'relationEntry').filter((entry) => textContent(entry) !== '');
  const [entry, ...others] = entries;
  const kind = kindOf(node, own);
  if (entry === undefined || kind === undefined) {
    context.report.drop(
      node,
      entry === undefined ? 'a relation without a name' : 'neither role nor address say which kind of agent is related',
      true,
    );
    return [];
  }
  for (const other of others) context.report.drop(other, 'only the first relationEntry is imported');
  const body: JsonObject = { names: [entryName(context, kind, entry)] };
  const ref = context.emitOnce(kind.kind, JSON.stringify(body), body);
  const [date] = readDates(context, node, 'agent_relation');
  const [, ...otherDates] = elementsOf(node)
    .filter(isDateElement)
    .flatMap((child) => (child.name === 'dateSet' ? elementsOf(child) : [child]));
  for (const other of otherDates)
    context.report.dropText(other.line, other.name, dateText(other), 'a relation has one date');
  dropOthers(context.report, node, ['relationEntry', 'descriptiveNote', ...dateElements]);
  const relation = relationOf(attributeOf(node, 'cpfRelationType'), own, kind);
  const href = attributeOf(node, 'href');
  // What own exports name is an address of the service that wrote them, which the agent has here anew.
  if (href !== undefined && !ownAgent.test(href))
    context.report.dropText(node.line, node.name, href, 'a related agent is known by its name, not by this address');
  return [
    {
      jsonmodel_type: `agent_relationship_${relation.kind}`,
      relator: relation.relator,
      ref,
      ...given('description', noteTextOf(node)),
      ...given('relationship_uri', attributeOf(node, 'arcrole')),
      ...(date === undefined ? {} : { dates: date }),
    },
  ];
}

/** The name of an entry: its parts where it has them (EAC-CPF 2.0), else its text. */
function entryName(context: ReadingContext, kind: AgentKind, entry: XmlNode): JsonObject {
  const parts = elementsOf(entry, 'part');
  return parts.some((part) => attributeOf(part, 'localType') !== undefined)
    ? nameOfParts(context, kind, entry)
    : simpleName(context, kind, parts.length === 0 ? textContent(entry) : joinParts(parts.map(textContent)));
}

/** Superior and subordinate are bodies, parent and child are none. Unknown types are associative. */
function relationOf(
  type: string | undefined,
  own: AgentKind,
  related: AgentKind,
): { readonly kind: string; readonly relator: string } {
  const relation = relationships.get(type ?? '') ?? associative;
  const areBodies = own.kind === 'agent_corporate_entity' && related.kind === 'agent_corporate_entity';
  if (relation.kind === 'subordinatesuperior' && !areBodies)
    return { kind: 'hierarchical', relator: 'is_hierarchical_with' };
  if (relation.kind === 'parentchild' && [own, related].some((each) => each.kind === 'agent_corporate_entity'))
    return { kind: 'family', relator: 'is_related_with' };
  return relation;
}

/** A resource the agent made or is the subject of; the record wrapped in the relation is part of its description. */
function resource(context: ReadingContext, node: XmlNode): readonly JsonObject[] {
  const entry = elementsOf(node, 'relationEntry')
    .map((each) => joinParts(each.children.map(textContent)))
    .filter((text) => text !== '')
    .join('; ');
  const wrapped = elementsOf(node, 'objectXMLWrap')
    .map(textContent)
    .filter((text) => text !== '')
    .join('; ');
  // Where the relation has no address, the first one in what it wraps is that of the resource.
  const [inner, ...further] = elementsOf(node, 'objectXMLWrap').flatMap(addressesIn);
  const href = attributeOf(node, 'href') ?? inner;
  for (const other of href === inner ? further : [inner, ...further])
    if (other !== undefined && other !== href)
      context.report.dropText(node.line, 'objectXMLWrap', other, 'a resource has one address');
  const name = entry || wrapped || href;
  if (name === undefined || name === '') {
    context.report.drop(node, 'a relation without a name', true);
    return [];
  }
  const type = `${attributeOf(node, 'resourceRelationType') ?? ''} ${attributeOf(node, 'arcrole') ?? ''}`;
  const role = type.includes('creatorOf') ? 'creator' : type.includes('subjectOf') ? 'subject' : 'source';
  const description = [noteTextOf(node), entry === '' ? undefined : wrapped]
    .filter((text) => text !== undefined && text !== '')
    .join('\n\n');
  const dates = readDates(context, node, 'other');
  const places = elementsOf(node, 'placeEntry')
    .filter((place) => textContent(place) !== '')
    .map((place) => ({ ref: subject(context, place, 'geographic') }));
  dropOthers(context.report, node, [
    'relationEntry',
    'placeEntry',
    'descriptiveNote',
    'objectXMLWrap',
    ...dateElements,
  ]);
  return [
    {
      jsonmodel_type: 'agent_resource',
      linked_agent_role: role,
      linked_resource: name,
      ...given('linked_resource_description', description),
      ...linkProperties(context, node),
      ...given('file_uri', href),
      ...(dates.length === 0 ? {} : { dates }),
      ...(places.length === 0 ? {} : { places }),
    },
  ];
}

/** The addresses that elements of any vocabulary in an element give, in their order. */
const addressesIn = (node: XmlNode): readonly string[] =>
  elementsOf(node).flatMap((child) => [
    ...[attributeOf(child, 'href')].filter((href) => href !== undefined),
    ...addressesIn(child),
  ]);
