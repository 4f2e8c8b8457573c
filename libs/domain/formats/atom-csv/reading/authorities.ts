// Sheets of authority records of AtoM (ISAAR(CPF)) to agents, row by row.
import type { JsonObject } from '../../../json.ts';
import type { ImportAbout } from '../../define-import.ts';
import type { ImportRecord } from '../../reading/context.ts';
import { textSubnotes } from '../../reading/note-records.ts';
import type { ImportReport } from '../../reading/report.ts';
import { dateRange, singleDate } from '../../reading/structured-dates.ts';
import type { AtomAgent } from './names.ts';
import { nameOf } from './names.ts';
import { filled, subjectLink } from './parts.ts';
import type { AtomRow, AtomSheet } from './sheet.ts';
import { openAtomSheet } from './sheet.ts';
import { translationFinder } from './translations.ts';

const kinds: ReadonlyMap<string, AtomAgent> = new Map([
  ['corporate body', 'agent_corporate_entity'],
  ['person', 'agent_person'],
  ['family', 'agent_family'],
]);

/** Kinds of the notes that columns become; those without one of their own are biographical, under a label. */
const notes: readonly (readonly [column: string, kind: string, label?: string])[] = [
  ['history', 'note_bioghist'],
  ['legalStatus', 'note_legal_status'],
  ['functions', 'note_bioghist', 'Functions, occupations and activities'],
  ['mandates', 'note_mandate'],
  ['internalStructures', 'note_structure_or_genealogy'],
  ['generalContext', 'note_general_context'],
];

const otherNames = ['parallelFormsOfName', 'standardizedFormsOfName', 'otherFormsOfName'] as const;

const leftOut: { readonly [column: string]: string } = {
  revisionHistory: 'the history of a record is kept by the service, from the import on',
  maintenanceNotes: 'has no place in agents',
  maintainingRepository: 'agents are of no repository',
};

/** Yields an agent for each row that is no translation, and the subjects that it names. */
export async function* readAtomAuthorities(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const sheet = openAtomSheet(chunks, about);
  const look = translationFinder(sheet, { idOf: (row) => row.cell('legacyId'), named: 'authorizedFormOfName' });
  let before = 0;
  for await (const row of sheet.rows(['authorizedFormOfName', 'typeOfEntity'])) {
    if (row.cell('legacyId') !== undefined)
      sheet.context.report.dropTextOnce(1, 'legacyId', 'legacyId', 'agents have no ids of other systems');
    if (look(row).is === 'translation') continue;
    emitAuthority(sheet, row);
    const records = sheet.emitted();
    if (sheet.faults.count === before) yield* records;
    before = sheet.faults.count;
  }
  return sheet.report();
}

