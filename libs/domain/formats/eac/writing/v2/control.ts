// The control section of EAC-CPF 2.0: status as attributes, rights declarations as such.
import type { JsonObject } from '../../../../json.ts';
import { objectsOf, textOf } from '../../../../json.ts';
import type { ExportContext } from '../../../writing/context.ts';
import { plainText } from '../../../writing/context.ts';
import { addressOf } from '../../../xml/any-uri.ts';
import type { XmlWriter } from '../../../xml/writer.ts';
import { eventTypes, maintenanceStatuses, publicationStatuses } from '../control.ts';
import { languageCode, scriptCode, writeDescriptiveNote } from '../values.ts';
import { linkOf2 } from './links.ts';

/** Writes the section. */
export function writeControl(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  const record = objectsOf(agent, 'agent_record_controls')[0];
  const status = textOf(record, 'maintenance_status') ?? 'new';
  const identifiers = objectsOf(agent, 'agent_record_identifiers');
  const primary = identifiers.find((identifier) => identifier['primary_identifier'] === true);
  xml.open('control', {
    languageEncoding: 'iso639-2b',
    scriptEncoding: 'iso15924',
    dateEncoding: 'iso8601',
    maintenanceStatus: status === 'deleted_merged' ? 'deletedMerged' : (maintenanceStatuses[status] ?? 'revised'),
    publicationStatus: publicationStatuses[textOf(record, 'publication_status') ?? ''],
  });
  xml.element(
    'recordId',
    {},
    textOf(primary, 'record_identifier') ?? (textOf(agent, 'uri') ?? '').replace(/^\//, '').replaceAll('/', '-'),
  );
  xml
    .open('maintenanceAgency')
    .element(
      'agencyName',
      {},
      textOf(record, 'agency_name') ??
        textOf(record, 'maintenance_agency') ??
        textOf(context.repository ?? undefined, 'name') ??
        'unknown',
    );
  writeDescriptiveNote(xml, textOf(record, 'maintenance_agency_note'));
  xml.close();
  writeHistory(xml, agent);
  writeSources(xml, agent);
  writeConventions(xml, agent, context);
  writeLanguage(xml, record);
  for (const identifier of identifiers)
    if (identifier !== primary)
      xml.element(
        'otherRecordId',
        { localType: textOf(identifier, 'identifier_type') },
        textOf(identifier, 'record_identifier'),
      );
  for (const rights of objectsOf(agent, 'metadata_rights_declarations')) {
    const license = textOf(rights, 'license');
    writeDeclaration(
      xml,
      'rightsDeclaration',
      rights,
      license === undefined ? undefined : context.label('metadata_license', license),
      license,
    );
  }
  xml.close();
}

/** The rules that the description follows. */
function writeConventions(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  for (const convention of objectsOf(agent, 'agent_conventions_declarations')) {
    const rule = textOf(convention, 'name_rule');
    writeDeclaration(
      xml,
      'conventionDeclaration',
      convention,
      textOf(convention, 'citation') ?? (rule === undefined ? undefined : context.label('name_rule', rule)),
      rule,
    );
  }
}

/** The language of the description, where anything is told of it. */
function writeLanguage(xml: XmlWriter, record: JsonObject | undefined): void {
  const [language, script, note] = [
    textOf(record, 'language'),
    scriptCode(textOf(record, 'script')),
    textOf(record, 'language_note'),
  ];
  if (language !== undefined || script !== undefined || note !== undefined) {
    xml.open('languageDeclaration', { languageCode: languageCode(language), scriptCode: script ?? 'Zyyy' });
    writeDescriptiveNote(xml, note);
    xml.close();
  }
}

function writeDeclaration(
  xml: XmlWriter,
  element: string,
  part: JsonObject,
  text: string | undefined,
  code: string | undefined,
): void {
  const reference = text ?? addressOf(textOf(part, 'file_uri')) ?? plainText(textOf(part, 'descriptive_note') ?? '');
  if (reference === '') return;
  xml.open(element).element('reference', linkOf2(part), reference);
  if (code !== undefined) xml.element('shortCode', {}, code);
  writeDescriptiveNote(xml, textOf(part, 'descriptive_note'));
  xml.close();
}

function writeHistory(xml: XmlWriter, agent: JsonObject): void {
  const events = objectsOf(agent, 'agent_maintenance_histories');
  xml.open('maintenanceHistory');
  for (const event of events) {
    const type = textOf(event, 'maintenance_event_type') ?? '';
    writeEvent(
      xml,
      eventTypes.has(type) ? type : 'updated',
      textOf(event, 'maintenance_agent_type')?.toLowerCase() === 'machine' ? 'machine' : 'human',
      textOf(event, 'agent') ?? 'unknown',
      textOf(event, 'event_date') ?? '',
      textOf(event, 'descriptive_note'),
    );
  }
  if (events.length === 0)
    writeEvent(xml, 'created', 'machine', 'Muniment', textOf(agent, 'create_time') ?? '', undefined);
  xml.close();
}

function writeEvent(
  xml: XmlWriter,
  maintenanceEventType: string,
  agentType: string,
  agent: string,
  at: string,
  description: string | undefined,
): void {
  const standardDateTime = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/.test(at)
    ? at
    : undefined;
  xml
    .open('maintenanceEvent', { maintenanceEventType })
    .element('agent', { agentType }, agent)
    .element('eventDateTime', { standardDateTime }, at);
  if (description !== undefined && description !== '') xml.element('eventDescription', {}, description);
  xml.close();
}

function writeSources(xml: XmlWriter, agent: JsonObject): void {
  const sources = objectsOf(agent, 'agent_sources');
  if (sources.length === 0) return;
  xml.open('sources');
  for (const source of sources) {
    xml
      .open('source')
      .element(
        'reference',
        linkOf2(source),
        textOf(source, 'source_entry') ??
          addressOf(textOf(source, 'file_uri')) ??
          plainText(textOf(source, 'descriptive_note') ?? ''),
      );
    writeDescriptiveNote(xml, textOf(source, 'descriptive_note'));
    xml.close();
  }
  xml.close();
}
