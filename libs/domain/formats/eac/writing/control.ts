// The control section of EAC-CPF: about the record rather than about whom it describes (contract behaviour-exports 6). What the schema
// wants and a record does not hold is filled from what is known of every record, since the reference's `<control/>` is not valid.
import type { JsonObject } from '../../../json.ts';
import { objectsOf, textOf } from '../../../json.ts';
import type { ExportContext } from '../../writing/context.ts';
import type { XmlWriter } from '../../xml/writer.ts';
import { languageCode, linkOf, scriptCode, toNameToken, writeDescriptiveNote } from './values.ts';

/** maintenanceStatus by the value of the list; EAC-CPF 2010 has no status of its own for merged records. */
export const maintenanceStatuses: { readonly [status: string]: string } = {
  new: 'new',
  upgraded: 'revised',
  revised_corrected: 'revised',
  derived: 'derived',
  deleted: 'deleted',
  cancelled_obsolete: 'cancelled',
  deleted_split: 'deletedSplit',
  deleted_replaced: 'deletedReplaced',
  deleted_merged: 'deletedReplaced',
};
/** publicationStatus by the value of the list. */
export const publicationStatuses: { readonly [status: string]: string } = {
  in_process: 'inProcess',
  approved: 'approved',
};
/** Types of maintenance events that both versions know. */
export const eventTypes: ReadonlySet<string> = new Set([
  'created',
  'revised',
  'deleted',
  'cancelled',
  'derived',
  'updated',
]);

/** Writes the section. */
export function writeControl(xml: XmlWriter, agent: JsonObject, context: ExportContext): void {
  const record = objectsOf(agent, 'agent_record_controls')[0];
  xml.open('control');
  writeIdentifiers(xml, agent);
  xml.element('maintenanceStatus', {}, maintenanceStatuses[textOf(record, 'maintenance_status') ?? 'new'] ?? 'revised');
  const status = publicationStatuses[textOf(record, 'publication_status') ?? ''];
  if (status !== undefined) xml.element('publicationStatus', {}, status);
  xml
    .open('maintenanceAgency')
    .element(
      'agencyName',
      {},
      textOf(record, 'agency_name') ??
        textOf(record, 'maintenance_agency') ??
        textOf(context.repository ?? undefined, 'name'),
    );
  writeDescriptiveNote(xml, textOf(record, 'maintenance_agency_note'));
  xml.close();
  writeLanguage(xml, record, context);
  for (const convention of objectsOf(agent, 'agent_conventions_declarations'))
    writeConvention(xml, convention, context);
  for (const rights of objectsOf(agent, 'metadata_rights_declarations')) writeRights(xml, rights, context);
  writeHistory(xml, agent);
  writeSources(xml, agent);
  xml.close();
}

