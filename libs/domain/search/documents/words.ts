// The words of a search document: which texts of a record it is found by, with what weight, under which fields.
import type { Json, JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { toJoinedName } from '../../text/joined-name.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';
import type { DocumentFields } from '../declaration.ts';
import { searchOf } from '../declared.ts';
import { findField, fieldsOfWeight } from '../fields.ts';
import { readNotes, readRest } from './texts.ts';
import { toKeyLexeme } from '../lexeme.ts';
import { buildVector } from './vector.ts';
import type { Vector, VectorPart } from './vector.ts';

const titlePrefix = 't=';

/** The vector of a record: own words in order of weight; a document too long for the index loses its last notes. `marks` are finished lexemes. */
export function toVector(
  record: JsonObject,
  fields: DocumentFields,
  ancestorTexts: readonly string[],
  marks: readonly string[],
): Vector {
  const rest = readRest(record);
  const title = textOf(fields, 'title') ?? '';
  const part = (
    weight: VectorPart['weight'],
    texts: readonly string[],
    ...prefixes: readonly string[]
  ): readonly VectorPart[] =>
    texts.filter((text) => text !== '').map((text) => ({ text: withoutMarkup(text), weight, prefixes }));
  // What the title says as well counts once, and is found by its field all the same.
  const other = (name: string, weight: VectorPart['weight']): readonly VectorPart[] => {
    const prefix = findField(name)?.prefix ?? '';
    return textsIn(fields[name])
      .flatMap((text) => part(weight, [text], prefix).map((one) => ({ ...one, isRepeated: title.includes(text) })))
      .filter(({ isRepeated }) => !isRepeated || (prefix !== '' && prefix !== titlePrefix));
  };
  const kind = textOf(fields, 'primary_type') ?? '';
  const creators = new Set(textsIn(fields['creators']));
  const agents = textsIn(fields['agents']).filter((name) => !creators.has(name));
  const identifiers = identifiersOf(record, fields);
  const [identifier] = identifiers;
  return buildVector({
    parts: [
      ...part(
        'A',
        identifier === undefined ? [] : [identifier],
        ...(textOf(fields, 'identifier') === undefined ? [] : ['i=']),
      ),
      ...part('A', identifiers.slice(1)),
      ...part('B', [title], titlePrefix),
      ...part(
        'B',
        textsIn(record['title']).filter((text) => !title.includes(text)),
      ),
      ...['display_string', ...fieldsOfWeight('B')].flatMap((name) => other(name, 'B')),
      ...part('B', searchOf(kind).titleIsName === true ? joinedNames([title]) : [], titlePrefix),
      ...shared(part('C', [...creators, ...joinedNames([...creators])], 'a=', 'c=')),
      ...shared(part('C', [...agents, ...joinedNames(agents)], 'a=')),
      ...shared(part('C', textsIn(fields['subjects']), 's=')),
      ...shared(part('C', textsIn(fields['dates']), 'd=')),
      ...['extents', ...fieldsOfWeight('C')].flatMap((name) => other(name, 'C')),
      ...part('C', datesBeside(record, textsIn(fields['dates']))),
      ...part('C', rest.texts),
      ...part('D', [...readNotes(record), ...rest.notes]),
      ...part('D', textOf(record, 'internal_note') === undefined ? [] : textsIn(fields['notes'])),
    ].map((one) => ({ ...one, prefixes: one.prefixes.filter((prefix) => prefix !== '') })),
    context: [...rest.codes, ...rest.others, ...ancestorTexts].map(withoutMarkup),
    marks: [...marks, ...identifiers.flatMap((text) => toKeyLexeme(text) ?? [])],
  });
}

// What dates say beside the texts that stand for them: of several kinds the inclusive ones alone, and of one with an expression that.
const datesBeside = (record: JsonObject, shown: readonly string[]): readonly string[] =>
  objectsOf(record, 'dates')
    .flatMap((date) => ['expression', 'begin', 'end'].flatMap((name) => textOf(date, name) ?? []))
    .filter((text) => !shown.some((one) => one.includes(text)));

// What stands in the documents of many records.
const shared = (parts: readonly VectorPart[]): readonly VectorPart[] =>
  parts.map((part) => ({ ...part, isShared: true }));

// Names in scripts without blanks as people type them, beside the headings.
const joinedNames = (headings: readonly string[]): readonly string[] =>
  headings.flatMap((heading) => toJoinedName(heading) ?? []);

// The first is the one that `identifier:` finds, where the kind has one. Component and EAD ids are often the same text.
function identifiersOf(record: JsonObject, fields: DocumentFields): readonly string[] {
  const barcodes = objectsOf(record, 'instances').flatMap((instance) => {
    const container = objectOf(instance, 'sub_container');
    return [
      textOf(container, 'barcode_2'),
      textOf(objectOf(objectOf(container, 'top_container'), '_resolved'), 'barcode'),
    ];
  });
  const all = [
    textOf(fields, 'identifier'),
    textOf(record, 'component_id'),
    textOf(record, 'ead_id'),
    textOf(record, 'digital_object_id'),
    textOf(record, 'barcode'),
    textOf(record, 'ref_id'),
    textOf(fields, 'authority_id'),
    ...barcodes,
  ];
  return [...new Set(all.flatMap((text) => (text === undefined || text === '' ? [] : [text])))];
}

/** The values of a field as texts, empty ones left out. */
export function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) {
    const texts: string[] = [];
    for (const item of value) {
      if (typeof item === 'string') {
        if (item !== '') texts.push(item);
      } else texts.push(...textsIn(item));
    }
    return texts;
  }
  return typeof value === 'number' || typeof value === 'boolean' ? [String(value)] : [];
}
