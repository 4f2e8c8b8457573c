// Sheets of accessions of AtoM to accessions, row by row.
import type { JsonObject } from '../../../json.ts';
import type { ImportAbout } from '../../define-import.ts';
import type { ImportRecord, ReadingContext } from '../../reading/context.ts';
import { pushOnce } from '../../reading/record-parts.ts';
import type { ImportReport } from '../../reading/report.ts';
import { isIsoDate } from '../../reading/structured-dates.ts';
import { readEvents } from './events.ts';
import { emitNamed } from './names.ts';
import { externalId, extentOf, filled, otherIdentifiers, readContainers } from './parts.ts';
import type { AtomRow, AtomSheet } from './sheet.ts';
import { openAtomSheet } from './sheet.ts';
import { translationFinder } from './translations.ts';

/** Properties of the columns that are texts. */
const texts: { readonly [column: string]: string } = {
  title: 'title',
  scopeAndContent: 'content_description',
  appraisal: 'disposition',
  physicalCondition: 'condition_description',
};

const leftOut: { readonly [column: string]: string } = {
  qubitParentSlug: 'addresses of AtoM are not known here',
  alternativeIdentifierNotes: 'identifiers of other systems have no notes',
  culture: 'accessions do not say in which language they are described',
};

/** Yields an accession for each row that is no translation, with its agents and containers. */
export async function* readAtomAccessions(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const sheet = openAtomSheet(chunks, about);
  const look = translationFinder(sheet, {
    // A number is that of one accession, whether the sheet has ids of AtoM or not.
    idOf: (row) => row.cell('legacyId') ?? row.cell('accessionNumber'),
    named: 'title',
  });
  const rows = (await sheet.allRows(['accessionNumber'])).filter((row) => look(row).is !== 'translation');
  const contacts = readContacts(sheet, rows);
  let before = sheet.faults.count;
  for (const row of rows) {
    emitAccession(sheet, row, contacts);
    const records = sheet.emitted();
    if (sheet.faults.count === before) yield* records;
    before = sheet.faults.count;
  }
  return sheet.report();
}

function emitAccession(sheet: AtomSheet, row: AtomRow, contacts: Contacts): void {
  const { context } = sheet;
  const number = row.cell('accessionNumber');
  if (number === undefined) row.fault('accessionNumber', 'The row has no accessionNumber.');
  const day = row.cell('acquisitionDate');
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day) && !isIsoDate(day))
    row.fault('acquisitionDate', `Not a date: ${day}; it must be YYYY-MM-DD.`);
  const uri = context.nextUri('accession');
  const events = readEvents(context, row, (name) => ({ contacts: contacts.get(name) }));
  const donor = donorOf(sheet, row, contacts);
  const received = row.cell('receivedExtentUnits');
  const extent = received === undefined ? undefined : extentOf(context, received);
  const provenance = [row.cell('sourceOfAcquisition'), row.cell('archivalHistory')].filter(
    (text) => text !== undefined,
  );
  const [acquisition, resource] = [row.cell('acquisitionType'), row.cell('resourceType')];
  sheet.leaveOut(row, leftOut);
  const general = [
    ...(received === undefined || extent !== undefined ? [] : [`Received extent: ${received}`]),
    ...labelled('Location', row.cell('locationInformation')),
    ...happened(row),
  ];
  context.emit({
    jsonmodel_type: 'accession',
    uri,
    id_0: number ?? '',
    ...(day === undefined ? {} : { accession_date: day }),
    ...Object.fromEntries(
      Object.entries(texts).flatMap(([column, property]) => {
        const text = row.cell(column);
        return text === undefined ? [] : [[property, text]];
      }),
    ),
    ...(provenance.length === 0 ? {} : { provenance: provenance.join('\n\n') }),
    ...(acquisition === undefined
      ? {}
      : { acquisition_type: context.controlled('accession_acquisition_type', acquisition) }),
    ...(resource === undefined ? {} : { resource_type: context.controlled('accession_resource_type', resource) }),
    ...(general.length === 0 ? {} : { general_note: general.join('\n') }),
    ...managementOf(sheet, row),
    ...filled({
      dates: events.dates,
      extents: extent === undefined ? [] : [extent],
      linked_agents: [...events.agents, ...donor],
      external_ids: [
        ...row.list('legacyId').map((id) => externalId(id, 'AtoM legacyId')),
        ...otherIdentifiers(context, row, { values: 'alternativeIdentifiers', labels: 'alternativeIdentifierTypes' }),
      ],
      instances: readContainers(context, row, uri),
    }),
  });
}

