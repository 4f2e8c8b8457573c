// The sheet for changing archival objects over the records of a harbour board (test/support/harbour.ts): the sheet as a whole, and what each of its
// cells changes where somebody writes into it or empties it.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { textOf } from '#domain/json.ts';
import { applyRow } from '#domain/spreadsheets/apply-row.ts';
import type { SheetLookups } from '#domain/spreadsheets/apply-row.ts';
import { choicesOf } from '#domain/spreadsheets/choices.ts';
import { columnsFor, repeatsFor } from '#domain/spreadsheets/columns.ts';
import { describedObjects, objectFrom } from '#domain/spreadsheets/digital-objects.ts';
import { factsOf, highestRepeats } from '#domain/spreadsheets/facts.ts';
import type { SheetRecord } from '#domain/spreadsheets/facts.ts';
import { updaterSheets } from '#domain/spreadsheets/updater-workbook.ts';
import { harbourRecords, replyOf } from '#test/support/harbour.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { referenceLists } from '#test/support/make/lists.ts';

const linked: ReadonlyMap<string, JsonObject> = new Map(
  harbourRecords.map((record) => [record.uri, replyOf(record)] as const),
);
const sheetRecord = (id: number): SheetRecord => ({
  id,
  record: { lock_version: 4, ...linked.get(`/repositories/2/archival_objects/${id}`) },
  linked,
});
const records = [sheetRecord(1), sheetRecord(2)];
const facts = records.map(factsOf);
const [, full] = records;
const columns = columnsFor(
  [],
  repeatsFor(highestRepeats(facts), { minSubrecords: 1, extraSubrecords: 1, minNotes: 1 }),
);

/** Whoever is named is there: containers by their indicator, digital objects and accessions by their identifier. */
const lookups: SheetLookups = {
  containerUri: (_type, indicator) =>
    ['31', '32'].includes(indicator ?? '') ? `/repositories/2/top_containers/${indicator}` : undefined,
  containerNames: () => ['box, 31, BOX-0031', '(blank), 32, (blank)'],
  digitalObjectUri: (id) => (id.startsWith('PEHB') ? '/repositories/2/digital_objects/1' : undefined),
  accessionUri: (parts) => (parts.join('/') === '1988/07/A/x' ? '/repositories/2/accessions/1' : undefined),
};

const isOther = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** What became different of a record by property, null where it went; of lists the entries that did, by place. */
const changesOf = (before: JsonObject, after: JsonObject): object =>
  Object.fromEntries(
    Object.entries(after)
      .filter(([name, value]) => isOther(before[name], value))
      .map(([name, value]) => {
        const old = before[name];
        return [
          name,
          Array.isArray(value) && Array.isArray(old)
            ? Object.fromEntries([...value.entries()].filter(([at, entry]) => isOther(old[at], entry)))
            : (value ?? null),
        ];
      }),
  );

function outcomeOf(path: string, cell: string | null): unknown {
  const { id, record } = full ?? expect.fail('no record');
  const known = facts[1] ?? expect.fail('no facts');
  const cells = new Map<string, string | null>(columns.map((column) => [column.path, known.get(column.path) ?? null]));
  const row = { row: id, cells: cells.set(path, cell) };
  const { record: after, isChanged, isText, problems } = applyRow(record, known, row, lookups);
  const objects = describedObjects(row, known).map((described) => [
    described.id,
    described.column,
    objectFrom(
      described,
      described.id === 'PEHB.DO.3'
        ? { title: 'Letterbook 3, scanned', file_versions: [{ file_uri: 'a', publish: true }, { file_uri: 'b' }] }
        : null,
    ),
  ]);
  return {
    ...(isChanged ? { changed: changesOf(record, after) } : {}),
    ...(isText ? {} : { isText }),
    ...(problems.length === 0 ? {} : { problems }),
    ...(objects.length === 0 ? {} : { objects }),
  };
}

it('has the columns, rows and choices that are kept', async () => {
  const choices = choicesOf(referenceLists(), { archival_record_level: { file: 'Akte', series: 'Serie' } });
  const sheets = await Promise.all(
    updaterSheets(columns, facts, (list) => choices(list).slice(0, 6)).map(async ({ rows, ...sheet }) => ({
      ...sheet,
      rows: await Array.fromAsync(rows, (row) => row.map(({ value, style }) => [value, style].join(' | '))),
    })),
  );
  await expectKept(keptText({ columns, sheets }, 4), 'spreadsheets/updates.json');
});

it('changes what is kept of a record for each cell that is written into', async () => {
  const outcomes = Object.fromEntries(
    columns.map(({ path, isFlag }) => [path, outcomeOf(path, isFlag === true ? 'false' : 'Anew')]),
  );
  await expectKept(keptText(outcomes, 3), 'spreadsheets/written-cells.json');
});

it('changes what is kept of a record for each cell that is emptied', async () => {
  const outcomes = Object.fromEntries(
    columns.flatMap(({ path }) => (facts[1]?.has(path) === true ? [[path, outcomeOf(path, null)]] : [])),
  );
  await expectKept(keptText(outcomes, 3), 'spreadsheets/emptied-cells.json');
});

it('shows of every record what it is called by', () => {
  expect(facts.map((each) => each.get('title'))).toEqual(records.map(({ record }) => textOf(record, 'title')));
});