function emitAuthority(sheet: AtomSheet, row: AtomRow): void {
  const { context } = sheet;
  const name = row.cell('authorizedFormOfName');
  const type = row.cell('typeOfEntity');
  const kind = kinds.get(type?.toLowerCase() ?? '');
  if (name === undefined) row.fault('authorizedFormOfName', 'The row has no authorizedFormOfName.');
  if (kind === undefined)
    row.fault('typeOfEntity', `The type must be Corporate body, Person or Family, not ${type ?? 'nothing'}.`);
  const others = otherNames.flatMap((column) => row.list(column));
  const said = notes.flatMap(([column, noteKind, label]): readonly JsonObject[] => {
    const text = row.cell(column);
    if (text === undefined) return [];
    return [
      {
        jsonmodel_type: noteKind,
        ...(label === undefined ? {} : { label }),
        subnotes: textSubnotes(text, true),
        publish: true,
      },
    ];
  });
  const [record, rules] = [row.cell('descriptionIdentifier'), row.cell('rules')];
  const known = rules === undefined ? undefined : context.fixed('name_rule', rules);
  sheet.leaveOut(row, leftOut);
  const body: JsonObject = {
    publish: true,
    agent_record_controls: [controlOf(sheet, row)],
    ...filled({
      dates_of_existence: datesOf(row),
      agent_places: row.list('places').map((place) => ({
        jsonmodel_type: 'agent_place',
        subjects: [subjectLink(context, place, 'geographic')],
        publish: true,
      })),
      agent_occupations: row.list('occupations').map((term) => ({
        jsonmodel_type: 'agent_occupation',
        subjects: [subjectLink(context, term, 'occupation')],
        publish: true,
      })),
      agent_identifiers: row
        .list('corporateBodyIdentifiers')
        .map((identifier) => ({ jsonmodel_type: 'agent_identifier', entity_identifier: identifier })),
      agent_record_identifiers:
        record === undefined
          ? []
          : [
              {
                jsonmodel_type: 'agent_record_identifier',
                primary_identifier: true,
                record_identifier: record,
                source: 'local',
              },
            ],
      agent_conventions_declarations:
        rules === undefined
          ? []
          : [
              known === undefined
                ? { jsonmodel_type: 'agent_conventions_declaration', citation: rules }
                : { jsonmodel_type: 'agent_conventions_declaration', name_rule: known },
            ],
      agent_sources: row.list('sources').map((source) => ({ jsonmodel_type: 'agent_sources', source_entry: source })),
      notes: said,
    }),
  };
  if (name === undefined || kind === undefined) return;
  const names = [
    { ...nameOf(kind, name), authorized: true, is_display_name: true },
    ...others.map((other) => nameOf(kind, other)),
  ];
  context.emit({ ...body, names, jsonmodel_type: kind, uri: context.nextUri(kind) });
}

/** Who keeps the record, and in which language it is. What is no status or detail of agents is told. */
function controlOf({ context }: AtomSheet, row: AtomRow): JsonObject {
  const [agency, status, detail, culture] = ['institutionIdentifier', 'status', 'levelOfDetail', 'culture'].map(
    (column) => row.cell(column),
  );
  const language = culture === undefined ? undefined : context.fixed('language_iso639_2', culture);
  if (culture !== undefined && language === undefined)
    context.report.dropTextOnce(row.line, 'culture', culture, 'in no list of languages');
  const level = new Map([
    ['full', 'fully_established'],
    ['partial', 'preliminary'],
    ['minimal', 'memorandum'],
  ]).get(detail?.toLowerCase() ?? '');
  const isKnown = level !== undefined && context.options.isEnumerationValue('level_of_detail', level);
  if (detail !== undefined && !isKnown)
    context.report.dropTextOnce(row.line, 'levelOfDetail', detail, 'no level of detail of agents');
  const published = new Map([
    ['final', 'approved'],
    ['revised', 'approved'],
    ['draft', 'in_process'],
  ]).get(status?.toLowerCase() ?? '');
  if (status !== undefined && published === undefined)
    context.report.dropTextOnce(row.line, 'status', status, 'no status of agents');
  return {
    jsonmodel_type: 'agent_record_control',
    maintenance_status: 'new',
    ...(published === undefined ? {} : { publication_status: published }),
    ...(isKnown ? { level_of_detail: level } : {}),
    ...(language === undefined ? {} : { language }),
    ...(agency === undefined ? {} : { maintenance_agency: agency }),
  };
}

/** `1900-1950` and `1900-` are ranges; other words stay words. */
function datesOf(row: AtomRow): readonly JsonObject[] {
  const text = row.cell('datesOfExistence');
  if (text === undefined) return [];
  const [, begin, end] = /^(\d{4})\s*[-–]\s*(\d{4})?$/.exec(text) ?? [];
  const date =
    begin === undefined
      ? singleDate('existence', { expression: text })
      : dateRange(
          'existence',
          { expression: begin, standard: begin },
          end === undefined ? {} : { expression: end, standard: end },
        );
  return date === undefined ? [] : [date];
}
