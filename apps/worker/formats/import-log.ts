// The log of an import job as its owner reads it (contract trees-and-jobs 3.7): headings, numbered phases, what was created, what
// the reader left out, and the block of an error.
import { Failure } from '#domain/errors.ts';
import type { ImportReport } from '#domain/formats/reading/report.ts';
import type { Progress } from '#domain/job.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectsOf } from '#domain/json.ts';
import { propertyLines } from '../running/failure-words.ts';
import type { FilePlaces, Place } from './file-places.ts';

/** Parts left out that are listed for each file, and of one sort; the others are counted. */
const droppedShown = 200;
const shownOfSort = 20;

const rule = '='.repeat(50);

/** The lines of an import's log above what is said of a file. */
export const fileHeading = (name: string, importType: string): readonly string[] => [
  rule,
  `${importType}: ${name}`,
  rule,
];

/** Turns progress into `N. STARTED: <label>` and `N. DONE: <label>`; `end` closes the last phase. */
export function phaseLog(log: (line: string) => void): {
  readonly step: (progress: Progress) => void;
  readonly end: () => void;
} {
  let number = 0;
  let current: string | null = null;
  const end = (): void => {
    if (current !== null) log(`${number}. DONE: ${current}`);
    current = null;
  };
  return {
    step: ({ label }) => {
      if (label === current) return;
      end();
      number += 1;
      current = label;
      log(`${number}. STARTED: ${label}`);
    },
    end,
  };
}

/** What a reader made of a file, and what it left out and why. */
export function reportLines(report: ImportReport): readonly string[] {
  const counts = Object.entries(report.records).map(([kind, count]) => `${kind} ${count}`);
  return [
    // The line that clients of peers look for (contract, imports section 1).
    ...(counts.length === 0 ? ['No records were found in the input file!'] : []),
    ...(report.emptyBecause === undefined ? [] : [`Nothing was made of the file: ${report.emptyBecause}`]),
    `Read: ${counts.length === 0 ? 'nothing' : counts.join(', ')}`,
    ...(report.droppedTotal === 0 ? [] : [`Left out: ${report.droppedTotal}`, ...leftOutLines(report)]),
  ];
}

/** The first parts of each sort that is left out, then how many more there are of which. */
function leftOutLines({ dropped, droppedSorts, droppedTotal }: ImportReport): readonly string[] {
  const shown = new Map<string, number>();
  const sortOf = ({ element, reason }: { readonly element: string; readonly reason: string }): string =>
    `${element}: ${reason}`;
  const lines: string[] = [];
  for (const part of dropped) {
    const sort = sortOf(part);
    const before = shown.get(sort) ?? 0;
    if (before === shownOfSort || lines.length === droppedShown) continue;
    shown.set(sort, before + 1);
    lines.push(`\tline ${part.line}, ${sort}${part.text === '' ? '' : `: ${part.text.replaceAll(/\s+/g, ' ')}`}`);
  }
  const more = droppedSorts
    .map((sort) => ({ sort: sortOf(sort), count: sort.count - (shown.get(sortOf(sort)) ?? 0) }))
    .filter(({ count }) => count > 0)
    .slice(0, droppedShown);
  const rest = more.reduce((left, { count }) => left - count, droppedTotal - lines.length);
  return [
    ...lines,
    ...more.map(({ sort, count }) => `\t… and ${count} more: ${sort}`),
    ...(rest > 0 ? [`\t… and ${rest} more`] : []),
  ];
}

/**
 * The block of a failed import; one tab-indented line for each field that is wrong. Further bad records follow, a line for each field of
 * each. Where `placeOf` knows file and row of a record, lines with them stand before it.
 */
export function errorLines(error: unknown, placeOf: FilePlaces['placeOf'] = nowhere): readonly string[] {
  const failure = error instanceof Failure ? error.error : null;
  const about = isObject(failure) ? failure : {};
  const fields = isObject(about['errors'])
    ? propertyLines(about['errors'])
    : Object.entries(about)
        .filter(([name, value]) => value !== null && name !== 'faults')
        .map(([name, value]) => `\t${name} : ${textOf(value)}`);
  const record = about['record_number'] === undefined ? [] : [recordLine(about)];
  return [
    rule,
    'IMPORT ERROR',
    rule,
    ...placeLines(placeOf(numberOf(about))),
    ...record,
    'The following errors were found:',
    ...(fields.length > 0
      ? fields
      : [
          `\t${error instanceof Failure ? error.message : 'The job failed for a reason that is in the log of the server'}`,
        ]),
    ...sheetLines(about),
    ...allRecords(error, placeOf),
  ];
}

/** Every cell of sheets that cannot be read, where there are several. */
function sheetLines(about: JsonObject): readonly string[] {
  const faults = objectsOf(about, 'faults');
  if (faults.length === 0) return [];
  return [
    `Faults of cells: ${faults.length}`,
    ...faults.map(
      ({ file, line, column, message }) =>
        `\t${file === undefined ? '' : `${textOf(file)}, `}line ${textOf(line)}, ${textOf(column)}: ${textOf(message)}`,
    ),
  ];
}

/** Every bad record of a batch, where more than the first is known (find-faults.ts). */
function allRecords(error: unknown, placeOf: FilePlaces['placeOf']): readonly string[] {
  const report = error instanceof Failure ? error.extra['report'] : undefined;
  if (!isObject(report)) return [];
  const faults = objectsOf(report, 'faults');
  return [
    `Bad records: ${report['complete'] === true ? faults.length : `the first ${faults.length}`}`,
    ...faults.flatMap((fault) => [
      ...placeLines(placeOf(numberOf(fault))),
      recordLine(fault),
      ...(isObject(fault['errors']) ? propertyLines(fault['errors']) : []),
    ]),
  ];
}

const nowhere = (): Place => ({ file: null, line: null });
const placeLines = ({ file, line }: Place): readonly string[] => [
  ...(file === null ? [] : [`File: ${file}`]),
  ...(line === null ? [] : [`Line: ${line}`]),
];
const numberOf = (about: JsonObject): number | null =>
  typeof about['record_number'] === 'number' ? about['record_number'] : null;
/** The number of a record, and what it says of itself. */
function recordLine(about: JsonObject): string {
  const said = [about['record_type'], about['record_title'], about['record_uri']].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  return `Record ${String(about['record_number'])}${said.length === 0 ? '' : `: ${said.join(' ')}`}`;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value));
