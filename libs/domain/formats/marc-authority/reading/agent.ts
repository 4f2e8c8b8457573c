// A MARC 21 authority record as a full agent: names, control, dates, sources, notes, relations (behaviour-imports.md section 5).
import type { Json, JsonObject } from '../../../json.ts';
import { textOf } from '../../../json.ts';
import { dateRange } from '../../reading/structured-dates.ts';
import { importFailure } from '../../reading/context.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import type { ImportAbout } from '../../define-import.ts';
import { controlTags, readAuthorityControl } from './control.ts';
import { endOf, readExistence } from '../../marc/reading/existence.ts';
import { readName, withoutOuterBracket } from '../../marc/reading/names.ts';
import type { MarcName } from '../../marc/reading/names.ts';
import { firstOf, textsOfField, withoutPunctuation } from '../../marc/reading/record.ts';
import type { MarcField, MarcRecord } from '../../marc/reading/record.ts';
import { reportField, reportFurther, reportUnused } from '../../marc/reading/report.ts';
import { pushOnce } from '../../reading/record-parts.ts';
import { escapeText } from '../../xml/escape.ts';

type Lists = Record<string, JsonObject[]>;

/** Emits the agent of 100, 110 or 111 with all the record says of it. A record of a title or subject is reported: it is no agent. */
export function emitAgentAuthority(
  context: ReadingContext,
  record: MarcRecord,
  switches: ImportAbout['switches'],
): void {
  const heading = record.fields.find((field) => /^1(?:00|10|11)$/.test(field.tag));
  if (heading === undefined) {
    for (const field of record.fields)
      if (field.tag.startsWith('1'))
        return reportField(context, field, 'the record is not of a person, family or corporate body');
    throw importFailure('The record has no heading (field 100, 110 or 111).', {
      line: record.line,
      column: 0,
      element: 'record',
    });
  }
  const main = authorityName(context, heading);
  if (main === undefined)
    throw importFailure('The heading has no name (subfield a).', {
      line: heading.line,
      column: 0,
      element: 'datafield',
    });
  const lists: Lists = {};
  const fuller = fullerForm(context, record, main);
  const names: JsonObject[] = [
    { ...main.name, ...(fuller === undefined ? {} : { fuller_form: fuller }), authorized: true, is_display_name: true },
  ];
  const seen = new Set<string>();
  for (const field of record.fields) {
    if (field === heading || field.tag === '378' || controlTags.has(field.tag)) continue;
    if (/^4(?:00|10|11)$/.test(field.tag)) readVariant(context, field, main, names, seen);
    else readField(context, field, main, lists, switches);
  }
  context.emit({
    names,
    ...readAuthorityControl(context, record, switches.events),
    ...lists,
    jsonmodel_type: main.kind,
    uri: context.nextUri(main.kind),
  });
}

/** The fuller form of a person's name in 378, the first that is there. */
function fullerForm(context: ReadingContext, record: MarcRecord, main: MarcName): string | undefined {
  const fields = record.fields.filter((field) => field.tag === '378');
  if (main.kind !== 'agent_person') {
    for (const field of fields) reportField(context, field);
    return undefined;
  }
  const texts = fields.flatMap((field) => textsOfField(field, 'q').map((text) => ({ field, text })));
  for (const { field, text } of texts.slice(1))
    context.report.dropText(field.line, 'datafield 378', text, 'a name has one fuller form');
  for (const field of fields) reportUnused(context, field, 'q');
  return texts[0]?.text;
}

/** Names of authority records have no source of their own. Direct names are parted at the first blank, as peers do. $g says itself what it is. */
function authorityName(context: ReadingContext, field: MarcField): MarcName | undefined {
  const read = readName({ ...field, subfields: field.subfields.filter(({ code }) => code !== 'g') }, undefined);
  if (read === undefined) return undefined;
  reportUnused(context, field, `${read.codes}g`);
  reportFurther(context, field, 'a');
  const primary = read.name['primary_name'];
  const isParted =
    read.kind === 'agent_person' && field.ind1 === '0' && typeof primary === 'string' && primary.includes(' ');
  const parted = isParted
    ? { primary_name: primary.slice(0, primary.indexOf(' ')), rest_of_name: primary.slice(primary.indexOf(' ') + 1) }
    : {};
  return { ...read, name: { ...read.name, ...parted, ...qualified(read, field) } };
}

