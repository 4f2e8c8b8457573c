// The `control` of EAD3: what the finding aid says of itself (contract, exports 3).
import type { JsonObject } from '../../../json.ts';
import { objectOf, objectsOf, textOf } from '../../../json.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { contactLines } from '../../writing/contact.ts';
import { identifierOf, resolvedOf } from '../../writing/context.ts';
import { arksOf, audience, plain } from '../../writing/finding-aid.ts';
import type { EadWriting } from '../../writing/finding-aid.ts';
import { anyUri, nameToken } from '../../writing/identifiers.ts';
import { blocksXml, inlineXml } from './mixed.ts';
import { ead3 as model } from './model-3.ts';
import { writeParagraphs } from './paragraphs.ts';

/** Writes the control element of a resource. */
export function writeControl(writer: XmlWriter, writing: EadWriting, resource: JsonObject): void {
  const repository = resolvedOf(objectOf(resource, 'repository'));
  writer.open('control', {
    repositoryencoding: 'iso15511',
    countryencoding: 'iso3166-1',
    dateencoding: 'iso8601',
    relatedencoding: 'marc',
    langencoding: 'iso639-2b',
    scriptencoding: 'iso15924',
  });
  const ark = writing.includeArks ? arksOf(resource).current : undefined;
  const location = ark ?? textOf(resource, 'ead_location');
  writer.element(
    'recordid',
    { instanceurl: location === undefined ? undefined : anyUri(location) },
    plain(textOf(resource, 'ead_id')),
  );
  writeDescription(writer, writing, resource, repository);
  writer.element('maintenancestatus', { value: 'derived' });
  const [country, agency] = [textOf(repository, 'country'), textOf(repository, 'org_code')];
  writer.open('maintenanceagency', { countrycode: country });
  if (agency !== undefined) writer.element('agencycode', {}, country === undefined ? agency : `${country}-${agency}`);
  writer.element('agencyname', {}, plain(textOf(repository, 'name'))).close();
  writeDeclarations(writer, writing, resource);
  const status = textOf(resource, 'finding_aid_status');
  if (
    status !== undefined &&
    (writing.flags.includeUnpublished || resource['is_finding_aid_status_published'] !== false)
  )
    writer.open('localcontrol', { localtype: 'findaidstatus' }).element('term', {}, status).close();
  writeHistory(writer, writing, resource);
  writer.close();
}

function writeDescription(
  writer: XmlWriter,
  writing: EadWriting,
  resource: JsonObject,
  repository: JsonObject | undefined,
): void {
  writer.open('filedesc').open('titlestmt');
  writer.element('titleproper', {}, plain(textOf(resource, 'finding_aid_title') ?? textOf(resource, 'title')));
  const filing = textOf(resource, 'finding_aid_filing_title');
  if (filing !== undefined) writer.element('titleproper', { localtype: 'filing' }, plain(filing));
  for (const element of ['subtitle', 'author', 'sponsor'] as const) {
    const text = textOf(resource, `finding_aid_${element}`);
    if (text !== undefined)
      writer
        .open(element)
        .raw(inlineXml(model, model.basic, text.replace(/\s+/g, ' ')))
        .close();
  }
  writer.close();
  writeParagraphs(writer, model, 'editionstmt', textOf(resource, 'finding_aid_edition_statement'));
  writePublication(writer, writing, resource, repository);
  writeParagraphs(writer, model, 'seriesstmt', textOf(resource, 'finding_aid_series_statement'));
  const note = blocksXml(model, textOf(resource, 'finding_aid_note') ?? '', undefined, false).xml;
  if (note !== '') writer.open('notestmt').open('controlnote').raw(note).close().close();
  writer.close();
}

