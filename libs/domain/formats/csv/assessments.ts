// Sheets of assessments (behaviour-imports.md section 7, assessment_csv): a row of sections, a row of fields, then one assessment in each row.
// Records are named by kind and id, surveyors and reviewers by user name, ratings, formats and conservation issues by their labels.
import type { Json, JsonObject } from '../../json.ts';
import { readDate } from '../../dates/lenient-date.ts';
import { createContext, importFailure } from '../reading/context.ts';
import type { ImportRecord } from '../reading/context.ts';
import type { AssessmentLookups, ImportAbout } from '../define-import.ts';
import type { ImportReport } from '../reading/report.ts';
import { flagOf, unclearFlag } from './cells.ts';
import { createSheetFaults } from './faults.ts';
import { columnLetters } from '../xlsx/cells.ts';
import { otherSeparator } from './other-files.ts';
import { faultSurplus, readTable, valueOf } from './rows.ts';

/** What a column fills: gives what is wrong with a cell by throwing its message. `isFlag`: its cells say yes or no. */
type Column = { readonly name: string; readonly isFlag?: boolean; fill(body: Draft, text: string): void };

type Attribute = { definition_id: number; value?: string; note?: string };
type Draft = {
  readonly fields: Record<string, Json>;
  readonly records: JsonObject[];
  readonly surveyed_by: JsonObject[];
  readonly reviewer: JsonObject[];
  readonly ratings: Map<number, Attribute>;
  readonly formats: Map<number, Attribute>;
  readonly conservation_issues: Map<number, Attribute>;
};

/** Columns of which there may be several. */
const repeatable: ReadonlySet<string> = new Set(['record', 'surveyed_by', 'reviewer']);
const flags: ReadonlySet<string> = new Set([
  'accession_report',
  'appraisal',
  'container_list',
  'catalog_record',
  'control_file',
  'finding_aid_ead',
  'finding_aid_paper',
  'finding_aid_word',
  'finding_aid_spreadsheet',
  'finding_aid_online',
  'related_eac_records',
  'deed_of_gift',
  'review_required',
  'inactive',
  'sensitive_material',
]);
/** Columns that the template of peers calls otherwise. */
const otherNames: ReadonlyMap<string, string> = new Map([['documentation_notes', 'existing_description_notes']]);
const days: ReadonlySet<string> = new Set(['survey_begin', 'survey_end']);
const texts: ReadonlySet<string> = new Set([
  'existing_description_notes',
  'surveyed_duration',
  'surveyed_extent',
  'review_note',
  'purpose',
  'monetary_value',
  'monetary_value_note',
  'conservation_note',
  'scope',
  'general_assessment_note',
  'exhibition_value_note',
  'special_format_note',
]);
const recordPaths: Readonly<Record<string, string>> = {
  resource: 'resources',
  accession: 'accessions',
  archival_object: 'archival_objects',
  digital_object: 'digital_objects',
};
const sections = {
  rating: { type: 'rating', property: 'ratings' },
  format: { type: 'format', property: 'formats' },
  conservation: { type: 'conservation_issue', property: 'conservation_issues' },
} as const;

/** Yields an assessment for each row, but for those with faults. Memory holds one row. */
export async function* readAssessments(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  const lines: number[] = [];
  let line = 1;
  let element = '';
  const context = createContext(
    about,
    (record) => queue.push(record),
    () => ({ line, column: 0, element }),
  );
  const fail = (message: string): Error => importFailure(message, { line, column: 0, element });
  const faults = createSheetFaults();
  let names: readonly string[] | undefined;
  let columns: readonly (Column | null)[] | undefined;
  const headed = new Set<number>();
  for await (const row of readTable(chunks)) {
    line = row.line;
    element = '';
    if (names === undefined) {
      names = filledSections(row.cells);
      if (names[0] !== 'basic')
        throw fail(
          `The first row must name the sections of the columns, and begin with 'basic'. ${otherSeparator(row.cells) ?? ''}`.trim(),
        );
      continue;
    }
    if (columns === undefined) {
      const sectionNames: readonly string[] = names;
      const seen = new Set<string>();
      columns = row.cells.map((field, index) => {
        element = field;
        try {
          const section = sectionNames[index] ?? sectionNames.at(-1) ?? '';
          const column = field === '' ? null : columnOf(section, field, about);
          if (column !== null && !repeatable.has(column.name)) {
            const key = `${section} ${normal(column.name)}`;
            if (seen.has(key)) throw new Refusal('The column is there twice');
            seen.add(key);
          }
          if (column === null && field !== '')
            context.report.dropText(line, field, field, 'no column of this import; it is ignored');
          if (field !== '') headed.add(index);
          return column;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          faults.add(line, field, error.message);
          return null;
        }
      });
      continue;
    }
    const before = faults.count;
    const width = Math.max(names.length, columns.length);
    faultSurplus(faults, line, row.cells, width);
    const draft: Draft = {
      fields: {},
      records: [],
      surveyed_by: [],
      reviewer: [],
      ratings: new Map(),
      formats: new Map(),
      conservation_issues: new Map(),
    };
    for (const [index, cell] of row.cells.slice(0, width).entries()) {
      const text = valueOf(cell);
      if (text === undefined) continue;
      if (!headed.has(index)) {
        // Once for each column.
        headed.add(index);
        context.report.dropText(line, columnLetters(index), text, 'a column without a heading; it is ignored');
      }
      const column = columns[index] ?? null;
      if (column === null) continue;
      element = column.name;
      try {
        column.fill(draft, text);
        if (column.isFlag === true && flagOf(text) === undefined)
          context.report.dropText(line, column.name, text, unclearFlag);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        faults.add(line, column.name, error.message);
      }
    }
    element = '';
    if (faults.isFull) break;
    if (faults.count > before) continue;
    const { fields, records, surveyed_by, reviewer, ratings, formats, conservation_issues } = draft;
    context.emit({
      jsonmodel_type: 'assessment',
      uri: context.nextUri('assessment'),
      ...fields,
      records,
      surveyed_by,
      ...(reviewer.length === 0 ? {} : { reviewer }),
      ratings: [...ratings.values()],
      formats: [...formats.values()],
      conservation_issues: [...conservation_issues.values()],
    });
    lines.push(line);
    yield* queue.splice(0);
  }
  return { ...context.report.report(), lines, ...(faults.count === 0 ? {} : { faults: faults.list() }) };
}