/** The qualifier with $g. Where a family has one, its $c is the place that it is in exports; the bracket that $a opened ends with the field. */
function qualified({ kind, name }: MarcName, field: MarcField): JsonObject {
  const isFamily = kind === 'agent_family';
  const given = textsOfField(field, 'g')
    .map((text) => withoutPunctuation(text))
    .map((text) => (isFamily && name['family_type'] !== undefined ? withoutOuterBracket(text) : text))
    .join(' ');
  const other = textOf(name, 'qualifier');
  if (given === '') return {};
  if (isFamily) return { qualifier: given, ...(other === undefined ? {} : { location: other }) };
  return { qualifier: other === undefined ? given : `${given} ${other}` };
}

/** A variant name of another kind than the agent's cannot be a name of it. */
function readVariant(
  context: ReadingContext,
  field: MarcField,
  main: MarcName,
  names: JsonObject[],
  seen: Set<string>,
): void {
  const variant = authorityName(context, field);
  if (variant === undefined || variant.kind !== main.kind)
    return reportField(context, field, 'a variant that is no name of this kind of agent');
  pushOnce(names, { ...variant.name, authorized: false, is_display_name: false }, seen);
}

function readField(
  context: ReadingContext,
  field: MarcField,
  main: MarcName,
  lists: Lists,
  switches: ImportAbout['switches'],
): void {
  const add = (property: string, record: JsonObject): void => void (lists[property] ??= []).push(record);
  switch (field.tag) {
    case '046': {
      const date = readExistence(context, field);
      if (date !== undefined) add('dates_of_existence', date);
      return;
    }
    case '375':
      if (main.kind !== 'agent_person') return reportField(context, field);
      for (const text of textsOfField(field, 'a'))
        add('agent_genders', { jsonmodel_type: 'agent_gender', gender: context.controlled('gender', text) });
      return reportUnused(context, field, 'a2');
    case '377':
      return readLanguages(context, field, add);
    case '670':
      add('agent_sources', {
        jsonmodel_type: 'agent_sources',
        ...given('source_entry', field, 'a'),
        ...given('descriptive_note', field, 'b'),
        ...given('file_uri', field, 'u'),
      });
      return reportUnused(context, field, 'abu');
    case '678':
      return readHistory(context, field, add);
    case '500':
    case '510':
    case '511':
      return readRelated(context, field, main, add);
    case '370':
    case '372':
    case '374':
      return switches.subjects
        ? readSubjects(context, field, main, add)
        : reportField(context, field, 'subjects are imported only where the job asks for them');
    default:
      return reportField(context, field);
  }
}

type Add = (property: string, record: JsonObject) => void;

const given = (property: string, field: MarcField, code: string): JsonObject => {
  const text = textsOfField(field, code).join(' ');
  return text === '' ? {} : { [property]: text };
};

function readLanguages(context: ReadingContext, field: MarcField, add: Add): void {
  const codes = textsOfField(field, 'a');
  for (const text of codes.length > 0 ? codes : textsOfField(field, 'l')) {
    const language = context.fixed('language_iso639_2', text);
    if (language === undefined)
      context.report.dropText(field.line, 'datafield 377', text, 'the language is not in the list language_iso639_2');
    else add('used_languages', { jsonmodel_type: 'used_language', language });
  }
  reportUnused(context, field, codes.length > 0 ? 'a2' : 'l2');
}

function readHistory(context: ReadingContext, field: MarcField, add: Add): void {
  // MARC has no markup, as in other notes of it.
  const abstract = textsOfField(field, 'a').map(escapeText);
  const text = escapeText(textsOfField(field, 'b').join(' '));
  const subnotes = [
    ...(abstract.length === 0 ? [] : [{ jsonmodel_type: 'note_abstract', content: abstract }]),
    ...(text === '' ? [] : textSubnotes(text, false)),
  ];
  const label = field.ind1 === '1' ? 'Administrative history' : 'Biographical note';
  if (subnotes.length > 0) add('notes', { jsonmodel_type: 'note_bioghist', label, subnotes });
  reportUnused(context, field, 'ab');
}