function writeIdentifiers(xml: XmlWriter, agent: JsonObject): void {
  const identifiers = objectsOf(agent, 'agent_record_identifiers');
  const primary = identifiers.find((identifier) => identifier['primary_identifier'] === true);
  const own = (textOf(agent, 'uri') ?? '').replace(/^\//, '').replaceAll('/', '-');
  xml.element('recordId', {}, toNameToken(textOf(primary, 'record_identifier')) ?? own);
  for (const identifier of identifiers) {
    if (identifier !== primary)
      xml.element(
        'otherRecordId',
        { localType: textOf(identifier, 'identifier_type') },
        textOf(identifier, 'record_identifier'),
      );
  }
}

function writeLanguage(xml: XmlWriter, record: JsonObject | undefined, context: ExportContext): void {
  const [language, script, note] = [
    textOf(record, 'language'),
    textOf(record, 'script'),
    textOf(record, 'language_note'),
  ];
  if (language === undefined && script === undefined && note === undefined) return;
  xml.open('languageDeclaration');
  writeLanguageAndScript(xml, language, script, context);
  writeDescriptiveNote(xml, note);
  xml.close();
}

/** Writes language and script, of which the schema wants both: `und` and `Zyyy` stand for what is not told. */
export function writeLanguageAndScript(
  xml: XmlWriter,
  language: string | undefined,
  script: string | undefined,
  context: ExportContext,
): void {
  const code = scriptCode(script) ?? 'Zyyy';
  // A code that is none stands as the words.
  xml
    .element(
      'language',
      { languageCode: languageCode(language) },
      context.label('language_iso639_2', language ?? 'und'),
    )
    .element('script', { scriptCode: code }, context.label('script_iso15924', code));
}

function writeConvention(xml: XmlWriter, convention: JsonObject, context: ExportContext): void {
  const rule = textOf(convention, 'name_rule');
  xml.open('conventionDeclaration');
  if (rule !== undefined) xml.element('abbreviation', {}, rule);
  xml.element(
    'citation',
    linkOf(convention),
    textOf(convention, 'citation') ?? (rule === undefined ? '' : context.label('name_rule', rule)),
  );
  writeDescriptiveNote(xml, textOf(convention, 'descriptive_note'));
  xml.close();
}

/** EAC-CPF 2010 has no rightsDeclaration: a local control that says so. */
function writeRights(xml: XmlWriter, rights: JsonObject, context: ExportContext): void {
  const license = textOf(rights, 'license');
  const texts = [
    license === undefined ? undefined : context.label('metadata_license', license),
    textOf(rights, 'descriptive_note'),
    textOf(rights, 'file_uri'),
  ].filter((text) => text !== undefined);
  if (texts.length > 0)
    xml.open('localControl', { localType: 'rightsDeclaration' }).element('term', {}, texts.join(' ')).close();
}

function writeHistory(xml: XmlWriter, agent: JsonObject): void {
  const events = objectsOf(agent, 'agent_maintenance_histories');
  xml.open('maintenanceHistory');
  for (const event of events) {
    const type = textOf(event, 'maintenance_event_type') ?? '';
    writeEvent(xml, {
      type: eventTypes.has(type) ? type : 'updated',
      at: textOf(event, 'event_date') ?? '',
      agentType: textOf(event, 'maintenance_agent_type') ?? '',
      agent: textOf(event, 'agent') ?? '',
      description: textOf(event, 'descriptive_note'),
    });
  }
  // Who made the record is a user's name and nobody's business outside.
  if (events.length === 0)
    writeEvent(xml, {
      type: 'created',
      at: textOf(agent, 'create_time') ?? '',
      agentType: 'machine',
      agent: 'Muniment',
      description: undefined,
    });
  xml.close();
}

type Event = {
  readonly type: string;
  readonly at: string;
  readonly agentType: string;
  readonly agent: string;
  readonly description: string | undefined;
};

function writeEvent(xml: XmlWriter, { type, at, agentType, agent, description }: Event): void {
  const standardDateTime =
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/.test(at) || /^\d{4}(?:-\d\d(?:-\d\d)?)?$/.test(at)
      ? at
      : undefined;
  xml.open('maintenanceEvent').element('eventType', {}, type).element('eventDateTime', { standardDateTime }, at);
  xml.element('agentType', {}, agentType.toLowerCase() === 'machine' ? 'machine' : 'human').element('agent', {}, agent);
  if (description !== undefined && description !== '') xml.element('eventDescription', {}, description);
  xml.close();
}

function writeSources(xml: XmlWriter, agent: JsonObject): void {
  const sources = objectsOf(agent, 'agent_sources');
  if (sources.length === 0) return;
  xml.open('sources');
  for (const source of sources) {
    xml.open('source', linkOf(source));
    const entry = textOf(source, 'source_entry');
    if (entry !== undefined) xml.element('sourceEntry', {}, entry);
    writeDescriptiveNote(xml, textOf(source, 'descriptive_note'));
    xml.close();
  }
  xml.close();
}
