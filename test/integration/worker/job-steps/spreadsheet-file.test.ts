// The spreadsheet of a job: which file it is, what is told of what is not read, which resource it is for, and how its faults are told.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';
import { readCodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import { writeBlob } from '#store/files/blobs.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { xlsx } from '#test/support/sheet-job.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';
import {
  readSheetFile,
  resourceIdOf,
  tellSheetFaults,
  tellUnknownColumns,
} from '../../../../apps/worker/job-steps/spreadsheet-file.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
});
afterAll(() => api[Symbol.asyncDispose]());

type File = { readonly role: string; readonly sizeBytes: number; readonly blobId: string };

/** What of a job's surroundings reads a sheet, the thread being the test's own; and what was told. */
function surroundings(files: readonly File[] = []): { readonly context: JobContext; readonly told: string[] } {
  const told: string[] = [];
  const context = {
    database: api.database,
    files: async () => files,
    signal: new AbortController().signal,
    threads: { run: async (_task: string, sheet: Parameters<typeof readCodedSheet>[0]) => readCodedSheet(sheet) },
    log: (line: string) => void told.push(line),
    tellFailure: (lines: readonly string[]) => void told.push(...lines.map((line) => `! ${line}`)),
  } as unknown as JobContext;
  return { context, told };
}

const fileOf = async (bytes: Uint8Array, role = 'input'): Promise<File> => {
  const { id, sizeBytes } = await writeBlob(api.database, [bytes]);
  return { role, sizeBytes, blobId: id };
};
const failed = async (files: readonly File[]): Promise<unknown> =>
  readSheetFile('csv', surroundings(files).context).catch((error: unknown) => error);

describe('the file', () => {
  const csv = Buffer.from('Heading,Title,\nField codes,title,,level\n,Letters,,file\n');

  it('is the one that was given; what is behind its first sheet, and columns without headings, are told', async () => {
    const output = await fileOf(Buffer.from('of an earlier run'), 'output');
    const { context, told } = surroundings([output, await fileOf(csv)]);
    const sheet = await readSheetFile('csv', context);
    expect([sheet.codes, sheet.rows.map(({ row, cells }) => [row, ...cells])]).toEqual([
      ['title', 'level'],
      [[3, ['title', 'Letters'], ['level', 'file']]],
    ]);
    expect(told).toEqual([]);

    const table = [
      ['Heading', 'Title'],
      ['Field codes', 'title'],
      ['', 'Letters', 'lost'],
    ];
    const book = surroundings([await fileOf(xlsx(table, ['Second', 'Third']))]);
    await readSheetFile('xlsx', book.context);
    expect(book.told).toEqual([
      'Only the first sheet, Any name, is read; left out: Second | Third',
      'Warning: a column without a heading; it is ignored: C',
    ]);
  });

  it('without rows is read, and told to be empty', async () => {
    const { context, told } = surroundings([await fileOf(csv.subarray(0, csv.indexOf(',Letters')))]);
    expect((await readSheetFile('csv', context)).rows).toEqual([]);
    expect(told).toEqual(['Warning: the sheet has no rows of data, which have nothing in their first column']);
  });

  it('is one, and no larger than 50 MB', async () => {
    const one = await fileOf(csv);
    const needed = fail('import_failed', { message: 'The job needs one spreadsheet' });
    expect([await failed([]), await failed([one, one]), await failed([{ ...one, role: 'output' }])]).toEqual([
      needed,
      needed,
      needed,
    ]);
    expect(await failed([{ ...one, sizeBytes: 50_000_001 }])).toEqual(
      fail('too_large', 'The spreadsheet is larger than 50000000 bytes'),
    );
    expect(await failed([{ ...one, sizeBytes: 50_000_000 }])).not.toBeInstanceOf(Error);
  });
});

it('is for the resource of the repository of the job that it names by id or address', () => {
  const idOf = (params: object, job: object = {}): unknown => {
    try {
      return resourceIdOf({ ...params }, { ...job }, 2);
    } catch (error) {
      return error;
    }
  };
  const none = fail('bad_parameter', { rid: ['Must be the id of a resource of the repository of the job'] });
  expect([
    idOf({ rid: 7 }, { resource_id: 8 }),
    idOf({ rid: '123456789' }),
    idOf({}, { resource_id: '8' }),
    idOf({}, { resource_id: '/repositories/2/resources/9' }),
  ]).toEqual([7, 123_456_789, 8, 9]);
  for (const rid of [
    '1234567890',
    '-1',
    'x',
    '/repositories/3/resources/9',
    '/repositories/2/accessions/9',
    '/agents/people/1',
  ])
    expect(idOf({ rid })).toEqual(none);
  expect(idOf({})).toEqual(none);
});

describe('what is wrong', () => {
  const fault = (row: number | null, message: string, column: string | null = null): SheetFault => ({
    row,
    column,
    message,
  });
  const faults = [fault(9, 'late', 'title'), fault(null, 'of the sheet'), fault(3, 'early')];
  const thrown = (act: () => void): unknown => {
    try {
      act();
    } catch (error) {
      return error;
    }
    return null;
  };

  it('is told by row, that of the sheet first, and fails the job', () => {
    const { context, told } = surroundings();
    expect(thrown(() => tellSheetFaults(faults, 'Boxes', context))).toEqual(
      fail('import_failed', {
        message: '3 cells or rows are wrong; nothing was changed',
        faults: [
          { sheet: 'Boxes', row: null, column: null, message: 'of the sheet' },
          { sheet: 'Boxes', row: 3, column: null, message: 'early' },
          { sheet: 'Boxes', row: 9, column: 'title', message: 'late' },
        ],
      }),
    );
    expect(told).toEqual([
      '! Errors encountered during processing of the sheet Boxes. Nothing was changed.',
      'Row N/A, column N/A: of the sheet',
      'Row 3, column N/A: early',
      'Row 9, column title: late',
    ]);
  });

  it('is told in a form of its own, and of very much the first thousand', () => {
    const { context, told } = surroundings();
    const many = Array.from({ length: 1001 }, (_, index) => fault(index + 1, 'odd'));
    const form = { heading: 'Odd', textOf: ({ row }: SheetFault) => `row ${row}`, before: '\n' };
    const error = thrown(() => tellSheetFaults(many, null, context, form));
    expect(Object(error).error).toMatchObject({ message: '1001 cells or rows are wrong; nothing was changed' });
    expect(Object(error).error.faults).toHaveLength(1000);
    expect([told.length, told[0], told[1], told[1000], told[1001]]).toEqual([
      1002,
      '! Odd',
      '\nrow 1',
      '\nrow 1000',
      '\n… and 1 more',
    ]);
    expect(thrown(() => tellSheetFaults([fault(1, 'x')], null, context))).toBeInstanceOf(Error);
    expect(told.slice(1002)).toEqual([
      '! Errors encountered during processing. Nothing was changed.',
      'Row 1, column N/A: x',
    ]);
  });

  it('is nothing where there are no faults; columns that are none are told', () => {
    const { context, told } = surroundings();
    tellSheetFaults([], 'Boxes', context);
    tellUnknownColumns(['titel'], context);
    expect(told).toEqual(['Warning: no column of this sheet; it is ignored: titel']);
  });
});
