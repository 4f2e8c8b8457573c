// What both Dublin Core formats say of a record, in the order of the contract's table (OAI 11): each statement with its element in either.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { ancestorsOf } from '../oai/public-record.ts';
import type { ExportContext } from '../writing/context.ts';
import { identifierOf } from '../writing/context.ts';
import { plainNoteTexts, unmarked } from '../writing/note-text.ts';

/** A statement: its element in oai_dc and oai_dcterms, null where the format has none. `isEmptyKept`: written without text too. */
export type Statement = {
  readonly dc: string | null;
  readonly dcterms: string | null;
  readonly text: string;
  readonly isEmptyKept?: true;
};

const both =
  (name: string) =>
  (text: string): Statement => ({ dc: name, dcterms: name, text });

/** All statements of a record as publicRecord gives it. */
export function statementsOf(record: JsonObject, context: ExportContext): readonly Statement[] {
  const statements: readonly Statement[] = [
    ...[
      textOf(context.repository ?? undefined, 'name'),
      textOf(context.repository ?? undefined, 'parent_institution_name'),
    ]
      .flatMap((name) => name ?? [])
      .map(both('publisher')),
    ...identifiersOf(record, context).map(both('identifier')),
    ...creators(record),
    both('title')(unmarked(textOf(record, 'display_string') ?? textOf(record, 'title') ?? '')),
    {
      dc: null,
      dcterms: 'alternative',
      text: unmarked(textOf(rootOf(record), 'finding_aid_title') ?? ''),
      isEmptyKept: true,
    },
    ...objectsOf(record, 'dates').map(dateStatement),
    ...objectsOf(record, 'extents').map((extent) => ({
      dc: 'format',
      dcterms: 'extent',
      text: extentText(extent, context),
    })),
    ...notes(record, ['physdesc', 'dimensions'], 'format', 'extent'),
    ...languages(record).map(both('language')),
    ...objectsOf(record, 'notes').flatMap((note) => {
      const element = descriptions[textOf(note, 'type') ?? ''];
      return element === undefined
        ? []
        : plainNoteTexts(note).map((text) => ({ dc: 'description', dcterms: element, text }));
    }),
    ...notes(record, ['originalsloc', 'altformavail', 'separatedmaterial', 'relatedmaterial'], 'relation', 'relation'),
    ...notes(record, ['custodhist', 'acqinfo'], null, 'provenance'),
    ...notes(record, ['accessrestrict'], 'rights', 'accessRights'),
    ...notes(record, ['userestrict'], 'rights', 'rights'),
    ...subjects(record),
    ...agents(record, 'subject').map(({ name }) => both('subject')(name)),
    ...notes(record, ['physfacet'], 'type', 'type'),
    ...partOf(record),
  ];
  return statements.filter(({ text, isEmptyKept }) => text !== '' || isEmptyKept === true);
}

const descriptions: { readonly [type: string]: string } = {
  langmaterial: 'description',
  bioghist: 'description',
  scopecontent: 'description',
  odd: 'description',
  arrangement: 'description',
  abstract: 'abstract',
};

function notes(record: JsonObject, types: readonly string[], dc: string | null, dcterms: string): readonly Statement[] {
  return objectsOf(record, 'notes')
    .filter((note) => types.includes(textOf(note, 'type') ?? ''))
    .flatMap(plainNoteTexts)
    .map((text) => ({ dc, dcterms, text }));
}

/** The resource of a component, or the record itself. */
function rootOf(record: JsonObject): JsonObject {
  return textOf(record, 'jsonmodel_type') === 'resource' ? record : (ancestorsOf(record).at(-1) ?? record);
}

/** Of a resource its identifier; of a component the ids of components from the top down, each once. */
function shownIdentifierOf(record: JsonObject): string {
  if (textOf(record, 'jsonmodel_type') === 'resource') return identifierOf(record);
  return [
    ...new Set([...ancestorsOf(record).toReversed(), record].flatMap((each) => textOf(each, 'component_id') ?? [])),
  ].join('.');
}

function identifiersOf(record: JsonObject, { showsArks, publicUrl }: ExportContext): readonly string[] {
  const ark = showsArks ? textOf(objectOf(record, 'ark_name'), 'current') : undefined;
  return [
    shownIdentifierOf(record),
    ...(ark === undefined ? [] : [ark]),
    ...(publicUrl === '' ? [] : [`${publicUrl}${textOf(record, 'uri') ?? ''}`]),
  ];
}

function agents(record: JsonObject, role: string): readonly { readonly name: string; readonly relator: string }[] {
  return objectsOf(record, 'linked_agents')
    .filter((link) => link['role'] === role)
    .map((link) => ({
      name: unmarked(textOf(objectOf(link, '_resolved'), 'title') ?? ''),
      relator: textOf(link, 'relator') ?? '',
    }));
}

const elementOfRelator: { readonly [relator: string]: string } = { ctb: 'contributor', pbl: 'publisher' };

const creators = (record: JsonObject): readonly Statement[] =>
  agents(record, 'creator').map(({ name, relator }) => both(elementOfRelator[relator] ?? 'creator')(name));

const dateElements: { readonly [label: string]: string } = { copyright: 'dateCopyrighted', publication: 'issued' };

function dateStatement(date: JsonObject): Statement {
  const text =
    textOf(date, 'expression') ?? [textOf(date, 'begin'), textOf(date, 'end')].flatMap((end) => end ?? []).join(' -- ');
  return { dc: 'date', dcterms: dateElements[textOf(date, 'label') ?? ''] ?? 'date', text: unmarked(text) };
}

function extentText(extent: JsonObject, { label }: ExportContext): string {
  const type = textOf(extent, 'extent_type');
  const amount = [textOf(extent, 'number'), type === undefined ? undefined : label('extent_extent_type', type)]
    .flatMap((part) => part ?? [])
    .join(' ');
  return unmarked([amount, textOf(extent, 'container_summary')].flatMap((part) => part ?? []).join('; '));
}

function languages(record: JsonObject): readonly string[] {
  return objectsOf(record, 'lang_materials').flatMap((material) => {
    const coded = objectOf(material, 'language_and_script');
    return [
      textOf(coded, 'language'),
      textOf(coded, 'script'),
      ...objectsOf(material, 'notes').flatMap(plainNoteTexts),
    ].flatMap((text) => text ?? []);
  });
}

function subjects(record: JsonObject): readonly Statement[] {
  return objectsOf(record, 'subjects').flatMap((ref) => {
    const subject = objectOf(ref, '_resolved');
    const types = objectsOf(subject, 'terms').map((term) => textOf(objectOf(term, '_resolved') ?? term, 'term_type'));
    const element = types.includes('geographic') ? 'coverage' : types.includes('genre_form') ? 'type' : 'subject';
    const title = textOf(subject, 'title');
    return title === undefined ? [] : [both(element)(unmarked(title))];
  });
}

function partOf(record: JsonObject): readonly Statement[] {
  if (textOf(record, 'jsonmodel_type') === 'resource') return [];
  const root = ancestorsOf(record).at(-1);
  const title = textOf(root, 'title');
  return root === undefined || title === undefined
    ? []
    : [{ dc: 'relation', dcterms: 'isPartOf', text: `${unmarked(title)}, ${identifierOf(root)}` }];
}
