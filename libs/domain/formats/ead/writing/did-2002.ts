// The `did` of resources and components in EAD 2002: titles, identifiers, names, extents, dates, languages, containers (contract, exports 2).
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { resolvedOf, identifierOf } from '../../writing/context.ts';
import { writeContainers } from './containers.ts';
import type { ContainerAttributes } from './containers.ts';
import {
  agentHeading,
  arksOf,
  audience,
  dateText,
  distinctHeadings,
  linkedAgents,
  noteId,
  normalOf,
  plain,
} from '../../writing/finding-aid.ts';
import type { EadWriting, Heading, LinkedAgent } from '../../writing/finding-aid.ts';
import { writeDaos } from './daos-2002.ts';
import { anyUri, nameToken } from '../../writing/identifiers.ts';
import { inlineXml } from './mixed.ts';
import { ead2002 as model } from './model-2002.ts';
import { noteTexts } from '../../writing/note-content.ts';
import { languageContent, writeDidNotes } from './notes-2002.ts';

/** The `did` of a resource. */
export function writeResourceDid(writer: XmlWriter, writing: EadWriting, resource: JsonObject): void {
  writer.open('did');
  const repository = resolvedOf(objectOf(resource, 'repository'));
  writer
    .open('repository')
    .element('corpname', {}, plain(textOf(repository, 'name')))
    .close();
  writeTitle(writer, resource);
  writeOriginations(writer, resource);
  writer.element('unitid', {}, identifierOf(resource));
  writeExternalIds(writer, writing, resource);
  writeArks(writer, writing, resource);
  writeUri(writer, writing, resource);
  writeExtents(writer, writing, resource);
  writeDates(writer, resource);
  writeDidNotes(writer, writing, resource);
  writeLanguages(writer, writing, resource);
  writeContainers(writer, writing, resource, containers);
  writer.close();
}

/** The `did` of a component, its digital objects in it. */
export function writeComponentDid(writer: XmlWriter, writing: EadWriting, component: JsonObject): void {
  writer.open('did');
  writeTitle(writer, component);
  const id = plain(textOf(component, 'component_id'));
  if (id !== '') writer.element('unitid', {}, id);
  writeArks(writer, writing, component);
  writeUri(writer, writing, component);
  writeExternalIds(writer, writing, component);
  writeOriginations(writer, component);
  writeExtents(writer, writing, component);
  writeDates(writer, component);
  writeDidNotes(writer, writing, component);
  writeLanguages(writer, writing, component);
  writeContainers(writer, writing, component, containers);
  if (writing.flags.includeDaos) writeDaos(writer, component);
  writer.close();
}

function writeTitle(writer: XmlWriter, record: JsonObject): void {
  const title = textOf(record, 'title');
  if (title !== undefined)
    writer.rawElement('unittitle', undefined, inlineXml(model, model.title, title.replace(/\s+/g, ' ')));
}

function writeUri(writer: XmlWriter, { flags }: EadWriting, record: JsonObject): void {
  if (flags.includeUris) writer.element('unitid', { type: 'aspace_uri' }, textOf(record, 'uri') ?? '');
}

function writeExternalIds(writer: XmlWriter, { flags }: EadWriting, record: JsonObject): void {
  if (!flags.includeUnpublished) return;
  for (const each of objectsOf(record, 'external_ids')) {
    const id = textOf(each, 'external_id') ?? '';
    const type = textOf(each, 'source');
    // Own URIs that came in by an import are those of another installation.
    if (id !== '' && type !== 'aspace_uri')
      writer.element('unitid', { audience: 'internal', type, identifier: id }, id);
  }
}

function writeArks(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  if (!writing.includeArks) return;
  const { current, previous } = arksOf(record);
  const write = (type: string, text: string, href: string): void =>
    void writer
      .open('unitid', { type })
      .element(
        'extref',
        { 'xlink:href': anyUri(href), 'xlink:actuate': 'onLoad', 'xlink:show': 'new', 'xlink:type': 'simple' },
        text,
      )
      .close();
  if (current !== undefined) write('ark', 'Archival Resource Key', current);
  for (const old of previous) write('ark-superseded', 'Previous Archival Resource Key', old);
}

/** The attributes of a name: its authority and the role of its link. */
function headingAttributes(
  { name }: Pick<LinkedAgent, 'name'>,
  role: string | undefined,
): { readonly [name: string]: string | undefined } {
  const [source, rules] = [textOf(name, 'source'), textOf(name, 'rules')];
  return {
    role,
    source: source === undefined ? undefined : nameToken(source),
    rules: rules === undefined ? undefined : nameToken(rules),
    authfilenumber: textOf(name, 'authority_id'),
  };
}

function writeOriginations(writer: XmlWriter, record: JsonObject): void {
  for (const linked of linkedAgents(record, ['creator', 'source'])) {
    const isSource = textOf(linked.link, 'role') === 'source';
    writer.open('origination', { label: isSource ? 'source' : 'Creator', audience: audience(linked.agent) });
    const attributes = headingAttributes(linked, textOf(linked.link, 'relator'));
    writer.element(linked.element, attributes, linked.text).close();
  }
}