const labelled = (label: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${label}: ${text}`];

/** What happened to the accession, a line each: `Physical transfer, 2010-01-02, Agent A: Note`. */
function happened(row: AtomRow): readonly string[] {
  const columns = ['accessionEventTypes', 'accessionEventDates', 'accessionEventAgents', 'accessionEventNotes'];
  return row
    .together(...columns)
    .map((values) => {
      const [note = ''] = values.slice(3);
      const head = values
        .slice(0, 3)
        .filter((text) => text !== '')
        .join(', ');
      return [head, note].filter((text) => text !== '').join(': ');
    })
    .filter((line) => line !== '');
}

function managementOf({ context }: AtomSheet, row: AtomRow): JsonObject {
  const [status, priority, notes] = ['processingStatus', 'processingPriority', 'processingNotes'].map((column) =>
    row.cell(column),
  );
  if (status === undefined && priority === undefined && notes === undefined) return {};
  return {
    collection_management: {
      jsonmodel_type: 'collection_management',
      ...(status === undefined
        ? {}
        : {
            processing_status:
              statuses.get(status.toLowerCase()) ??
              context.controlled('collection_management_processing_status', status),
          }),
      ...(priority === undefined
        ? {}
        : { processing_priority: context.controlled('collection_management_processing_priority', priority) }),
      ...(notes === undefined ? {} : { processing_plan: notes }),
    },
  };
}

/** Values of AtoM's list that are called otherwise here. */
const statuses: ReadonlyMap<string, string> = new Map([
  ['complete', 'completed'],
  ['incomplete', 'in_progress'],
]);

const contactColumns: { readonly [column: string]: string } = {
  donorStreetAddress: 'address_1',
  donorCity: 'city',
  donorRegion: 'region',
  donorCountry: 'country',
  donorPostalCode: 'post_code',
  donorEmail: 'email',
  donorNote: 'note',
};

type Contacts = ReadonlyMap<string, readonly JsonObject[]>;

/** How to reach each donor, by name: all that the rows of a sheet tell, since an agent is there once however often it gave something. */
function readContacts({ context }: AtomSheet, rows: readonly AtomRow[]): Contacts {
  const contacts = new Map<string, JsonObject[]>();
  const seen = new Map<string, Set<string>>();
  for (const row of rows) {
    const name = row.cell('donorName');
    const contact = contactIn(context, row);
    if (name === undefined || contact === undefined) continue;
    const [own, known] = [contacts.get(name) ?? [], seen.get(name) ?? new Set<string>()];
    pushOnce(own, { jsonmodel_type: 'agent_contact', name, ...contact }, known);
    contacts.set(name, own);
    seen.set(name, known);
  }
  return contacts;
}

/** What the row says of how to reach the donor; told where it does not say who that is. */
function contactIn(context: ReadingContext, row: AtomRow): JsonObject | undefined {
  const given = [
    ...Object.entries(contactColumns),
    ['donorContactPerson', 'name'],
    ['donorTelephone', 'business'],
    ['donorFax', 'fax'],
  ].flatMap(([column = '', property = '']) => {
    const text = row.cell(column);
    return text === undefined ? [] : [{ column, property, text }];
  });
  if (given.length === 0) return undefined;
  if (row.cell('donorName') === undefined) {
    for (const { column, text } of given) context.report.dropText(row.line, column, text, 'of a donor without a name');
    return undefined;
  }
  const isNumber = ({ property }: { readonly property: string }): boolean => ['business', 'fax'].includes(property);
  return {
    ...Object.fromEntries(given.filter((each) => !isNumber(each)).map(({ property, text }) => [property, text])),
    ...filled({
      telephones: given
        .filter(isNumber)
        .map(({ property, text }) => ({ jsonmodel_type: 'telephone', number_type: property, number: text })),
    }),
  };
}

/** The donor as a source. */
function donorOf({ context }: AtomSheet, row: AtomRow, contacts: Contacts): readonly JsonObject[] {
  const name = row.cell('donorName');
  if (name === undefined) return [];
  const at = { line: row.line, column: 'donorName' };
  return [{ ref: emitNamed(context, at, name, { contacts: contacts.get(name) }), role: 'source' }];
}
