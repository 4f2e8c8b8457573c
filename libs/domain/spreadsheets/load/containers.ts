// The containers of rows (contract trees-and-jobs 6.7): found by barcode in the repository, else by type and indicator in the collection, else
// made. Rows that name the same container share it.
import { pairKey } from '../container-links.ts';
import type { LoadBook } from './book.ts';
import type { KnownContainer, LoadFacts } from './facts.ts';
import type { Part, RowReader } from './row-reader.ts';
import { isFilled } from './row-reader.ts';

/** The containers that a sheet may name; those that it makes come to them. */
export type ContainerShelf = { find(wanted: Wanted): KnownContainer | undefined; put(container: KnownContainer): void };

type Wanted = { readonly type: string | null; readonly indicator: string | null; readonly barcode: string | null };

/** A shelf with what is there. */
export function openShelf({ used, barcoded }: Pick<LoadFacts, 'used' | 'barcoded'>): ContainerShelf {
  const byBarcode = new Map<string, KnownContainer>();
  const byPair = new Map<string, KnownContainer[]>();
  const put = (container: KnownContainer): void => {
    if (container.barcode !== null) byBarcode.set(container.barcode, container);
    const key = pairKey(container.type, container.indicator);
    const alike = byPair.get(key) ?? [];
    byPair.set(key, [...alike.filter(({ uri }) => uri !== container.uri), container]);
  };
  for (const container of used) put(container);
  for (const container of barcoded) if (container.barcode !== null) byBarcode.set(container.barcode, container);
  return {
    put,
    find: ({ type, indicator, barcode }) => {
      if (barcode !== null && byBarcode.has(barcode)) return byBarcode.get(barcode);
      if (indicator === null) return undefined;
      // A container that has another barcode is another container.
      return byPair.get(pairKey(type, indicator))?.find((each) => barcode === null || each.barcode === null);
    },
  };
}

/** The codes of the columns of a container. */
export const containerCodes = [
  'cont_instance_type',
  'type_1',
  'indicator_1',
  'barcode',
  'type_2',
  'indicator_2',
  'type_3',
  'indicator_3',
];

/** The instances of a row that are in containers. */
export function readContainers(
  reader: RowReader,
  suffixes: readonly string[],
  shelf: ContainerShelf,
  book: LoadBook,
): readonly Part[] {
  return suffixes.flatMap((suffix): readonly Part[] => {
    const code = (name: string): string => `${name}${suffix}`;
    const instanceCode = code('cont_instance_type');
    if (!isFilled(reader, containerCodes, suffix)) return [];
    const instanceType = reader.openValue(instanceCode, 'instance_instance_type');
    if (!reader.has(instanceCode)) reader.wrong(instanceCode, 'Is required');
    if (instanceType === 'digital_object') reader.wrong(instanceCode, 'A container is no digital object');
    const wanted = {
      type: reader.openValue(code('type_1'), 'container_type') ?? null,
      indicator: reader.text(code('indicator_1')) ?? null,
      barcode: reader.text(code('barcode')) ?? null,
    };
    const values = subColumns.map(
      (name) =>
        [
          name,
          name.startsWith('type') ? reader.openValue(code(name), 'container_type') : reader.text(code(name)),
        ] as const,
    );
    const sub = Object.fromEntries(
      values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    );
    const ref = containerRef(reader, wanted, code, shelf, book);
    if (ref === undefined || instanceType === undefined) return [];
    const inside = Object.fromEntries(subColumns.map((name) => [`sub_container/${name}`, code(name)]));
    return [
      {
        body: {
          jsonmodel_type: 'instance',
          instance_type: instanceType,
          sub_container: { jsonmodel_type: 'sub_container', top_container: { ref }, ...sub },
        },
        codes: { instance_type: instanceCode, ...inside },
      },
    ];
  });
}

const subColumns = ['type_2', 'indicator_2', 'type_3', 'indicator_3'] as const;

function containerRef(
  reader: RowReader,
  wanted: Wanted,
  code: (name: string) => string,
  shelf: ContainerShelf,
  book: LoadBook,
): string | undefined {
  const found = shelf.find(wanted);
  const { type, indicator, barcode } = wanted;
  if (found === undefined) {
    if (indicator === null) {
      reader.wrong(
        code('indicator_1'),
        barcode === null
          ? 'A container needs an indicator or a barcode'
          : `No container has the barcode ${barcode}; to make one its indicator is needed`,
      );
      return undefined;
    }
    const body = { ...(type === null ? {} : { type }), indicator, ...(barcode === null ? {} : { barcode }) };
    const uri = book.make(reader, {
      kind: 'top_container',
      key: JSON.stringify([type, indicator, barcode]),
      body,
      columns: { type: code('type_1'), indicator: code('indicator_1'), barcode: code('barcode') },
      says: `top container ${named(wanted)}`,
    });
    shelf.put({ uri, ...wanted });
    return uri;
  }
  if (
    found.barcode === barcode &&
    indicator !== null &&
    pairKey(found.type, found.indicator) !== pairKey(type, indicator)
  )
    reader.note(`The barcode ${barcode} is that of ${named(found)}, not of ${named(wanted)}; that container is used`);
  if (barcode !== null && found.barcode === null) {
    if (book.amend(found.uri, { barcode })) shelf.put({ ...found, barcode });
    else reader.note(`${named(found)} is there without a barcode, and stays so: ${barcode} is left out`);
  }
  return found.uri;
}

const named = ({ type, indicator, barcode }: Wanted): string =>
  [type, indicator, barcode === null ? null : `[${barcode}]`].filter((part) => part !== null).join(' ');
