// What rows of accessions and digital objects have alike: dates, subject, collection management, user-defined fields, events.
import type { JsonObject } from '../../json.ts';
import type { ReadingContext } from '../reading/context.ts';
import { pushOnce } from '../reading/record-parts.ts';
import { properties, subRecord } from './cells.ts';
import type { CellType } from './cells.ts';
import type { CsvRow } from './rows.ts';
import { reportStrays } from './stray-cells.ts';

const dateTypes: readonly string[] = ['bulk', 'inclusive', 'single'];

/** The two dates of a row, the second one only where it says something else. An unknown type is a fault, as at peers in accessions, or gives way to the one that begin and end tell, since sheets of digital objects have texts there. */
export function readDates(
  context: ReadingContext,
  row: CsvRow,
  defaults: JsonObject,
  unknownType: 'refused' | 'replaced',
): readonly JsonObject[] {
  const dates: JsonObject[] = [];
  const seen = new Set<string>();
  for (const prefix of ['date_1_', 'date_2_']) {
    const { type, ...fields } = properties(context, row, prefix, {
      label: { list: 'date_label' },
      expression: 'text',
      begin: 'date',
      end: 'date',
      type: 'text',
    });
    const isKnown = typeof type !== 'string' || dateTypes.includes(type);
    if (!isKnown && unknownType === 'refused') {
      const provided = row.cell(`${prefix}expression`) ?? row.cell(`${prefix}begin`) ?? '';
      row.fault(
        `${prefix}type`,
        `Invalid date type provided: ${type}; must be one of: ${JSON.stringify(dateTypes).replaceAll(',', ', ')}; Date provided: ${provided};`,
      );
    }
    // A label or type alone is no date.
    if (!('expression' in fields || 'begin' in fields || 'end' in fields)) continue;
    if (!isKnown && unknownType === 'replaced')
      context.report.dropText(row.line, `${prefix}type`, type, 'no type of date');
    const given = isKnown ? type : 'end' in fields ? 'inclusive' : undefined;
    const typed = given === undefined ? {} : { date_type: given };
    pushOnce(dates, { jsonmodel_type: 'date', ...defaults, ...fields, ...typed }, seen);
  }
  return dates;
}

/** Collection management of the columns `<prefix>processing_…`. */
export function readManagement(context: ReadingContext, row: CsvRow, prefix: string): JsonObject {
  const fields = properties(context, row, prefix, {
    processing_hours_total: 'amount_or_none',
    processing_plan: 'text',
    processing_priority: { list: 'collection_management_processing_priority' },
    processing_total_extent: 'amount_or_none',
    processing_total_extent_type: { list: 'extent_extent_type' },
    processing_status: { list: 'collection_management_processing_status' },
    processors: 'text',
    rights_determined: 'boolean',
  });
  const record = subRecord('collection_management', fields);
  return record === undefined ? {} : { collection_management: record };
}

/** User-defined fields. */
export function readUserDefined(context: ReadingContext, row: CsvRow): JsonObject {
  const numbered = (
    name: string,
    count: number,
    type: (n: number) => CellType,
  ): readonly (readonly [string, CellType])[] =>
    Array.from({ length: count }, (_, index) => [`${name}_${index + 1}`, type(index + 1)] as const);
  const types = Object.fromEntries([
    ...numbered('boolean', 3, () => 'boolean'),
    ...numbered('integer', 3, () => 'integer_or_none'),
    ...numbered('real', 3, () => 'decimal_or_none'),
    ...numbered('string', 4, () => 'text'),
    ...numbered('text', 5, () => 'text'),
    ...numbered('date', 3, () => 'day'),
    ...numbered('enum', 4, (n) => ({ list: `user_defined_enum_${n}` })),
  ]);
  const record = subRecord('user_defined', properties(context, row, 'user_defined_', types));
  return record === undefined ? {} : { user_defined: record };
}

/** The subject of a row as a link. */
export function readSubject(context: ReadingContext, row: CsvRow): JsonObject {
  const term = row.cell('subject_term');
  const type = context.fixed('subject_term_type', row.cell('subject_term_type') ?? 'topical');
  const source = context.controlled('subject_source', row.cell('subject_source') ?? 'ingest');
  if (term === undefined) return {};
  if (type === undefined) {
    row.fault('subject_term_type', `No type of term: ${row.cell('subject_term_type') ?? ''}`);
    return {};
  }
  const vocabulary = context.vocabularyUri;
  const body = {
    source,
    terms: [{ jsonmodel_type: 'term', term, term_type: type, vocabulary }],
    vocabulary,
    publish: true,
  };
  return { subjects: [{ ref: context.emitOnce('subject', JSON.stringify(body), body) }] };
}

const eventTypes = ['acknowledgement_sent', 'agreement_received', 'agreement_sent', 'cataloged', 'processed'] as const;

/** The events of a row: each type whose column is true. */
export const eventsIn = (context: ReadingContext, row: CsvRow, prefix: string): readonly string[] =>
  eventTypes.filter((type) => properties(context, row, prefix, { [type]: 'boolean' })[type] === true);

/** Emits the events of a row. Call it after the record has its uri. All columns are asked for: those that nobody asks for are told as unknown. */
export function emitEvents(context: ReadingContext, row: CsvRow, prefix: string, uri: string): void {
  const happened = eventsIn(context, row, prefix);
  for (const type of eventTypes) {
    const expression = row.cell(`${prefix}${type}_date`) ?? 'unknown';
    const note = type === 'cataloged' ? row.cell(`${prefix}cataloged_note`) : undefined;
    if (!happened.includes(type)) {
      const [date, about] = [`${prefix}${type}_date`, `${prefix}${type}_note`];
      reportStrays(context, row, type === 'cataloged' ? [date, about] : [date], `${prefix}${type}`);
      continue;
    }
    context.emit({
      jsonmodel_type: 'event',
      uri: context.nextUri('event'),
      event_type: type,
      date: { jsonmodel_type: 'date', label: 'other', date_type: 'single', expression },
      ...(note === undefined ? {} : { outcome_note: note }),
      // The agent of the service itself: no person did it.
      linked_agents: [{ ref: '/agents/software/1', role: 'executing_program' }],
      linked_records: [{ ref: uri, role: 'source' }],
    });
  }
}

/** The language of a row. */
export function readLanguage(context: ReadingContext, row: CsvRow, prefix: string): JsonObject {
  const { language, script } = properties(context, row, prefix, {
    language: { list: 'language_iso639_2' },
    script: { list: 'script_iso15924' },
  });
  if (language === undefined) {
    reportStrays(context, row, [`${prefix}script`], `${prefix}language`);
    return {};
  }
  return {
    lang_materials: [
      {
        jsonmodel_type: 'lang_material',
        language_and_script: {
          jsonmodel_type: 'language_and_script',
          language,
          ...(script === undefined ? {} : { script }),
        },
      },
    ],
  };
}
