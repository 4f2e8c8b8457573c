// EAD 2002 `origination` and the names in `controlaccess` to agents and agent links.
import type { JsonObject } from '../../../json.ts';
import { attributeOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import { mixedText, withoutColon } from '../../reading/content.ts';
import type { Draft } from './draft.ts';
import { nameOf, reportBeside } from './heading-parts.ts';
import { multipartNote } from '../../reading/note-records.ts';
import { inAudienceOf, isPublic } from '../../xml/audience.ts';
import { pushOnce, toRelator } from '../../reading/record-parts.ts';

/** Which kind of agent a name element stands for, its kind of name, and the property that takes the whole content. */
const agentElements: ReadonlyMap<string, { readonly kind: string; readonly name: string; readonly property: string }> =
  new Map([
    ['persname', { kind: 'agent_person', name: 'name_person', property: 'primary_name' }],
    ['famname', { kind: 'agent_family', name: 'name_family', property: 'family_name' }],
    ['corpname', { kind: 'agent_corporate_entity', name: 'name_corporate_entity', property: 'primary_name' }],
  ]);

/** Whether an element names an agent. */
export function isAgentElement(node: XmlNode): boolean {
  return agentElements.has(node.name);
}

/**
 * Links the names of an `origination` as creators; what else stands in it (a `name`, loose text) is reported. Where it names no agent, since
 * nothing says which kind of agent is meant, its text is kept as a general note as well.
 */
export function readOrigination(context: EadContext, draft: Draft, node: XmlNode): void {
  // Own exports mark the links of donors and other sources with label="source".
  const label = attributeOf(node, 'label');
  const role = label === 'source' ? 'source' : 'creator';
  const hasAgent = node.children.some((child) => isElement(child) && isAgentElement(child));
  if (label !== undefined && hasAgent && withoutColon(label).toLowerCase() !== role)
    context.report.dropTextOnce(node.line, node.name, label, 'label of origination');
  for (const child of node.children) {
    if (!isElement(child)) context.report.dropText(node.line, node.name, child, 'text of origination outside a name');
    else if (isAgentElement(child)) linkAgent(context, draft, inAudienceOf(node, child), role);
    else context.report.drop(child, 'not imported inside origination');
  }
  if (hasAgent) return;
  const text = mixedText(
    node.children.flatMap((child) =>
      !isElement(child) ? [child] : child.name === 'name' ? [` ${textContent(child)} `] : [],
    ),
  );
  if (text !== '') draft.notes.push({ ...multipartNote('odd', text, node), label: label ?? 'Origination' });
}

/** Emits the agent of a name element, once per equal agent, and links it to the record. */
export function linkAgent(
  context: EadContext,
  draft: Draft,
  node: XmlNode,
  role: 'creator' | 'source' | 'subject',
): void {
  const agent = agentElements.get(node.name);
  if (agent === undefined || textContent(node) === '') return;
  reportBeside(context, node);
  const { name: nameFields, terms } = nameOf(node, agent.kind, agent.property);
  if (Object.keys(nameFields).length === 0) return;
  const authority = attributeOf(node, 'authfilenumber');
  const rules = attributeOf(node, 'rules');
  const name = {
    jsonmodel_type: agent.name,
    ...nameFields,
    ...(agent.kind === 'agent_person' ? { name_order: 'inverted' } : {}),
    source: context.controlled('name_source', attributeOf(node, 'source') ?? 'ingest'),
    ...(rules === undefined ? {} : { rules: context.controlled('name_rule', rules) }),
    ...(authority === undefined ? {} : { authority_id: authority }),
    sort_name_auto_generate: true,
    authorized: true,
    is_display_name: true,
  };
  const publish =
    context.options.agentsPublished === 'unless-internal'
      ? isPublic(node)
      : attributeOf(node, 'audience') === 'external';
  const body: JsonObject = { publish, names: [name] };
  const ref = context.emitOnce(agent.kind, JSON.stringify(body), body);
  const relator = attributeOf(node, 'role');
  pushOnce(
    draft.agents,
    {
      ref,
      role,
      ...(relator === undefined ? {} : { relator: toRelator(context, relator) }),
      ...linkTerms(context, draft, node, role, terms),
    },
    draft.seen,
  );
}

/** Subdivisions in the heading of a person or body: terms of a link as subject, and only reported for a creator, whose link has none. */
function linkTerms(
  context: EadContext,
  draft: Draft,
  node: XmlNode,
  role: string,
  terms: ReturnType<typeof nameOf>['terms'],
): JsonObject {
  if (terms.length === 0) return {};
  if (role === 'subject')
    return {
      terms: terms.map(({ term, type }) => ({
        jsonmodel_type: 'term',
        term,
        term_type: type,
        vocabulary: context.vocabularyUri,
      })),
    };
  for (const { term } of terms)
    context.report.dropText(node.line, node.name, term, `subdivision of a ${role} of ${draft.kind}`);
  return {};
}
