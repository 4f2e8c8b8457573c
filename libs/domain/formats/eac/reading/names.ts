// EAC-CPF `identity` to kind, names and identifiers of an agent (behaviour-imports.md section 6).
import type { Json, JsonObject } from '../../../json.ts';
import { objectsOf } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { attributeOf, elementOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { dateElements, readDates } from './dates.ts';
import { joinParts, pushOnce } from '../../reading/record-parts.ts';
import { dropOthers } from '../../reading/report.ts';

/** The kinds of agents, with their names and the property that takes a name as a whole. */
export const agentKinds: ReadonlyMap<
  string,
  { readonly kind: string; readonly name: string; readonly property: string }
> = new Map([
  ['person', { kind: 'agent_person', name: 'name_person', property: 'primary_name' }],
  ['corporatebody', { kind: 'agent_corporate_entity', name: 'name_corporate_entity', property: 'primary_name' }],
  ['family', { kind: 'agent_family', name: 'name_family', property: 'family_name' }],
]);

/** A kind of agent as this reader uses it. */
export type AgentKind = { readonly kind: string; readonly name: string; readonly property: string };

/** What other systems and languages call the parts that the contract names, and the subfields of MARC 21 (`100$d`). */
const synonyms: ReadonlyMap<string, string> = new Map([
  ['familyname', 'surname'],
  ['lastname', 'surname'],
  ['nom', 'surname'],
  ['givenname', 'forename'],
  ['firstname', 'forename'],
  ['prénom', 'forename'],
  ['prenom', 'forename'],
  ['$b', 'numeration'],
  ['$c', 'title'],
  ['$d', 'dates'],
  ['$q', 'fuller_form'],
]);

const shared = ['qualifier', 'dates'] as const;
const partProperties: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  name_person: new Map([
    ['surname', 'primary_name'],
    ['forename', 'rest_of_name'],
    ['numeration', 'number'],
    ['prefix', 'prefix'],
    ['suffix', 'suffix'],
    ['title', 'title'],
    ['fuller_form', 'fuller_form'],
    ['fullerform', 'fuller_form'],
    ...shared.map((name) => [name, name] as const),
  ]),
  name_corporate_entity: new Map([
    ['primary_name', 'primary_name'],
    ['subordinate_name_1', 'subordinate_name_1'],
    ['subordinate_name_2', 'subordinate_name_2'],
    ['location', 'location'],
    ['numeration', 'number'],
    ...shared.map((name) => [name, name] as const),
  ]),
  name_family: new Map([
    ['surname', 'family_name'],
    ['family_type', 'family_type'],
    ['location', 'location'],
    ['prefix', 'prefix'],
    ...shared.map((name) => [name, name] as const),
  ]),
};

/** The names and identifiers. The first authorized name, else the first, is the authorized one; the first preferred name, else the authorized one, is shown. */
export function readIdentity(
  context: ReadingContext,
  identity: XmlNode,
  kind: AgentKind,
): Readonly<Record<string, Json>> {
  const names: JsonObject[] = [];
  const identifiers: JsonObject[] = [];
  const seen = new Set<string>();
  let authorized: JsonObject | undefined;
  let displayed: JsonObject | undefined;
  for (const node of elementsOf(identity)) {
    if (node.name === 'entityId') pushIdentifier(context, identifiers, node, seen);
    if (node.name !== 'nameEntry' && node.name !== 'nameEntryParallel') continue;
    const name = node.name === 'nameEntry' ? readEntry(context, node, kind) : readParallel(context, node, kind);
    if (name === undefined) continue;
    const entries = [node, ...elementsOf(node, 'nameEntry')];
    if (authorized === undefined && entries.some((entry) => elementOf(entry, 'authorizedForm') !== undefined))
      authorized = name;
    if (displayed === undefined && entries.some((entry) => elementOf(entry, 'preferredForm') !== undefined))
      displayed = name;
    pushOnce(names, name, seen);
  }
  dropOthers(context.report, identity, ['entityId', 'entityType', 'nameEntry', 'nameEntryParallel']);
  // Of several equal names the first is kept, which need not be the one at hand.
  const texts = names.map((name) => JSON.stringify(name));
  const first = textOfName(authorized) ?? texts[0];
  const shown = textOfName(displayed) ?? first;
  const marked = names.map((name, index) => ({
    ...name,
    authorized: texts[index] === first,
    is_display_name: texts[index] === shown,
  }));
  return { names: marked, ...(identifiers.length === 0 ? {} : { agent_identifiers: identifiers }) };
}

const textOfName = (name: JsonObject | undefined): string | undefined =>
  name === undefined ? undefined : JSON.stringify(name);

/** A name of its own text only, for a related agent. */
export function simpleName(context: ReadingContext, kind: AgentKind, text: string): JsonObject {
  const comma = kind.kind === 'agent_person' ? text.indexOf(', ') : -1;
  return onlyName(context, kind, {
    [kind.property]: comma < 0 ? text : text.slice(0, comma),
    ...(comma < 0 ? {} : { rest_of_name: text.slice(comma + 2) }),
  });
}

/** A name of the `part` elements in a node, for a related agent. */
export const nameOfParts = (context: ReadingContext, kind: AgentKind, node: XmlNode): JsonObject =>
  onlyName(context, kind, readParts(node, kind) ?? { [kind.property]: textContent(node) });

function onlyName(context: ReadingContext, kind: AgentKind, fields: JsonObject): JsonObject {
  return {
    jsonmodel_type: kind.name,
    ...fields,
    ...(kind.kind === 'agent_person' ? { name_order: 'inverted' } : {}),
    source: context.controlled('name_source', 'local'),
    rules: context.controlled('name_rule', 'local'),
    sort_name_auto_generate: true,
    authorized: true,
    is_display_name: true,
  };
}

