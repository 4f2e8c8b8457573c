// MARC 21 name fields (X00, X10, X11) to names of agents (behaviour-imports.md section 4).
import type { JsonObject } from '../../../json.ts';
import { firstOf, withoutPunctuation } from './record.ts';
import type { MarcField } from './record.ts';

/** A name, the kind of agent that bears it, and the subfields that are in it. */
export type MarcName = { readonly kind: string; readonly name: JsonObject; readonly codes: string };

/** Subfields of a person's heading that have no property: they qualify the name, each after its label. */
const qualifierLabels: ReadonlyMap<string, string> = new Map([
  ['f', 'Date of work'],
  ['g', 'Miscellaneous information'],
  ['j', 'Attribution qualifier'],
  ['k', 'Form subheading'],
  ['l', 'Language of a work'],
  ['m', 'Medium of performance'],
  ['n', 'Number of part'],
  ['o', 'Arranged statement'],
  ['p', 'Name of part'],
  ['r', 'Key'],
  ['s', 'Version'],
  ['t', 'Title of a work'],
  ['u', 'Affiliation'],
]);

/** The name in a field whose tag ends in 00, 10 or 11; undefined where $a is missing or says nothing. `source` is left out of authority records. */
export function readName(field: MarcField, source: string | undefined): MarcName | undefined {
  if (withoutPunctuation(firstOf(field, 'a') ?? '') === '') return undefined;
  const type = field.tag.slice(1);
  if (type === '00') return field.ind1 === '3' ? family(field, source) : person(field, source);
  return corporate(field, source, type === '11');
}

const common = (source: string | undefined): JsonObject => ({
  ...(source === undefined ? {} : { source }),
  sort_name_auto_generate: true,
});

function person(field: MarcField, source: string | undefined): MarcName {
  const whole = withoutPunctuation(firstOf(field, 'a') ?? '').replace(/^[\s,]+/, '');
  // Direct order (indicator 0) has the forename first and no comma that parts it.
  const comma = field.ind1 === '0' ? -1 : whole.indexOf(', ');
  const [primary, rest] = comma < 0 ? [whole, ''] : [whole.slice(0, comma), whole.slice(comma + 2)];
  const codes = `abcdq${[...qualifierLabels.keys()].join('')}`;
  const name = {
    jsonmodel_type: 'name_person',
    primary_name: primary,
    ...(rest === '' ? {} : { rest_of_name: rest }),
    name_order: field.ind1 === '0' ? 'direct' : 'inverted',
    ...property('number', field, 'b'),
    ...property('title', field, 'c'),
    ...property('dates', field, 'd'),
    ...property('fuller_form', field, 'q', (text) => text.replace(/^\((.*?)\)?$/, '$1')),
    ...qualifier(field, qualifierLabels),
    ...common(source),
  };
  return { kind: 'agent_person', name, codes };
}

/** RDA puts what tells a family from others into one pair of brackets over several subfields: `$a Berry (Family : $d 1900-1950 : $c Paris)`. Brackets that $a closes itself are part of the name. */
function family(field: MarcField, source: string | undefined): MarcName {
  const whole = withoutPunctuation(firstOf(field, 'a') ?? '');
  const bracket = whole.lastIndexOf('(');
  const hasType = bracket > 0 && bracket + 1 < whole.length && !whole.includes(')', bracket);
  const [bare, type] = hasType ? [whole.slice(0, bracket).trimEnd(), whole.slice(bracket + 1)] : [];
  const close = (text: string): string => (bare === undefined ? text : withoutOuterBracket(text));
  const name = {
    jsonmodel_type: 'name_family',
    family_name: bare ?? whole,
    ...(type === undefined ? {} : { family_type: type.trim() }),
    ...property('qualifier', field, 'c', close),
    ...property('dates', field, 'd', close),
    ...common(source),
  };
  return { kind: 'agent_family', name, codes: 'acd' };
}

/** A text without the bracket at its end that closes one of an earlier subfield; one that it opens itself (`Paris (France)`) stays. */
export const withoutOuterBracket = (text: string): string =>
  text.endsWith(')') && text.split(')').length > text.split('(').length ? text.slice(0, -1) : text;

function corporate(field: MarcField, source: string | undefined, isMeeting: boolean): MarcName {
  // In variants of a heading $q is the second unit, in headings it qualifies the name (contract, imports 5).
  const isVariant = field.tag === '411';
  // In X11 $e is the subordinate unit, in X10 a relator.
  const units = field.subfields.filter(({ code }) => code === (isMeeting ? 'e' : 'b')).map(({ text }) => text);
  // The stop before a unit parts it from what it belongs to, whatever word it stands after.
  const [primary = '', first, ...further] = [firstOf(field, 'a') ?? '', ...units].map((text, index) =>
    index < units.length ? withoutPunctuation(text).replace(/\.$/, '') : withoutPunctuation(text),
  );
  const labels = new Map(
    [...qualifierLabels]
      .filter(([code]) => code !== 'n' && code !== 'j')
      .concat(isMeeting && !isVariant ? [['q', 'Name of meeting']] : []),
  );
  const meetings = field.subfields.filter(({ code }) => isVariant && code === 'q');
  const second = [...further, ...meetings.map(({ text }) => withoutPunctuation(text))];
  const name = {
    jsonmodel_type: 'name_corporate_entity',
    primary_name: primary,
    ...(first === undefined ? {} : { subordinate_name_1: first }),
    ...(second.length === 0 ? {} : { subordinate_name_2: second.join('. ') }),
    ...property('number', field, 'n', (text) => text.replace(/^\((.*?)\)?$/, '$1')),
    ...property('location', field, 'c', (text) => text.replace(/\)$/, '')),
    ...property('dates', field, 'd', (text) => text.replace(/^\((.*?)\)?$/, '$1')),
    ...qualifier(field, labels),
    ...(field.ind1 === '1' ? { jurisdiction: true } : {}),
    ...(isMeeting ? { conference_meeting: true } : {}),
    ...common(source),
  };
  return {
    kind: 'agent_corporate_entity',
    name,
    codes: `acdn${isMeeting ? 'e' : 'b'}${isVariant ? 'q' : ''}${[...labels.keys()].join('')}`,
  };
}

function property(
  name: string,
  field: MarcField,
  code: string,
  clean: (text: string) => string = (text) => text,
): JsonObject {
  const texts = field.subfields
    .filter((subfield) => subfield.code === code)
    .map(({ text }) => clean(withoutPunctuation(text)));
  return texts.length === 0 ? {} : { [name]: texts.join(', ') };
}

function qualifier(field: MarcField, labels: ReadonlyMap<string, string>): JsonObject {
  const texts = field.subfields.flatMap(({ code, text }) => {
    const label = labels.get(code);
    if (label === undefined) return [];
    // A qualifier in brackets is what exports write for a whole qualifier, which says itself what it is.
    const [, whole] = code === 'g' ? (/^\((.+)\)[,.]?$/.exec(text) ?? []) : [];
    return [whole ?? `${label}: ${withoutPunctuation(text)}.`];
  });
  return texts.length === 0 ? {} : { qualifier: texts.join(' ') };
}