/** $w says how the two stand to each other; the related agent is made from its heading. */
function readRelated(context: ReadingContext, field: MarcField, main: MarcName, add: Add): void {
  const related = readName({ ...field, tag: `1${field.tag.slice(1)}` }, undefined);
  if (related === undefined) return reportField(context, field, 'a relation without a name');
  const body = { names: [{ ...related.name, authorized: true, is_display_name: true }] };
  const ref = context.emitOnce(related.kind, JSON.stringify(body), body);
  const areBodies = main.kind === 'agent_corporate_entity' && related.kind === 'agent_corporate_entity';
  const code = (firstOf(field, 'w') ?? '').charAt(0);
  add('related_agents', {
    ...relationOf(code, areBodies),
    ref,
    ...given('description', field, 'i'),
    ...given('relationship_uri', field, '4'),
  });
  if (!isToldBy(code, areBodies)) context.report.dropText(field.line, `datafield ${field.tag}`, code, associative);
  reportFurther(context, field, 'aw');
  reportUnused(context, field, `${related.codes}wi4`);
}

const associative = 'this relation ($w) is imported as associative';
/** Whether the relation says all that $w does: `i` and `r` say that $i or $4 does, `n` nothing. */
const isToldBy = (code: string, areBodies: boolean): boolean =>
  code === '' || 'abdinr'.includes(code) || (code === 't' && areBodies);

function relationOf(code: string, areBodies: boolean): JsonObject {
  if (code === 'a') return { jsonmodel_type: 'agent_relationship_earlierlater', relator: 'is_later_form_of' };
  if (code === 'b') return { jsonmodel_type: 'agent_relationship_earlierlater', relator: 'is_earlier_form_of' };
  if (code === 'd') return { jsonmodel_type: 'agent_relationship_identity', relator: 'is_identified_with' };
  if (code === 't' && areBodies)
    return { jsonmodel_type: 'agent_relationship_subordinatesuperior', relator: 'is_subordinate_to' };
  return { jsonmodel_type: 'agent_relationship_associative', relator: 'is_associative_with' };
}

const placeRoles: Readonly<Record<string, string>> = {
  a: 'place_of_birth',
  b: 'place_of_death',
  c: 'assoc_country',
  e: 'residence',
  f: 'other_assoc',
};

/** 370 places, 372 fields of activity, 374 occupations: one sub-record for each text; $0 is the number of the first alone. */
function readSubjects(context: ReadingContext, field: MarcField, main: MarcName, add: Add): void {
  const source = context.controlled('subject_source', firstOf(field, '2') ?? 'not_specified');
  const vocabulary = context.vocabularyUri;
  const start = textsOfField(field, 's')[0];
  const end = textsOfField(field, 't')[0];
  const date = start === undefined && end === undefined ? undefined : dateRange('other', endOf(start), endOf(end));
  const activity =
    main.kind === 'agent_person'
      ? { list: 'agent_topics', kind: 'agent_topic', type: 'topical' }
      : { list: 'agent_functions', kind: 'agent_function', type: 'function' };
  const part =
    field.tag === '370'
      ? { list: 'agent_places', kind: 'agent_place', type: 'geographic' }
      : field.tag === '374'
        ? { list: 'agent_occupations', kind: 'agent_occupation', type: 'occupation' }
        : activity;
  const codes = field.tag === '370' ? 'abcef' : 'a';
  field.subfields
    .filter(({ code }) => codes.includes(code))
    .forEach(({ code, text }, index) => {
      const authority = index === 0 ? firstOf(field, '0') : undefined;
      const body = {
        source,
        terms: [{ jsonmodel_type: 'term', term: text, term_type: part.type, vocabulary }],
        vocabulary,
        publish: true,
        ...(authority === undefined ? {} : { authority_id: authority }),
      };
      const record: Record<string, Json> = {
        jsonmodel_type: part.kind,
        subjects: [{ ref: context.emitOnce('subject', JSON.stringify(body), body) }],
      };
      if (field.tag === '370') record['place_role'] = placeRoles[code] ?? 'other_assoc';
      if (date !== undefined) record['dates'] = [date];
      add(part.list, record);
    });
  reportUnused(context, field, `${codes}st20`);
  reportFurther(context, field, 'st20');
}
