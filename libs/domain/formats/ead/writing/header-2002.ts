// The `eadheader` of EAD 2002: what the finding aid says of itself (contract, exports 2 "eadheader").
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { resolvedOf, identifierOf } from '../../writing/context.ts';
import { arksOf, audience, plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';
import { contactLines } from '../../writing/contact.ts';
import { writeLanguage } from './did-2002.ts';
import { anyUri, nameToken } from '../../writing/identifiers.ts';
import { blocksXml, inlineXml } from './mixed.ts';
import { ead2002 as model } from './model-2002.ts';
import { writeParagraphs } from './paragraphs.ts';

/** Writes the header of a resource; its repository, and that one's agent, resolved in it. */
export function writeHeader(writer: XmlWriter, writing: EadWriting, resource: JsonObject): void {
  const repository = resolvedOf(objectOf(resource, 'repository'));
  const status = textOf(resource, 'finding_aid_status');
  const showsStatus = writing.flags.includeUnpublished || resource['is_finding_aid_status_published'] !== false;
  writer.open('eadheader', {
    findaidstatus: status === undefined || !showsStatus ? undefined : nameToken(status),
    repositoryencoding: 'iso15511',
    countryencoding: 'iso3166-1',
    dateencoding: 'iso8601',
    langencoding: 'iso639-2b',
  });
  writeEadId(writer, writing, resource, repository);
  writer.open('filedesc');
  writeTitles(writer, resource);
  writeParagraphs(writer, model, 'editionstmt', textOf(resource, 'finding_aid_edition_statement'));
  writePublication(writer, writing, resource, repository);
  writeParagraphs(writer, model, 'seriesstmt', textOf(resource, 'finding_aid_series_statement'));
  const note = blocksXml(model, textOf(resource, 'finding_aid_note') ?? '', undefined, false).xml;
  if (note !== '') writer.open('notestmt').open('note').raw(note).close().close();
  writer.close();
  writeProfile(writer, writing, resource);
  writeRevisions(writer, resource);
  writer.close();
}

function writeEadId(
  writer: XmlWriter,
  { includeArks }: EadWriting,
  resource: JsonObject,
  repository: JsonObject | undefined,
): void {
  const [country, agency] = [textOf(repository, 'country'), textOf(repository, 'org_code')];
  const ark = includeArks ? arksOf(resource).current : undefined;
  const url = ark ?? textOf(resource, 'ead_location');
  writer.element(
    'eadid',
    {
      countrycode: country,
      url,
      mainagencycode: country === undefined || agency === undefined ? undefined : nameToken(`${country}-${agency}`),
    },
    plain(textOf(resource, 'ead_id')),
  );
}

function writeTitles(writer: XmlWriter, resource: JsonObject): void {
  const inline = (text: string): string => inlineXml(model, model.basicWithoutRefs, text.replace(/\s+/g, ' '));
  writer.open('titlestmt');
  const filing = textOf(resource, 'finding_aid_filing_title');
  if (filing !== undefined) writer.open('titleproper', { type: 'filing' }).raw(inline(filing)).close();
  writer
    .open('titleproper')
    .raw(inline(textOf(resource, 'finding_aid_title') ?? textOf(resource, 'title') ?? ''))
    .element('num', {}, identifierOf(resource))
    .close();
  const subtitle = textOf(resource, 'finding_aid_subtitle');
  if (subtitle !== undefined) writer.open('subtitle').raw(inline(subtitle)).close();
  for (const element of ['author', 'sponsor'] as const) {
    const text = textOf(resource, `finding_aid_${element}`);
    if (text !== undefined)
      writer
        .open(element)
        .raw(inlineXml(model, model.bare, text.replace(/\s+/g, ' ')))
        .close();
  }
  writer.close();
}

function writePublication(
  writer: XmlWriter,
  writing: EadWriting,
  resource: JsonObject,
  repository: JsonObject | undefined,
): void {
  writer.open('publicationstmt').element('publisher', {}, plain(textOf(repository, 'name')));
  const image = textOf(repository, 'image_url');
  if (image !== undefined) {
    writer
      .open('p', { id: 'logostmt' })
      .element('extref', {
        'xlink:href': anyUri(image),
        'xlink:actuate': 'onLoad',
        'xlink:show': 'embed',
        'xlink:type': 'simple',
      })
      .close();
  }
  const date = textOf(resource, 'finding_aid_date');
  if (date !== undefined)
    writer
      .open('p')
      .open('date')
      .raw(inlineXml(model, model.bare, date))
      .close()
      .close();
  const lines = contactLines(repository, writing.label);
  const url = textOf(repository, 'url');
  if (lines.length > 0) {
    writer.open('address');
    for (const line of lines) writer.element('addressline', {}, line.text);
    if (url !== undefined)
      writer
        .open('addressline')
        .text('URL: ')
        .element('extptr', {
          'xlink:href': anyUri(url),
          'xlink:title': url,
          'xlink:type': 'simple',
          'xlink:show': 'new',
        })
        .close();
    writer.close();
  }
  for (const declaration of objectsOf(resource, 'metadata_rights_declarations')) {
    const license = textOf(declaration, 'license');
    if (license !== undefined) writer.element('p', {}, writing.label('metadata_license', license));
  }
  writer.close();
}

function writeProfile(writer: XmlWriter, writing: EadWriting, resource: JsonObject): void {
  writer.open('profiledesc');
  writer
    .open('creation')
    .text(`This finding aid was produced using ${writing.product} on `)
    .element('date', {}, writing.createdAt)
    .text('.')
    .close();
  const note = textOf(resource, 'finding_aid_language_note');
  const language = textOf(resource, 'finding_aid_language');
  if (note !== undefined) {
    writer
      .open('langusage')
      .raw(inlineXml(model, new Set([...model.basic, 'language']), note))
      .close();
  } else if (language !== undefined) {
    writer.open('langusage').text('Description is written in: ');
    const script = textOf(resource, 'finding_aid_script');
    writeLanguage(writer, writing, { language, ...(script === undefined ? {} : { script }) }, true);
    writer.text('.').close();
  }
  const rules = textOf(resource, 'finding_aid_description_rules');
  if (rules !== undefined)
    writer.element('descrules', {}, writing.label('resource_finding_aid_description_rules', rules));
  writer.close();
}

function writeRevisions(writer: XmlWriter, resource: JsonObject): void {
  const statements = objectsOf(resource, 'revision_statements');
  if (statements.length === 0) return;
  writer.open('revisiondesc');
  for (const statement of statements) {
    writer.open('change', { audience: audience(statement) });
    writer
      .open('date')
      .raw(inlineXml(model, model.bare, textOf(statement, 'date') ?? ''))
      .close();
    writer
      .open('item')
      .raw(inlineXml(model, model.paragraph, textOf(statement, 'description') ?? ''))
      .close();
    writer.close();
  }
  writer.close();
}
