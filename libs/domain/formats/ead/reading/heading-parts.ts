// The `part` elements of EAD3 headings: parts of names as the properties of a name, parts of subjects as terms with their types.
// Parts carry their meaning in @localtype: words of the field, or the subfield codes of MARC 21.
import type { JsonObject } from '../../../json.ts';
import { withoutTail } from '../../../text/without-tail.ts';
import { attributeOf, elementsOf, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { joinParts } from '../../reading/record-parts.ts';
import { dropOthers } from '../../reading/report.ts';
import type { EadContext } from './context.ts';

const personParts: ReadonlyMap<string, string> = new Map([
  ['surname', 'primary_name'],
  ['forename', 'rest_of_name'],
  ['a', 'primary_name'],
  ['b', 'number'],
  ['c', 'title'],
  ['d', 'dates'],
  ['q', 'fuller_form'],
  ['existdates', 'dates'],
  ['dates', 'dates'],
  ['fullerform', 'fuller_form'],
  ['number', 'number'],
  ['numeration', 'number'],
  ['prefix', 'prefix'],
  ['qualifier', 'qualifier'],
  ['suffix', 'suffix'],
  ['title', 'title'],
]);

const corporateParts: ReadonlyMap<string, string> = new Map([
  ['a', 'primary_name'],
  ['primarypart', 'primary_name'],
  ['b', 'subordinate'],
  ['secondarypart', 'subordinate'],
  ['tertiarypart', 'subordinate'],
  ['d', 'dates'],
  ['existdates', 'dates'],
  ['n', 'number'],
  ['number', 'number'],
  ['qualifier', 'qualifier'],
]);

const termTypes: ReadonlyMap<string, string> = new Map([
  ['topical', 'topical'],
  ['x', 'topical'],
  ['geographic', 'geographic'],
  ['z', 'geographic'],
  ['temporal', 'temporal'],
  ['y', 'temporal'],
  ['genre_form', 'genre_form'],
  ['v', 'genre_form'],
  ['function', 'function'],
  ['occupation', 'occupation'],
  ['uniform_title', 'uniform_title'],
]);

/** Notes what a heading has that no name or term holds: another form of it, and what stands beside its parts (coordinates of a place). */
export function reportBeside(context: EadContext, node: XmlNode): void {
  const normal = attributeOf(node, 'normal') ?? '';
  if (normal !== textContent(node))
    context.report.dropTextOnce(node.line, node.name, normal, 'normal form of a heading');
  if (elementsOf(node, 'part').length > 0) dropOthers(context.report, node, ['part']);
}

/** The text of a heading that is one text, as it is: it has no parts, or one that does not say which it is. Undefined where parts are told apart. */
function wholeText(node: XmlNode): string | undefined {
  const [only, second] = elementsOf(node, 'part');
  if (only === undefined) return textContent(node);
  return second === undefined && localType(only) === undefined ? textContent(only) : undefined;
}

/** The texts of a heading with their types: one for each part, or the whole heading where it is one text. */
export function headingTerms(node: XmlNode, type: string): readonly { readonly term: string; readonly type: string }[] {
  const whole = wholeText(node);
  if (whole !== undefined) return whole === '' ? [] : [{ term: whole, type }];
  return elementsOf(node, 'part')
    .map((part, index) => ({ term: clean(textContent(part)), type: typeOf(part) ?? (index === 0 ? type : 'topical') }))
    .filter(({ term }) => term !== '');
}

/**
 * The properties of a name that its parts give, and the terms that stand in the same heading (`--History`). A heading without parts, or
 * with parts that nobody can tell apart, is one text in the main property.
 */
export function nameOf(
  node: XmlNode,
  kind: string,
  property: string,
): { readonly name: JsonObject; readonly terms: readonly { readonly term: string; readonly type: string }[] } {
  const whole = wholeText(node);
  if (whole !== undefined) return { name: whole === '' ? {} : { [property]: whole }, terms: [] };
  const terms: { term: string; type: string }[] = [];
  const fields: Record<string, string> = {};
  const main: string[] = [];
  for (const part of elementsOf(node, 'part')) {
    const text = clean(textContent(part));
    const type = typeOf(part);
    if (text === '') continue;
    if (type !== undefined) {
      terms.push({ term: text, type });
      continue;
    }
    const field = fieldOf(part, kind, property, fields);
    if (field === undefined || field === property || fields[field] !== undefined) main.push(textContent(part));
    else fields[field] = field === 'fuller_form' ? text.replace(/^\((.*)\)$/, '$1') : text;
  }
  // A forename or date alone is still the name.
  const name = clean(joinParts(main));
  if (name !== '') return { name: { [property]: name, ...fields }, terms };
  const all = joinParts(Object.values(fields));
  return { name: all === '' ? {} : { [property]: all }, terms };
}

function fieldOf(
  part: XmlNode,
  kind: string,
  property: string,
  fields: Readonly<Record<string, string>>,
): string | undefined {
  const type = localType(part);
  if (type === undefined) return property;
  if (kind === 'agent_person') return personParts.get(type);
  if (kind !== 'agent_corporate_entity') return property;
  const field = corporateParts.get(type);
  if (field !== 'subordinate') return field;
  return fields['subordinate_name_1'] === undefined ? 'subordinate_name_1' : 'subordinate_name_2';
}

const localType = (part: XmlNode): string | undefined =>
  (attributeOf(part, 'type') ?? attributeOf(part, 'localtype'))?.toLowerCase();
const typeOf = (part: XmlNode): string | undefined => termTypes.get(localType(part) ?? '');

/** MARC punctuation between parts belongs to none of them. */
const clean = (text: string): string => withoutTail(text.trim(), ',;:');