/** Something that a column or a cell says and that cannot be. The reader adds line and column. */
class Refusal extends Error {}

/** The sections by column; a blank cell belongs to the section before it, as in sheets with joined cells. */
function filledSections(cells: readonly string[]): readonly string[] {
  let last = '';
  return cells.map((cell) => (last = cell === '' ? last : normal(cell)));
}

/** A label as it is compared: lower-case, a run of anything else than letters and digits as one `_`, none at the end. The template of peers has labels without their commas. */
const normal = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/(?<=.)_$/, '');

/** What a column fills, or null where it is none of this import. Refuses labels that no definition has, or several. */
function columnOf(section: string, field: string, about: ImportAbout): Column | null {
  const name = normal(field);
  if (section === 'basic') return basicColumn(otherNames.get(name) ?? name, about);
  if (section !== 'rating' && section !== 'format' && section !== 'conservation') return null;
  const { type, property } = sections[section];
  const own = (about.assessments?.definitions ?? []).filter((each) => each.type === type);
  const named = own.filter(({ label }) => normal(label) === name);
  const noted = section === 'rating' ? own.filter(({ label }) => `${normal(label)}_note` === name) : [];
  const found = named.length > 0 ? named : noted;
  const [definition] = found;
  if (definition === undefined)
    throw new Refusal(
      `Unknown ${section} in column header: ${field}. Allowed ${section === 'conservation' ? 'conservation issues' : `${section}s`} for this repository: ${own.map(({ label }) => label).join(', ')}`,
    );
  if (found.length > 1) throw new Refusal(`Ambiguous ${section} in column header: ${field}`);
  const isNote = named.length === 0;
  return {
    name: field,
    isFlag: section !== 'rating',
    fill: (draft, text) => {
      if (section !== 'rating' && flagOf(text) !== true) return;
      const entry = draft[property].get(definition.id) ?? { definition_id: definition.id };
      draft[property].set(definition.id, entry);
      if (isNote) entry.note = text;
      else entry.value = section === 'rating' ? text : 'true';
    },
  };
}

function basicColumn(name: string, about: ImportAbout): Column | null {
  if (name === 'record')
    return { name, fill: (draft, text) => void draft.records.push({ ref: recordUri(text, about.repositoryUri) }) };
  if (name === 'surveyed_by' || name === 'reviewer')
    return { name, fill: (draft, text) => void draft[name].push({ ref: agentUri(text, about.assessments) }) };
  if (flags.has(name))
    return { name, isFlag: true, fill: (draft, text) => void (draft.fields[name] = flagOf(text) === true) };
  if (texts.has(name)) return { name, fill: (draft, text) => void (draft.fields[name] = text) };
  if (days.has(name)) return { name, fill: (draft, text) => void (draft.fields[name] = dayOf(text, about.today)) };
  return null;
}

function recordUri(text: string, repositoryUri: string): string {
  const [, kind, id] = /^([a-z]+(?:_[a-z]+)*)[_/. ](\d{1,9})$/i.exec(text) ?? [];
  if (kind === undefined || id === undefined)
    throw new Refusal(
      `Invalid basic_record reference ${text}. Must have the form [resource|archival_object|accession|digital_object][delimiter]id. Where [delimiter] can be any of _ / . or space.`,
    );
  const path = Object.hasOwn(recordPaths, kind.toLowerCase()) ? recordPaths[kind.toLowerCase()] : undefined;
  if (path === undefined)
    throw new Refusal(
      `Invalid basic_record reference ${text}. Record type ${kind} not allowed. Must be one of ${Object.keys(recordPaths).join(', ')}`,
    );
  return `${repositoryUri}/${path}/${Number(id)}`;
}

function agentUri(name: string, lookups: AssessmentLookups | undefined): string {
  const uri = lookups?.agents.get(name.toLowerCase());
  if (uri === undefined) throw new Refusal(`User '${name}' does not exist`);
  return uri;
}

/** `m/d/y`, with month and day exchanged where the month cannot be one; of years with two digits those above this year are of the last century. */
function dayOf(text: string, today: string): string {
  const [, first, second, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})$/.exec(text) ?? [];
  const day =
    first === undefined || second === undefined || year === undefined
      ? readDate(text)
      : readDate(inOrder(Number(first), Number(second), fullYear(year, today)));
  if (day === null) throw new Refusal(`Not a date: ${text}`);
  return day;
}

function inOrder(first: number, second: number, year: number): string {
  const [month, day] = first > 12 ? [second, first] : [first, second];
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
}

function fullYear(year: string, today: string): number {
  if (year.length > 2) return Number(year);
  const thisYear = Number(today.slice(2, 4));
  const century = Number(today.slice(0, 2)) * 100;
  return Number(year) > thisYear ? century - 100 + Number(year) : century + Number(year);
}
