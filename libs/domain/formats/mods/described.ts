// MODS of resources and archival objects, as harvesters get it (contract behaviour-oai 11, oai_mods). Elements of MODS 3.4 alone, so it
// is valid against 3.6 too; `titleInfo` is spelled as the schema has it.
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import type { ExportContext } from '../writing/context.ts';
import { agentLinks, displayName, plainText, resolvedOf, subjectsOf, termsOf } from '../writing/context.ts';
import { notesOf, noteTexts, noteType } from '../writing/note-text.ts';
import { publishedPart } from '../writing/published.ts';
import { XmlWriter } from '../xml/writer.ts';
import { conditions, textsOfNote, writeLanguages, writeTexts, writeTitle } from './digital-object.ts';

/** The `type` of `note` by type of note; '' is a note without one. */
export const modsNoteTypes: { readonly [type: string]: string } = {
  bioghist: 'biographical',
  odd: '',
  arrangement: 'organization',
  altformavail: 'additionalform',
  accruals: 'accrual method',
  acqinfo: 'acquisition',
  appraisal: 'action',
  processinfo: 'action',
  bibliography: 'citation',
  custodhist: 'ownership',
  originalsloc: 'originallocation',
  fileplan: 'fileplan',
  otherfindaid: 'otherfindaid',
  phystech: 'systemdetails',
  prefercite: 'preferredcitation',
  relatedmaterial: 'relatedmaterial',
  separatedmaterial: 'separatedmaterial',
};
const topics: { readonly [type: string]: string } = { topical: 'topic', geographic: 'geographic', genre_form: 'genre' };
const nameTypes: { readonly [model: string]: string } = {
  agent_person: 'personal',
  agent_family: 'personal',
  agent_corporate_entity: 'corporate',
};

/** The document, ended by a newline. Agents, subjects, `resource` and `parent` are resolved; context.repository is the repository. */
export function describedMods(record: JsonObject, context: ExportContext): string {
  const shown = context.includesUnpublished ? record : publishedPart(record);
  const namespace = 'http://www.loc.gov/mods/v3';
  const xml = new XmlWriter().declaration().open('mods', {
    xmlns: namespace,
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': `${namespace} https://www.loc.gov/standards/mods/v3/mods-3-6.xsd`,
  });
  const repositoryName = textOf(context.repository ?? undefined, 'name');
  if (repositoryName !== undefined) xml.open('location').element('physicalLocation', {}, repositoryName).close();
  const ark = textOf(objectOf(shown, 'ark_name'), 'current');
  if (ark !== undefined) xml.element('identifier', { type: 'ark' }, ark);
  for (const { agent } of agentLinks(shown, ['creator']))
    xml
      .open('name')
      .element('namePart', {}, textOf(displayName(agent), 'sort_name'))
      .close();
  writeTitle(xml, textOf(shown, 'display_string') ?? textOf(shown, 'title'));
  writeCreation(xml, shown);
  writeExtents(xml, shown, context);
  writeLanguages(xml, shown, context);
  for (const note of objectsOf(shown, 'notes')) writeNote(xml, note);
  writeSubjects(xml, shown);
  const host = resolvedOf(objectOf(shown, 'parent') ?? objectOf(shown, 'resource'));
  const hostTitle = textOf(host, 'display_string') ?? textOf(host, 'title');
  if (hostTitle !== undefined && mayName(host, context)) {
    xml.open('relatedItem', { type: 'host' });
    writeTitle(xml, hostTitle);
    xml.close();
  }
  return `${xml.close().take()}\n`;
}

/** What is above a record is named only where it is published as well. */
const mayName = (host: JsonObject | undefined, context: ExportContext): boolean =>
  context.includesUnpublished || host?.['publish'] === true;

function writeCreation(xml: XmlWriter, record: JsonObject): void {
  const dates = objectsOf(record, 'dates').filter((date) => textOf(date, 'label') === 'creation');
  if (dates.length === 0) return;
  xml.open('originInfo');
  for (const date of dates) {
    const [begin, end] = [textOf(date, 'begin'), textOf(date, 'end')];
    if (begin === undefined) xml.element('dateCreated', {}, plainText(textOf(date, 'expression') ?? ''));
    else xml.element('dateCreated', { encoding: 'iso8601' }, end === undefined ? begin : `${begin}/${end}`);
  }
  xml.close();
}

function writeExtents(xml: XmlWriter, record: JsonObject, context: ExportContext): void {
  const texts = [
    ...objectsOf(record, 'extents').map((extent) => {
      const summary = textOf(extent, 'container_summary');
      return `${textOf(extent, 'number') ?? ''} ${context.label('extent_extent_type', textOf(extent, 'extent_type') ?? '')}${summary === undefined ? '' : `; ${summary}`}`;
    }),
    ...notesOf(record, ['dimensions']).flatMap(noteTexts),
  ];
  if (texts.length === 0) return;
  xml.open('physicalDescription');
  writeTexts(xml, 'extent', {}, texts);
  xml.close();
}

function writeNote(xml: XmlWriter, note: JsonObject): void {
  const type = noteType(note);
  const texts = textsOfNote(note);
  if (type === 'scopecontent' || type === 'abstract') writeTexts(xml, 'abstract', {}, texts);
  else if (type === 'langmaterial') writeTexts(xml, 'note', { type: 'language' }, texts);
  else if (type === 'accessrestrict' || type === 'userestrict')
    writeTexts(xml, 'accessCondition', { type: conditions[type] }, texts);
  else if (modsNoteTypes[type] !== undefined) writeTexts(xml, 'note', { type: modsNoteTypes[type] }, texts);
}

function writeSubjects(xml: XmlWriter, record: JsonObject): void {
  for (const subject of subjectsOf(record)) {
    const [first] = termsOf(subject);
    const title = plainText(textOf(subject, 'title') ?? textOf(first, 'term') ?? '');
    if (title !== '')
      xml
        .open('subject', { authority: textOf(subject, 'source') })
        .element(topics[textOf(first, 'term_type') ?? ''] ?? 'topic', {}, title)
        .close();
  }
  for (const { agent } of agentLinks(record, ['subject'])) {
    const type = nameTypes[textOf(agent, 'jsonmodel_type') ?? ''];
    if (type !== undefined)
      xml
        .open('subject')
        .open('name', { type })
        .element('namePart', {}, textOf(displayName(agent), 'sort_name'))
        .close()
        .close();
  }
}
