// One MARC 21 bibliographic record as a resource or an accession, with its agents and subjects (behaviour-imports.md section 4).
import type { Json, JsonObject } from '../../../json.ts';
import { importFailure } from '../../reading/context.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import { escapeText } from '../../xml/escape.ts';
import { readDates, readExtents, readFindingAid, readIdentifier, readLanguages, readTitle } from './description.ts';
import { readHeading } from './headings.ts';
import type { MarcLinks } from './headings.ts';
import { noteText, readNoteField } from './notes.ts';
import { textsOfField, withoutPunctuation } from './record.ts';
import type { MarcField, MarcRecord } from './record.ts';
import { reportField, reportNumber, reportSteering, reportUnused } from './report.ts';

/** Fields that are read by tag elsewhere than as headings or notes. */
const describing: ReadonlySet<string> = new Set([
  '040',
  '041',
  '050',
  '082',
  '090',
  '092',
  '096',
  '098',
  '099',
  '245',
  '264',
  '300',
  '536',
  '546',
  '852',
]);

/** Emits the resource of a record, its agents and subjects before it. A record without any title ends the reading with `import_failed`. */
export function emitResource(context: ReadingContext, record: MarcRecord): void {
  const uri = context.nextUri('resource');
  const links: MarcLinks = { agents: [], subjects: [], seen: new Set() };
  const notes: JsonObject[] = [];
  const dates = readDates(record);
  for (const field of record.fields) {
    if (field.tag === '264') reportPublication(context, field, dates);
    if (describing.has(field.tag) || readHeading(context, links, field)) continue;
    const note = readNoteField(field);
    if (note === undefined) reportField(context, field);
    else {
      notes.push(note);
      reportSteering(context, field);
    }
  }
  reportNumber(context, record);
  const { extents, uncounted } = readExtents(context, record);
  for (const { text } of uncounted)
    notes.push({
      jsonmodel_type: 'note_multipart',
      type: 'odd',
      label: 'Physical Description',
      subnotes: textSubnotes(escapeText(text), false),
    });
  context.emit({
    jsonmodel_type: 'resource',
    uri,
    title: requiredTitle(context, record),
    id_0: readIdentifier(context, record),
    level: record.leader.charAt(7) === 'm' ? 'item' : 'collection',
    dates: dates.length > 0 ? dates : [undated(context, record)],
    extents,
    lang_materials: readLanguages(context, record),
    ...readFindingAid(context, record),
    ...lists({ notes, linked_agents: links.agents, subjects: links.subjects }),
  });
}

/** Emits only what a record names. */
export function emitHeadings(context: ReadingContext, record: MarcRecord): void {
  const links: MarcLinks = { agents: [], subjects: [], seen: new Set() };
  for (const field of record.fields) readHeading(context, links, field);
}

/** Emits the accession of a record; its notes go into the properties that accessions have for them. */
export function emitAccession(context: ReadingContext, record: MarcRecord, today: string): void {
  const uri = context.nextUri('accession');
  const links: MarcLinks = { agents: [], subjects: [], seen: new Set() };
  const texts = new Map<string, string[]>();
  const dates = readDates(record);
  const add = (property: string, field: MarcField): void => {
    const text = noteText(field);
    if (text !== '') texts.set(property, [...(texts.get(property) ?? []), text]);
  };
  for (const field of record.fields) {
    if (field.tag === '264') reportPublication(context, field, dates);
    const property = accessionFields.get(field.tag);
    if (property !== undefined) {
      add(property, field);
      reportSteering(context, field);
    } else if (!['040', '536'].includes(field.tag) && (describing.has(field.tag) || readHeading(context, links, field)))
      continue;
    else reportField(context, field);
  }
  // 541 stands before 561 wherever they stand in the record.
  const provenance = ['541', '561']
    .flatMap((tag) => record.fields.filter((field) => field.tag === tag))
    .map(noteText)
    .filter((text) => text !== '')
    .join('\n\n');
  reportNumber(context, record);
  const { extents, uncounted } = readExtents(context, record);
  for (const { field } of uncounted) reportField(context, field, 'counts nothing, and accessions have no notes');
  const restricted = record.fields.some((field) => field.tag === '506' && field.ind1 === '1');
  context.emit({
    jsonmodel_type: 'accession',
    uri,
    title: requiredTitle(context, record),
    id_0: readIdentifier(context, record),
    accession_date: today,
    ...Object.fromEntries([...texts].map(([property, list]) => [property, list.join('\n\n')])),
    ...(provenance === '' ? {} : { provenance }),
    ...(restricted ? { access_restrictions: true } : {}),
    ...(texts.has('use_restrictions_note') ? { use_restrictions: true } : {}),
    lang_materials: readLanguages(context, record),
    ...lists({ dates, extents, linked_agents: links.agents, subjects: links.subjects }),
  });
}

const accessionFields: ReadonlyMap<string, string> = new Map([
  ['506', 'access_restrictions_note'],
  ['520', 'content_description'],
  ['540', 'use_restrictions_note'],
  ['541', 'provenance'],
  ['561', 'provenance'],
]);

function requiredTitle(context: ReadingContext, record: MarcRecord): string {
  const title = readTitle(context, record);
  if (title !== undefined) return title;
  throw importFailure(
    'The record has no title (field 245).',
    { line: record.line, column: 0, element: 'record' },
    { messages: { title: ['Property is required but was missing'] } },
  );
}

/** A resource must have a date; a record that gives none says so. */
function undated(context: ReadingContext, record: MarcRecord): JsonObject {
  context.report.dropText(
    record.line,
    'record',
    'no date',
    'neither 008, 245, 260 nor 264 gives a date; "undated" stands in for it',
  );
  return { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: 'undated' };
}

/** Only the year of 264 may be used, and only where no other date is; publisher and place have no property. */
function reportPublication(context: ReadingContext, field: MarcField, dates: readonly JsonObject[]): void {
  for (const text of textsOfField(field, 'ab3'))
    context.report.dropText(field.line, `datafield ${field.tag}`, text, 'place and name of 264 are not imported');
  reportUnused(context, field, 'abc3');
  for (const text of textsOfField(field, 'c')) {
    if (!dates.some((date) => date['expression'] === withoutPunctuation(text)))
      context.report.dropText(field.line, `datafield ${field.tag}`, text, 'the record has another date');
  }
}

function lists(all: Readonly<Record<string, readonly Json[]>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0));
}
