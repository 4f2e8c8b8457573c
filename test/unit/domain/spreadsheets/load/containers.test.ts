// Which container a row means: by barcode, by type and indicator, or a new one that rows share.
import { describe, expect, test } from 'vitest';
import { openBook } from '#domain/spreadsheets/load/book.ts';
import { openShelf, readContainers } from '#domain/spreadsheets/load/containers.ts';
import { readRow } from '#domain/spreadsheets/load/row-reader.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';

const container = (id: number, type: string | null, indicator: string, barcode: string | null = null) => ({
  uri: `c${id}`,
  type,
  indicator,
  barcode,
});
const lists = {
  value: (list: string, text: string) =>
    ['box', 'folder', 'text'].includes(text.toLowerCase()) || list !== 'container_type'
      ? text.toLowerCase()
      : undefined,
  isOpen: () => true,
};

/** The containers of rows, those that are made by their order, with what is told of them. */
function containersOf(
  rows: readonly { readonly [code: string]: string }[],
  used: ReturnType<typeof container>[] = [],
  barcoded: ReturnType<typeof container>[] = [],
) {
  const shelf = openShelf({ used, barcoded });
  const book = openBook(2, 'aa');
  const faults: SheetFault[] = [];
  const notes: string[] = [];
  const refs = rows.map((row, at) =>
    readContainers(
      readRow({ row: at, cells: new Map(Object.entries(row)) }, lists, faults, notes),
      ['', '_2'],
      shelf,
      book,
    ).map(({ body }) =>
      JSON.parse(JSON.stringify(body)).sub_container.top_container.ref.replace(
        '/repositories/2/top_containers/import_aa-',
        'new',
      ),
    ),
  );
  const made = book.records.map(({ record: { type, indicator, barcode } }) => [
    type ?? null,
    indicator,
    barcode ?? null,
  ]);
  return { refs, made, faults: faults.map(({ row, column }) => `${row} ${column}`), notes };
}
const box = (indicator: string, more: object = {}) => ({
  cont_instance_type: 'text',
  type_1: 'Box',
  indicator_1: indicator,
  ...more,
});

describe('the container of a row', () => {
  test('is made once for rows with the same type and indicator, and takes a barcode that a later row tells', () => {
    expect(
      containersOf([
        box('1'),
        box('1'),
        box('1', { barcode: 'x' }),
        box('1', { barcode: 'y' }),
        { cont_instance_type: 'text', indicator_1: '1' },
        { cont_instance_type: 'text', barcode: 'y' },
      ]),
    ).toEqual({
      refs: [['new1'], ['new1'], ['new1'], ['new2'], ['new3'], ['new2']],
      made: [
        ['box', '1', 'x'],
        ['box', '1', 'y'],
        [null, '1', null],
      ],
      faults: [],
      notes: [],
    });
  });

  test('is that of the collection with its type and indicator, the oldest, or that of the repository with its barcode', () => {
    const used = [container(1, 'box', '1'), container(2, 'box', '1'), container(3, 'box', '2', 'b2')];
    expect(
      containersOf(
        [
          box('1'),
          box('2'),
          box('2', { barcode: 'other' }),
          { ...box('9', { barcode: 'b9' }), cont_instance_type_2: 'text', barcode_2: 'b2' },
          box('1', { barcode: 'new' }),
        ],
        used,
        [container(9, 'carton', '9', 'b9')],
      ),
    ).toEqual({
      refs: [['c1'], ['c3'], ['new1'], ['c9', 'c3'], ['c1']],
      made: [['box', '2', 'other']],
      faults: [],
      notes: [
        'The barcode b9 is that of carton 9 [b9], not of box 9 [b9]; that container is used',
        'box 1 is there without a barcode, and stays so: new is left out',
      ],
    });
  });

  test('needs an instance type, and an indicator or a barcode that is known', () => {
    expect(
      containersOf([
        { type_1: 'box', indicator_1: '1' },
        { cont_instance_type: 'text' },
        { cont_instance_type: 'text', barcode: 'unknown' },
        { cont_instance_type: 'Digital_Object', indicator_1: '1' },
      ]).faults,
    ).toEqual(['0 cont_instance_type', '1 indicator_1', '2 indicator_1', '3 cont_instance_type']);
  });
});
