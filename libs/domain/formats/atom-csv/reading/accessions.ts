// Sheets of accessions of AtoM to accessions, row by row.
import type { JsonObject } from '../../../json.ts';
import type { ImportAbout } from '../../define-import.ts';
import type { ImportRecord } from '../../reading/context.ts';
import type { ImportReport } from '../../reading/report.ts';
import { isIsoDate } from '../../reading/structured-dates.ts';
import { readEvents } from './events.ts';
import { emitNamed } from './names.ts';
import { externalId, extentOf, filled, otherIdentifiers, readContainers } from './parts.ts';
import type { AtomRow, AtomSheet } from './sheet.ts';
import { openAtomSheet } from './sheet.ts';

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

/** Yields an accession for each row, with its agents and containers. */
export async function* readAtomAccessions(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const sheet = openAtomSheet(chunks, about);
  let before = 0;
  for await (const row of sheet.rows(['accessionNumber'])) {
    emitAccession(sheet, row);
    const records = sheet.emitted();
    if (sheet.faults.count === before) yield* records;
    before = sheet.faults.count;
  }
  return sheet.report();
}

function emitAccession(sheet: AtomSheet, row: AtomRow): void {
  const { context } = sheet;
  const number = row.cell('accessionNumber');
  if (number === undefined) row.fault('accessionNumber', 'The row has no accessionNumber.');
  const day = row.cell('acquisitionDate');
  if (day !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(day) && !isIsoDate(day))
    row.fault('acquisitionDate', `Not a date: ${day}; it must be YYYY-MM-DD.`);
  const uri = context.nextUri('accession');
  const events = readEvents(context, row, new Map());
  const donor = donorOf(sheet, row);
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
        ...otherIdentifiers(row, { values: 'alternativeIdentifiers', labels: 'alternativeIdentifierTypes' }),
      ],
      instances: readContainers(context, row, uri),
    }),
  });
}

const labelled = (label: string, text: string | undefined): readonly string[] =>
  text === undefined ? [] : [`${label}: ${text}`];

/** What happened to the accession, a line each: `Physical transfer, 2010-01-02, Agent A: Note`. */
function happened(row: AtomRow): readonly string[] {
  const [types, dates, agents, notes] = [
    'accessionEventTypes',
    'accessionEventDates',
    'accessionEventAgents',
    'accessionEventNotes',
  ].map((column) => row.places(column));
  return Array.from({ length: Math.max(types?.length ?? 0, dates?.length ?? 0) }, (_, index) => {
    const head = [types?.[index], dates?.[index], agents?.[index]]
      .filter((text) => text !== undefined && text !== '')
      .join(', ');
    const note = notes?.[index] ?? '';
    return [head, note].filter((text) => text !== '').join(': ');
  }).filter((line) => line !== '');
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

/** The donor as a source, with how to reach them. */
function donorOf({ context }: AtomSheet, row: AtomRow): readonly JsonObject[] {
  const fields = Object.entries(contactColumns).flatMap(([column, property]) => {
    const text = row.cell(column);
    return text === undefined ? [] : [[property, text] as const];
  });
  const [telephone, fax, person] = [row.cell('donorTelephone'), row.cell('donorFax'), row.cell('donorContactPerson')];
  const numbers = [
    ...(telephone === undefined ? [] : [{ jsonmodel_type: 'telephone', number_type: 'business', number: telephone }]),
    ...(fax === undefined ? [] : [{ jsonmodel_type: 'telephone', number_type: 'fax', number: fax }]),
  ];
  const name = row.cell('donorName');
  if (name === undefined) {
    for (const [property, text] of fields)
      context.report.dropText(row.line, 'donorName', text, `the ${property} of a donor without a name`);
    return [];
  }
  const hasContact = fields.length > 0 || numbers.length > 0 || person !== undefined;
  const contact = {
    jsonmodel_type: 'agent_contact',
    name: person ?? name,
    ...Object.fromEntries(fields),
    ...filled({ telephones: numbers }),
  };
  const ref = emitNamed(context, { line: row.line, column: 'donorName' }, name, hasContact ? { contact } : {});
  return [{ ref, role: 'source' }];
}
