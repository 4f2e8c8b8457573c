// The `did` of resources and components in EAD3 (contract, exports 3).
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { resolvedOf, identifierOf } from '../../writing/context.ts';
import { writeContainers } from './containers.ts';
import type { ContainerAttributes } from './containers.ts';
import { arksOf, audience, linkedAgents, noteId, plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';
import { writeDaos } from './daos-3.ts';
import { anyUri, nameToken } from '../../writing/identifiers.ts';
import { inlineXml } from './mixed.ts';
import { ead3 as model } from './model-3.ts';
import { noteTexts, noteType } from '../../writing/note-content.ts';
import { writeDidNotes } from './notes-3.ts';

/** The `did` of a resource or component; the repository of a resource stands in it. */
export function writeDid(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  const isRoot = textOf(record, 'jsonmodel_type') === 'resource';
  writer.open('did');
  const title = textOf(record, 'title');
  if (title !== undefined)
    writer
      .open('unittitle')
      .raw(inlineXml(model, model.title, title.replace(/\s+/g, ' ')))
      .close();
  const id = isRoot ? identifierOf(record) : plain(textOf(record, 'component_id'));
  if (id !== '') writer.element('unitid', {}, id);
  writeArks(writer, writing, record);
  if (writing.flags.includeUris) writer.element('unitid', { localtype: 'aspace_uri' }, textOf(record, 'uri') ?? '');
  if (isRoot)
    writer
      .open('repository')
      .open('corpname')
      .element('part', {}, plain(textOf(resolvedOf(objectOf(record, 'repository')), 'name')))
      .close()
      .close();
  writeLanguages(writer, writing, record);
  writeContainers(writer, writing, record, containers);
  writeExtents(writer, writing, record);
  for (const date of objectsOf(record, 'dates')) writeDate(writer, date);
  writeDidNotes(writer, writing, record);
  for (const linked of linkedAgents(record, ['creator', 'source'])) {
    writer.open('origination', {
      label: textOf(linked.link, 'role') === 'source' ? 'source' : 'Creator',
      audience: audience(linked.agent),
    });
    const [source, rules] = [textOf(linked.name, 'source'), textOf(linked.name, 'rules')];
    writer
      .open(linked.element, {
        relator: textOf(linked.link, 'relator'),
        source,
        rules: rules === undefined ? undefined : nameToken(rules),
        identifier: textOf(linked.name, 'authority_id'),
      })
      .element('part', {}, linked.text)
      .close()
      .close();
  }
  if (writing.flags.includeUnpublished) {
    for (const each of objectsOf(record, 'external_ids')) {
      const external = textOf(each, 'external_id') ?? '';
      if (external !== '' && textOf(each, 'source') !== 'aspace_uri')
        writer.element(
          'unitid',
          { audience: 'internal', localtype: textOf(each, 'source'), identifier: external },
          external,
        );
    }
  }
  if (writing.flags.includeDaos) writeDaos(writer, record);
  writer.close();
}

function writeArks(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  if (!writing.includeArks) return;
  const { current, previous } = arksOf(record);
  const write = (localtype: string, text: string, href: string): void =>
    void writer
      .open('unitid', { localtype })
      .element('ref', { href: anyUri(href), actuate: 'onload', show: 'new' }, text)
      .close();
  if (current !== undefined) write('ark', 'Archival Resource Key', current);
  for (const old of previous) write('ark-superseded', 'Previous Archival Resource Key', old);
}

// EAD3 wants a language in each langmaterial; where notes alone are there, the language is undetermined.
function writeLanguages(writer: XmlWriter, writing: EadWriting, record: JsonObject): void {
  const materials = objectsOf(record, 'lang_materials');
  const notes = [
    ...materials.flatMap((material) => objectsOf(material, 'notes')),
    ...objectsOf(record, 'notes').filter((note) => noteType(note) === 'langmaterial'),
  ];
  const coded = materials
    .map((material) => objectOf(material, 'language_and_script'))
    .filter((each) => each !== undefined);
  const writeCoded = (all: readonly JsonObject[]): void => {
    for (const each of all) {
      const [language = 'und', script] = [textOf(each, 'language'), textOf(each, 'script')];
      if (script !== undefined) writer.open('languageset');
      writer.element('language', { langcode: nameToken(language) }, writing.label('language_iso639_2', language));
      if (script !== undefined)
        writer.element('script', { scriptcode: nameToken(script) }, writing.label('script_iso15924', script)).close();
    }
  };
  if (coded.length > 0) {
    writer.open('langmaterial');
    writeCoded(coded);
    writer.close();
  }
  for (const note of notes) {
    const text = noteTexts(note).join('\n\n');
    if (text === '') continue;
    writer.open('langmaterial', {
      id: noteId(writing, note),
      audience: audience(note),
      label: plain(textOf(note, 'label')),
    });
    writeCoded(coded.length > 0 ? coded : [{ language: 'und' }]);
    writer
      .open('descriptivenote')
      .open('p')
      .raw(inlineXml(model, model.paragraph, text))
      .close()
      .close()
      .close();
  }
}

const byType: ReadonlyMap<string, string> = new Map([
  ...['cassettes', 'leaves', 'photographic_prints', 'photographic_slides', 'reels', 'sheets', 'volumes'].map(
    (type): [string, string] => [type, 'materialtype'],
  ),
  ...['gigabytes', 'megabytes', 'terabytes'].map((type): [string, string] => [type, 'otherphysdescstructuredtype']),
]);

function writeExtents(writer: XmlWriter, { label }: EadWriting, record: JsonObject): void {
  for (const extent of objectsOf(record, 'extents')) {
    const type = textOf(extent, 'extent_type') ?? '';
    writer.open('physdescstructured', {
      coverage: textOf(extent, 'portion') === 'part' ? 'part' : 'whole',
      physdescstructuredtype: byType.get(type) ?? 'spaceoccupied',
    });
    writer
      .element('quantity', {}, textOf(extent, 'number') ?? '')
      .element('unittype', {}, label('extent_extent_type', type));
    const details = textOf(extent, 'physical_details');
    if (details !== undefined)
      writer
        .open('physfacet')
        .raw(inlineXml(model, model.title, details))
        .close();
    const dimensions = textOf(extent, 'dimensions');
    if (dimensions !== undefined)
      writer
        .open('dimensions')
        .raw(inlineXml(model, model.basic, dimensions))
        .close();
    writer.close();
    const summary = textOf(extent, 'container_summary');
    if (summary !== undefined)
      writer
        .open('physdesc', { localtype: 'container_summary' })
        .raw(inlineXml(model, model.basic, summary))
        .close();
  }
}

function writeDate(writer: XmlWriter, date: JsonObject): void {
  const [expression, begin, end, type] = [
    textOf(date, 'expression'),
    textOf(date, 'begin'),
    textOf(date, 'end'),
    textOf(date, 'date_type'),
  ];
  const token = (name: string): string | undefined =>
    textOf(date, name) === undefined ? undefined : nameToken(textOf(date, name) ?? '');
  const attributes = {
    certainty: token('certainty'),
    era: token('era'),
    calendar: token('calendar'),
    datechar: textOf(date, 'label'),
    audience: audience(date),
    unitdatetype: type === 'single' ? undefined : type === 'bulk' ? 'bulk' : 'inclusive',
  };
  if (begin === undefined && end === undefined) {
    writer.element('unitdate', attributes, plain(expression));
    return;
  }
  writer.open('unitdatestructured', attributes);
  if (type === 'single' || (begin !== undefined && end === undefined)) {
    const day = begin ?? end ?? '';
    writer.element('datesingle', { standarddate: day }, plain(expression ?? day));
  } else {
    writer.open('daterange');
    if (begin !== undefined) writer.element('fromdate', { standarddate: begin }, begin);
    // An end alone has the words of the date, which stand in a date of their own where both ends are there.
    if (end !== undefined)
      writer.element('todate', { standarddate: end }, begin === undefined ? plain(expression ?? end) : end);
    writer.close();
  }
  writer.close();
  if (expression !== undefined && begin !== undefined && end !== undefined)
    writer.element('unitdate', attributes, plain(expression));
}

const containers: ContainerAttributes = {
  top: (container, label) => ({
    localtype: textOf(container, 'type'),
    containerid: textOf(container, 'barcode'),
    label,
  }),
  inner: (type) => ({ localtype: type }),
};
