// EAC-CPF `control` to the control sub-records of an agent (behaviour-imports.md section 6). They go to every agent of the document.
import type { Json, JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { attributeOf, elementsOf, isElement, textContent } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { given, isTime, linkProperties, noteTextOf, textOf } from './links.ts';
import { dropOthers } from '../../reading/report.ts';

const statuses: ReadonlyMap<string, string> = new Map([
  ['cancelled', 'cancelled_obsolete'],
  ['deleted', 'deleted'],
  ['deletedmerged', 'deleted'],
  ['deletedreplaced', 'deleted_replaced'],
  ['deletedsplit', 'deleted_split'],
  ['derived', 'derived'],
  ['new', 'new'],
  ['revised', 'revised_corrected'],
]);

const publicationStatuses: ReadonlyMap<string, string> = new Map([
  ['inprocess', 'in_process'],
  ['approved', 'approved'],
  ['published', 'approved'],
]);

/** The properties; `hasEvents` says whether the maintenance history is wanted. */
export function readControl(
  context: ReadingContext,
  control: XmlNode,
  hasEvents: boolean,
): Readonly<Record<string, Json>> {
  const lists: Record<string, JsonObject[]> = {};
  const add = (property: string, record: JsonObject): void => void (lists[property] ??= []).push(record);
  const head: Record<string, Json> = { maintenance_status: 'new' };
  for (const node of control.children) {
    if (!isElement(node))
      context.report.dropText(control.line, control.name, node, 'text of control outside its parts');
    else readPart(context, node, head, add, hasEvents);
  }
  return { agent_record_controls: [{ jsonmodel_type: 'agent_record_control', ...head }], ...lists };
}

type Add = (property: string, record: JsonObject) => void;

function readPart(
  context: ReadingContext,
  node: XmlNode,
  head: Record<string, Json>,
  add: Add,
  hasEvents: boolean,
): void {
  switch (node.name) {
    case 'recordId':
    case 'otherRecordId':
      return readIdentifier(context, node, add);
    case 'maintenanceStatus':
      return readStatus(context, node, head, 'maintenance_status', statuses);
    case 'publicationStatus':
      return readStatus(context, node, head, 'publication_status', publicationStatuses);
    case 'maintenanceAgency':
      Object.assign(
        head,
        given('maintenance_agency', textOf(node, 'agencyCode')),
        given('agency_name', textOf(node, 'agencyName')),
        given('maintenance_agency_note', noteTextOf(node)),
      );
      for (const code of elementsOf(node, 'otherAgencyCode'))
        if (textContent(code) !== '')
          add('agent_other_agency_codes', {
            jsonmodel_type: 'agent_other_agency_codes',
            agency_code_type: 'local',
            maintenance_agency: textContent(code),
          });
      return dropOthers(context.report, node, ['agencyCode', 'agencyName', 'descriptiveNote', 'otherAgencyCode']);
    case 'languageDeclaration':
      return readLanguage(context, node, head);
    case 'conventionDeclaration':
      return readConvention(context, node, add);
    case 'maintenanceHistory':
      if (!hasEvents) return context.report.drop(node, 'events are imported only where the job asks for them');
      for (const event of elementsOf(node, 'maintenanceEvent')) readEvent(context, event, add);
      return dropOthers(context.report, node, ['maintenanceEvent']);
    case 'sources':
      for (const source of elementsOf(node, 'source')) readSource(context, source, add);
      return dropOthers(context.report, node, ['source']);
    case 'localControl':
      return readLocalControl(context, node, add);
    case 'rightsDeclaration':
      return readRights(context, node, add);
    default:
      return context.report.drop(node, 'not imported from control');
  }
}

function readIdentifier(context: ReadingContext, node: XmlNode, add: Add): void {
  const text = textContent(node);
  const type = attributeOf(node, 'localType');
  if (text === '') return;
  const identifierType = type === undefined ? {} : { identifier_type: context.controlled('identifier_type', type) };
  add('agent_record_identifiers', {
    jsonmodel_type: 'agent_record_identifier',
    primary_identifier: node.name === 'recordId',
    record_identifier: text,
    source: context.controlled('name_source', 'local'),
    ...identifierType,
  });
}

function readStatus(
  context: ReadingContext,
  node: XmlNode,
  head: Record<string, Json>,
  property: string,
  values: ReadonlyMap<string, string>,
): void {
  if (textContent(node) === '') return;
  // A value of the list itself is what the rewriting of EAC-CPF 2.0 gives for the statuses that 2010 does not tell apart.
  const value = values.get(textContent(node).toLowerCase()) ?? context.fixed(property, textContent(node));
  if (value === undefined) context.report.drop(node, `no value of the list ${property}`);
  else head[property] = value;
}

function readLanguage(context: ReadingContext, node: XmlNode, head: Record<string, Json>): void {
  for (const [name, attribute, property, list] of [
    ['language', 'languageCode', 'language', 'language_iso639_2'],
    ['script', 'scriptCode', 'script', 'script_iso15924'],
  ] as const) {
    for (const element of elementsOf(node, name)) {
      const code = attributeOf(element, attribute);
      const value = code === undefined ? undefined : context.fixed(list, code);
      if (value === undefined || head[property] !== undefined)
        context.report.dropText(
          element.line,
          element.name,
          textContent(element) || (code ?? ''),
          value === undefined ? `no code of the list ${list}` : 'a control record has one language',
        );
      else head[property] = value;
      // The words beside a code are part of the note, unless they are no more than its label.
      if (value !== undefined && context.fixed(list, textContent(element)) !== value) addWords(head, element);
    }
  }
  const note = noteTextOf(node);
  if (note !== undefined)
    head['language_note'] = head['language_note'] === undefined ? note : `${String(head['language_note'])}; ${note}`;
  dropOthers(context.report, node, ['language', 'script', 'descriptiveNote']);
}

function addWords(head: Record<string, Json>, element: XmlNode): void {
  const text = textContent(element);
  if (text !== '')
    head['language_note'] = head['language_note'] === undefined ? text : `${String(head['language_note'])}; ${text}`;
}

function readConvention(context: ReadingContext, node: XmlNode, add: Add): void {
  const rule = textOf(node, 'abbreviation');
  const citation = elementsOf(node, 'citation')[0];
  const record = {
    ...(rule === undefined ? {} : { name_rule: context.controlled('name_rule', rule.toLowerCase()) }),
    ...given('citation', textOf(node, 'citation')),
    ...given('descriptive_note', noteTextOf(node)),
    ...(citation === undefined ? {} : linkProperties(context, citation)),
  };
  if (saysAnything(record))
    add('agent_conventions_declarations', { jsonmodel_type: 'agent_conventions_declaration', ...record });
  dropOthers(context.report, node, ['abbreviation', 'citation', 'descriptiveNote']);
}

/** Whether a declaration has more than the time at which its link was tried. */
const saysAnything = (record: JsonObject): boolean =>
  Object.keys(record).some((property) => property !== 'last_verified_date');

/** Rights on the record, as exports of 2010 write them for want of an element; other local control has no place. */
function readLocalControl(context: ReadingContext, node: XmlNode, add: Add): void {
  const text = attributeOf(node, 'localType') === 'rightsDeclaration' ? textOf(node, 'term') : undefined;
  if (text === undefined) context.report.drop(node, 'not imported from control');
  else add('metadata_rights_declarations', { jsonmodel_type: 'metadata_rights_declaration', descriptive_note: text });
}

/** Terms on which the record itself may be used. Words that only repeat the licence add nothing. */
function readRights(context: ReadingContext, node: XmlNode, add: Add): void {
  const [code, words, note] = [textOf(node, 'abbreviation'), textOf(node, 'citation'), noteTextOf(node)];
  const [citation] = elementsOf(node, 'citation');
  const link = citation === undefined ? {} : linkProperties(context, citation);
  const license = code === undefined ? undefined : context.fixed('metadata_license', code);
  const isKnown =
    words === undefined || (license !== undefined && context.fixed('metadata_license', words) === license);
  const record = {
    ...given('license', license),
    ...given(
      'descriptive_note',
      [license === undefined ? code : undefined, isKnown ? undefined : words, note]
        .filter((text) => text !== undefined)
        .join('\n\n'),
    ),
    ...link,
  };
  if (saysAnything(record))
    add('metadata_rights_declarations', { jsonmodel_type: 'metadata_rights_declaration', ...record });
  dropOthers(context.report, node, ['abbreviation', 'citation', 'descriptiveNote']);
}

/** An event must have a day; one without is reported. */
function readEvent(context: ReadingContext, node: XmlNode, add: Add): void {
  const when = elementsOf(node, 'eventDateTime')[0];
  const words = when === undefined ? '' : textContent(when);
  const date = [when === undefined ? undefined : attributeOf(when, 'standardDateTime'), words].find(
    (text) => text !== undefined && isTime(text),
  );
  const type = context.fixed('maintenance_event_type', (textOf(node, 'eventType') ?? '').toLowerCase());
  if (date === undefined || type === undefined)
    return context.report.drop(
      node,
      date === undefined ? 'an event without a day that can be read' : 'no type of the list maintenance_event_type',
    );
  // The words of a date say what its standard form says, unless they are longer.
  const note = [words !== date && words !== '' ? words : '', textOf(node, 'eventDescription') ?? '']
    .filter((text) => text !== '')
    .join(': ');
  add('agent_maintenance_histories', {
    jsonmodel_type: 'agent_maintenance_history',
    maintenance_event_type: type,
    maintenance_agent_type:
      context.fixed('maintenance_agent_type', (textOf(node, 'agentType') ?? 'human').toLowerCase()) ?? 'human',
    event_date: date,
    agent: textOf(node, 'agent') ?? 'Missing in File',
    ...given('descriptive_note', note),
  });
}

function readSource(context: ReadingContext, node: XmlNode, add: Add): void {
  const record = {
    ...given('source_entry', textOf(node, 'sourceEntry')),
    ...given('descriptive_note', noteTextOf(node)),
    ...linkProperties(context, node),
  };
  if (['source_entry', 'descriptive_note', 'file_uri'].some((property) => property in record))
    add('agent_sources', { jsonmodel_type: 'agent_sources', ...record });
  dropOthers(context.report, node, ['sourceEntry', 'descriptiveNote']);
}
