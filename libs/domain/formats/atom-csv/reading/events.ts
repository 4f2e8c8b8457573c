// Events of AtoM: who did what when. The n-th type, date and actor of a row belong together.
import type { JsonObject } from '../../../json.ts';
import type { ReadingContext } from '../../reading/context.ts';
import { pushOnce } from '../../reading/record-parts.ts';
import { standardForm } from '../../reading/structured-dates.ts';
import type { AtomAbout } from './names.ts';
import { emitNamed } from './names.ts';
import type { AtomRow } from './sheet.ts';

/** What events become: dates, and links to agents. */
export type AtomEvents = { readonly dates: readonly JsonObject[]; readonly agents: readonly JsonObject[] };

/** Labels of dates, and relators of who did it, by the type of event in lower case. */
const types: ReadonlyMap<string, { readonly label: string; readonly relator?: string }> = new Map([
  ['creation', { label: 'creation' }],
  ['accumulation', { label: 'record_keeping', relator: 'col' }],
  ['collection', { label: 'record_keeping', relator: 'col' }],
  ['custody', { label: 'record_keeping' }],
  ['contribution', { label: 'creation', relator: 'ctb' }],
  ['publication', { label: 'publication', relator: 'pbl' }],
  ['broadcasting', { label: 'broadcast' }],
  ['manufacturing', { label: 'creation', relator: 'mfr' }],
  ['distribution', { label: 'issued', relator: 'dst' }],
  ['reproduction', { label: 'digitized' }],
]);

/** Columns of events; the first that the sheet has counts. Older sheets have creators and dates of creation alone. */
const columns = {
  actors: ['eventActors', 'creators'],
  types: ['eventTypes'],
  dates: ['eventDates', 'creatorDates', 'creationDates'],
  starts: ['eventStartDates', 'creatorDatesStart', 'creationDatesStart'],
  ends: ['eventEndDates', 'creatorDatesEnd', 'creationDatesEnd'],
} as const;

/** Histories of actors by their name: the first that a row has counts for all, others are told. */
export function readHistories(context: ReadingContext, rows: readonly AtomRow[]): ReadonlyMap<string, string> {
  const histories = new Map<string, string>();
  for (const row of rows) {
    const actors = valuesOf(row, columns.actors);
    for (const column of ['eventActorHistories', 'creatorHistories'])
      for (const [index, text] of row.places(column).entries()) {
        const actor = actors[index] ?? '';
        if (text === '') continue;
        if (actor === '')
          context.report.dropText(row.line, column, text, 'the history of nobody: there is no actor in its place');
        else if (!histories.has(actor)) histories.set(actor, text);
        else if (histories.get(actor) !== text)
          context.report.dropText(row.line, column, text, `another history of ${actor} is kept, which came first`);
      }
  }
  return histories;
}

/** The events of a row; `about` says what is known of an actor. */
export function readEvents(context: ReadingContext, row: AtomRow, about: (actor: string) => AtomAbout): AtomEvents {
  const [actors, named, texts, starts, ends] = [
    columns.actors,
    columns.types,
    columns.dates,
    columns.starts,
    columns.ends,
  ].map((each) => {
    reportOthers(context, row, each);
    return valuesOf(row, each);
  });
  const count = Math.max(...[actors, named, texts, starts, ends].map((values) => values?.length ?? 0));
  const dates: JsonObject[] = [];
  const agents: JsonObject[] = [];
  const seen = new Set<string>();
  const at = (values: readonly string[] | undefined, index: number): string => values?.[index] ?? '';
  for (let index = 0; index < count; index += 1) {
    const given = at(named, index);
    const type = types.get(given === '' ? 'creation' : given.toLowerCase());
    if (type === undefined)
      context.report.dropTextOnce(
        row.line,
        'eventTypes',
        given,
        'no type of event that has a place; its date is "other"',
      );
    const date = dateOf(context, row, type?.label ?? 'other', at(texts, index), at(starts, index), at(ends, index));
    if (date !== undefined) dates.push(date);
    const actor = at(actors, index);
    if (actor === '' && date === undefined)
      context.report.dropText(row.line, 'eventTypes', given, 'an event of which neither actor nor date is told');
    if (actor === '') continue;
    const ref = emitNamed(context, { line: row.line, column: 'eventActors' }, actor, about(actor));
    const link = { ref, role: 'creator', ...(type?.relator === undefined ? {} : { relator: type.relator }) };
    pushOnce(agents, link, seen);
  }
  return { dates, agents };
}

function valuesOf(row: AtomRow, names: readonly string[]): readonly string[] {
  return names.map((name) => row.places(name)).find((values) => values.some((value) => value !== '')) ?? [];
}

/** Tells what stands in further columns of the same meaning, unless it repeats the one that counts. */
function reportOthers(context: ReadingContext, row: AtomRow, names: readonly string[]): void {
  const [first, ...others] = names.filter((name) => row.list(name).length > 0);
  for (const name of others)
    if (row.cell(name) !== row.cell(first ?? ''))
      context.report.dropText(row.line, name, row.cell(name) ?? '', `the row has ${first ?? ''}, which counts`);
}

function dateOf(
  context: ReadingContext,
  row: AtomRow,
  label: string,
  text: string,
  start: string,
  end: string,
): JsonObject | undefined {
  const begin = isoOf(context, row, 'eventStartDates', start);
  const last = isoOf(context, row, 'eventEndDates', end);
  const isOrdered = begin !== undefined && last !== undefined && (last >= begin || begin.startsWith(last));
  if (begin !== undefined && last !== undefined && !isOrdered)
    context.report.dropText(row.line, 'eventEndDates', end, 'an end before its beginning');
  // An end alone is a day of its own.
  const from = begin ?? last;
  if (text === '' && from === undefined) return undefined;
  const isRange = isOrdered && begin !== last;
  return {
    jsonmodel_type: 'date',
    label,
    date_type: from !== undefined && !isRange ? 'single' : 'inclusive',
    ...(text === '' ? {} : { expression: text }),
    ...(from === undefined ? {} : { begin: from }),
    ...(isRange ? { end: last } : {}),
  };
}

/** `1984`, `1984-12`, `1984-12-31`; zeros stand for what is not known. */
function isoOf(context: ReadingContext, row: AtomRow, column: string, text: string): string | undefined {
  if (text === '') return undefined;
  const known = standardForm(text.replace(/^(\d{4})-00(?:-\d{2})?$/, '$1').replace(/^(\d{4}-\d{2})-00$/, '$1'));
  if (known === undefined) context.report.dropText(row.line, column, text, 'no day as YYYY, YYYY-MM or YYYY-MM-DD');
  return known;
}