function writePublication(
  writer: XmlWriter,
  writing: EadWriting,
  resource: JsonObject,
  repository: JsonObject | undefined,
): void {
  writer.open('publicationstmt').element('publisher', {}, plain(textOf(repository, 'name')));
  const lines = contactLines(repository, writing.label);
  const url = textOf(repository, 'url');
  if (lines.length > 0) {
    writer.open('address');
    for (const { text, type } of lines) writer.element('addressline', { localtype: type }, text);
    if (url !== undefined)
      writer
        .open('addressline')
        .element('ref', { href: anyUri(url), linktitle: url, show: 'new' }, url)
        .close();
    writer.close();
  }
  const date = textOf(resource, 'finding_aid_date');
  if (date !== undefined)
    writer
      .open('date')
      .raw(inlineXml(model, model.basic, date))
      .close();
  writer.element('num', {}, identifierOf(resource));
  const image = textOf(repository, 'image_url');
  if (image !== undefined)
    writer
      .open('p')
      .element('ptr', { href: anyUri(image), actuate: 'onload', show: 'embed' })
      .close();
  for (const declaration of objectsOf(resource, 'metadata_rights_declarations')) {
    const note = textOf(declaration, 'descriptive_note');
    if (note !== undefined && textOf(declaration, 'file_uri') === undefined)
      writer
        .open('p')
        .raw(inlineXml(model, model.paragraph, note))
        .close();
  }
  writer.close();
}

function writeDeclarations(writer: XmlWriter, { label }: EadWriting, resource: JsonObject): void {
  const [language, script, note] = [
    textOf(resource, 'finding_aid_language'),
    textOf(resource, 'finding_aid_script'),
    textOf(resource, 'finding_aid_language_note'),
  ];
  if (language !== undefined) {
    writer
      .open('languagedeclaration')
      .element('language', { langcode: nameToken(language) }, label('language_iso639_2', language));
    writer.element('script', { scriptcode: nameToken(script ?? 'Zyyy') }, label('script_iso15924', script ?? 'Zyyy'));
    if (note !== undefined)
      writer
        .open('descriptivenote')
        .open('p')
        .raw(inlineXml(model, model.paragraph, note))
        .close()
        .close();
    writer.close();
  }
  const rules = textOf(resource, 'finding_aid_description_rules');
  if (rules !== undefined)
    writer
      .open('conventiondeclaration')
      .element('abbr', {}, rules)
      .element('citation', {}, label('resource_finding_aid_description_rules', rules))
      .close();
  for (const declaration of objectsOf(resource, 'metadata_rights_declarations')) {
    const address = textOf(declaration, 'file_uri');
    if (address === undefined) continue;
    const license = textOf(declaration, 'license');
    writer.open('rightsdeclaration');
    if (license !== undefined) writer.element('abbr', {}, license);
    writer.element(
      'citation',
      {
        href: anyUri(address),
        arcrole: anyUri(textOf(declaration, 'xlink_arcrole_attribute') ?? ''),
        linkrole: anyUri(textOf(declaration, 'xlink_role_attribute') ?? ''),
      },
      license === undefined ? address : label('metadata_license', license),
    );
    const about = textOf(declaration, 'descriptive_note');
    if (about !== undefined)
      writer
        .open('descriptivenote')
        .open('p')
        .raw(inlineXml(model, model.paragraph, about))
        .close()
        .close();
    writer.close();
  }
}

function writeHistory(writer: XmlWriter, writing: EadWriting, resource: JsonObject): void {
  writer.open('maintenancehistory');
  writer
    .open('maintenanceevent')
    .element('eventtype', { value: 'derived' })
    .element('eventdatetime', {}, writing.createdAt)
    .element('agenttype', { value: 'machine' })
    .element('agent', {}, writing.product)
    .close();
  for (const statement of objectsOf(resource, 'revision_statements')) {
    writer
      .open('maintenanceevent', { audience: audience(statement) })
      .element('eventtype', { value: 'revised' })
      .element('eventdatetime', {}, plain(textOf(statement, 'date')));
    writer
      .element('agenttype', { value: 'unknown' })
      .element('agent', {})
      .element('eventdescription', {}, plain(textOf(statement, 'description')))
      .close();
  }
  writer.close();
}