function pushIdentifier(context: ReadingContext, identifiers: JsonObject[], node: XmlNode, seen: Set<string>): void {
  const text = textContent(node);
  const type = attributeOf(node, 'localType');
  if (text !== '')
    pushOnce(
      identifiers,
      {
        jsonmodel_type: 'agent_identifier',
        entity_identifier: text,
        ...(type === undefined ? {} : { identifier_type: context.controlled('identifier_type', type) }),
      },
      seen,
    );
}

function readEntry(context: ReadingContext, node: XmlNode, kind: AgentKind): JsonObject | undefined {
  const fields = readParts(node, kind);
  if (fields === undefined) {
    context.report.drop(node, 'a name without a part');
    return undefined;
  }
  const source = sourceOf(context, node);
  const language = codeOf(context, node, 'lang', 'language_iso639_2');
  const script = codeOf(context, node, 'scriptCode', 'script_iso15924');
  const transliteration = attributeOf(node, 'transliteration');
  const dates = readUseDates(context, node);
  dropOthers(context.report, node, ['part', 'authorizedForm', 'alternativeForm', 'useDates', 'preferredForm']);
  return {
    jsonmodel_type: kind.name,
    ...fields,
    ...(kind.kind === 'agent_person' ? { name_order: 'inverted' } : {}),
    source: context.controlled('name_source', source === '' ? 'local' : source),
    rules: context.controlled('name_rule', 'local'),
    ...(language === undefined ? {} : { language }),
    ...(script === undefined ? {} : { script }),
    ...(transliteration === undefined
      ? {}
      : { transliteration: context.controlled('transliteration', transliteration) }),
    ...(dates.length === 0 ? {} : { use_dates: dates }),
    sort_name_auto_generate: true,
  };
}

/** When a name was used, as the entry says and as parallel entries say together. */
function readUseDates(context: ReadingContext, node: XmlNode): readonly JsonObject[] {
  return elementsOf(node, 'useDates').flatMap((use) => {
    dropOthers(context.report, use, dateElements);
    return readDates(context, use, 'usage');
  });
}

/** The rules or the authority that a form of the name is of; '' where none says. A name has one. */
function sourceOf(context: ReadingContext, node: XmlNode): string {
  const [form, ...others] = ['authorizedForm', 'alternativeForm', 'preferredForm']
    .flatMap((name) => elementsOf(node, name))
    .filter((each) => each.name !== 'preferredForm' || textContent(each) !== '');
  const source = form === undefined || form.name === 'preferredForm' ? '' : textContent(form);
  for (const other of [...(form?.name === 'preferredForm' ? [form] : []), ...others])
    if (textContent(other) !== source) context.report.drop(other, 'a name has one source');
  return source;
}

function readParallel(context: ReadingContext, node: XmlNode, kind: AgentKind): JsonObject | undefined {
  const [first, ...others] = elementsOf(node, 'nameEntry')
    .map((entry) => readEntry(context, entry, kind))
    .filter((name) => name !== undefined);
  dropOthers(context.report, node, ['nameEntry', 'authorizedForm', 'alternativeForm', 'preferredForm', 'useDates']);
  if (first === undefined) return undefined;
  // What stands beside the entries is about all of them, hence of the name that holds the others.
  const source = sourceOf(context, node);
  const dates = readUseDates(context, node);
  const name = {
    ...first,
    ...(source === '' ? {} : { source: context.controlled('name_source', source) }),
    ...(dates.length === 0 ? {} : { use_dates: [...objectsOf(first, 'use_dates'), ...dates] }),
  };
  return others.length === 0
    ? name
    : { ...name, parallel_names: others.map((other) => ({ ...other, jsonmodel_type: `parallel_${kind.name}` })) };
}

/** Parts by @localType; what has none, or one nobody knows, makes up the main property, in order. (At peers the last such part wins.) */
function readParts(node: XmlNode, kind: AgentKind): JsonObject | undefined {
  const properties = partProperties[kind.name] ?? new Map<string, string>();
  const fields: Record<string, string> = {};
  const main: string[] = [];
  for (const part of elementsOf(node, 'part')) {
    const text = textContent(part);
    const type = attributeOf(part, 'localType')?.toLowerCase();
    const property =
      type === undefined
        ? undefined
        : (properties.get(type) ?? properties.get(synonyms.get(type.replace(/^.*\b\d00\$?(?=[a-z]$)/, '$')) ?? ''));
    if (text === '') continue;
    if (property === undefined || property === kind.property || fields[property] !== undefined) main.push(text);
    else fields[property] = text;
  }
  // A forename alone is the name.
  const name = joinParts(main) || joinParts(Object.values(fields));
  if (name === '') return undefined;
  return { [kind.property]: name, ...(main.length === 0 ? {} : fields) };
}

function codeOf(context: ReadingContext, node: XmlNode, attribute: string, list: string): string | undefined {
  const code = attributeOf(node, attribute);
  if (code === undefined) return undefined;
  const value = context.fixed(list, code);
  if (value === undefined)
    context.report.dropText(node.line, node.name, code, `${attribute} is not in the list ${list}`);
  return value;
}

/** The kind of agent that `entityType` names; undefined for others. */
export function kindOfIdentity(identity: XmlNode | undefined): AgentKind | undefined {
  const type = identity?.children.filter(isElement).find((child) => child.name === 'entityType');
  return type === undefined ? undefined : agentKinds.get(textContent(type).toLowerCase());
}