/** Names and subjects of a record; nothing where it has none. */
export function writeControlAccess(writer: XmlWriter, headings: readonly Heading[]): void {
  const distinct = distinctHeadings(headings);
  if (distinct.length === 0) return;
  writer.open('controlaccess');
  for (const { element, attributes, text } of distinct) writer.element(element, attributes, text);
  writer.close();
}

/** Agents of the roles source and subject, as headings. */
export function agentHeadings(record: JsonObject): readonly Heading[] {
  return linkedAgents(record, ['source', 'subject']).map((linked) => {
    const relator = textOf(linked.link, 'relator') ?? (textOf(linked.link, 'role') === 'source' ? 'fmo' : undefined);
    return {
      element: linked.element,
      attributes: { ...headingAttributes(linked, relator), audience: audience(linked.agent) },
      text: agentHeading(linked),
    };
  });
}

const extentParts = [
  ['physical_details', 'physfacet'],
  ['dimensions', 'dimensions'],
] as const;

function writeExtents(writer: XmlWriter, { label }: EadWriting, record: JsonObject): void {
  for (const extent of objectsOf(record, 'extents')) {
    writer.open('physdesc', { altrender: textOf(extent, 'portion') });
    writer.element(
      'extent',
      { altrender: 'materialtype spaceoccupied' },
      `${textOf(extent, 'number') ?? ''} ${label('extent_extent_type', textOf(extent, 'extent_type') ?? '')}`,
    );
    const summary = textOf(extent, 'container_summary');
    if (summary !== undefined)
      writer
        .open('extent', { altrender: 'carrier' })
        .raw(inlineXml(model, model.basic, summary))
        .close();
    for (const [property, element] of extentParts) {
      const text = textOf(extent, property);
      if (text !== undefined) writer.rawElement(element, undefined, inlineXml(model, model.basic, text));
    }
    writer.close();
  }
}

function writeDates(writer: XmlWriter, record: JsonObject): void {
  for (const date of objectsOf(record, 'dates')) {
    const type = textOf(date, 'date_type');
    const [era, calendar] = [textOf(date, 'era'), textOf(date, 'calendar')];
    writer.element(
      'unitdate',
      {
        type: type === 'single' ? undefined : type === 'inclusive' ? 'inclusive' : 'bulk',
        certainty: textOf(date, 'certainty'),
        normal: normalOf(date),
        era: era === undefined ? undefined : nameToken(era),
        calendar: calendar === undefined ? undefined : nameToken(calendar),
        datechar: textOf(date, 'label'),
        audience: audience(date),
      },
      plain(dateText(date)),
    );
  }
}

/** Coded languages that no note names in its markup, then the notes; so that neither takes the other's place. */
function writeLanguages(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  const materials = objectsOf(record, 'lang_materials');
  if (materials.length === 0) return;
  const notes = materials.flatMap((material) => objectsOf(material, 'notes'));
  const markup = notes.flatMap(noteTexts).join(' ');
  const all = materials.flatMap((material) => {
    const coded = objectOf(material, 'language_and_script');
    return coded === undefined ? [] : [coded];
  });
  const coded = all.filter((coded) => !markup.includes(`langcode="${textOf(coded, 'language') ?? ''}"`));
  // A note in words makes "undetermined" say nothing.
  const telling = notes.length === 0 ? coded : coded.filter((each) => textOf(each, 'language') !== 'und');
  if (telling.length > 0) {
    writer.open('langmaterial');
    for (const each of telling) writeLanguage(writer, writing, each, false);
    writer.close();
  }
  for (const note of notes) {
    const text = noteTexts(note).join('\n\n');
    if (text !== '')
      writer
        .open('langmaterial', {
          id: noteId(writing, note),
          audience: audience(note),
          label: plain(textOf(note, 'label')),
        })
        .raw(inlineXml(model, languageContent, text))
        .close();
  }
}

/** `language` with its codes and names; `English, Latin script` where the script is said in words too. */
export function writeLanguage(writer: XmlWriter, { label }: EadWriting, coded: JsonObject, saysScript: boolean): void {
  const [language = '', script] = [textOf(coded, 'language'), textOf(coded, 'script')];
  const words = [
    label('language_iso639_2', language),
    ...(saysScript && script !== undefined ? [`${label('script_iso15924', script)} script`] : []),
  ];
  writer.element(
    'language',
    { langcode: nameToken(language), scriptcode: script === undefined ? undefined : nameToken(script) },
    words.join(', '),
  );
}

const containers: ContainerAttributes = {
  top: (container, words) => {
    const [type, barcode] = [textOf(container, 'type'), textOf(container, 'barcode')];
    return {
      type: type === undefined ? undefined : nameToken(type),
      label: barcode === undefined ? words : `${words} [${barcode}]`,
    };
  },
  inner: (type) => ({ type: nameToken(type) }),
};
