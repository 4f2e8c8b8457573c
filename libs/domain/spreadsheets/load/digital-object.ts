// The digital object of a row, with its files (contract trees-and-jobs 6.7): of both sheets, and in the columns of both releases.
import type { LoadBook } from './book.ts';
import type { Draft } from './draft.ts';
import { addParts, newDraft } from './draft.ts';
import { published } from './parts.ts';
import type { Part, PartColumns, RowReader } from './row-reader.ts';
import { readPart } from './row-reader.ts';

const fileColumns = (prefix: string): PartColumns => [
  ['file_uri', `${prefix}_file_uri`, 'text'],
  ['use_statement', `${prefix}_use_statement`, { list: 'file_version_use_statement' }],
  ['xlink_actuate_attribute', `${prefix}_xlink_actuate_attribute`, { list: 'file_version_xlink_actuate_attribute' }],
  ['xlink_show_attribute', `${prefix}_xlink_show_attribute`, { list: 'file_version_xlink_show_attribute' }],
  ['file_format_name', `${prefix}_file_format`, { list: 'file_version_file_format_name' }],
  ['file_format_version', `${prefix}_file_format_version`, 'text'],
  ['file_size_bytes', `${prefix}_file_size`, 'whole'],
  ['checksum', `${prefix}_checksum`, 'text'],
  ['checksum_method', `${prefix}_checksum_method`, { list: 'file_version_checksum_methods' }],
  ['caption', `${prefix}_caption`, 'text'],
];

/** The columns of a file that stands for the object. */
const representative = fileColumns('rep');
/** The columns of another file. */
const other = fileColumns('nonrep');

/** The codes of all columns of a digital object and its files, in both releases. */
export const digitalObjectCodes = [
  'digital_object_id',
  'digital_object_title',
  'digital_object_publish',
  ...[...representative, ...other].map(([, code]) => code),
  'nonrep_publish',
  'digital_object_link',
  'digital_object_link_publish',
  'thumbnail',
  'thumbnail_publish',
];

/** Where a digital object comes from: what it takes from its archival object, and the identifiers that are in use. */
export type DigitalAround = {
  readonly title: string;
  readonly publish: boolean | undefined;
  /** The code of the column for its flag. */
  readonly publishCode: string;
  readonly isTaken: (id: string) => boolean;
  /** The row of this sheet that has an identifier, by identifier. */
  readonly rows: Map<string, number>;
  readonly newId: () => string;
};

/** Whether the row of an archival object asks for a digital object: a flag alone does not. */
export const asksForDigitalObject = (reader: RowReader): boolean =>
  [
    'digital_object_id',
    'digital_object_title',
    'digital_object_link',
    'thumbnail',
    ...[...representative, ...other].map(([, code]) => code),
  ].some((code) => reader.has(code));

/** The draft of the digital object of a row; the caller completes it and adds it to the book. An identifier that is in use is a fault; without one it is random. */
export function readDigitalObject(
  reader: RowReader,
  { title, publish: inherited, publishCode, isTaken, rows, newId }: DigitalAround,
  book: LoadBook,
): Draft {
  const draft = newDraft('digital_object', book.nextUri('digital_object'));
  const id = reader.text('digital_object_id');
  const before = id === undefined ? undefined : rows.get(id);
  if (id !== undefined && isTaken(id)) reader.wrong('digital_object_id', `${id} is in use`);
  if (before !== undefined) reader.wrong('digital_object_id', `Row ${before} has ${id} as well`);
  if (id !== undefined && before === undefined) rows.set(id, reader.row);
  const publish = reader.flag(publishCode) ?? inherited;
  Object.assign(draft.body, {
    digital_object_id: id ?? newId(),
    title: reader.text('digital_object_title') ?? title,
    ...(publish === undefined ? {} : { publish }),
  });
  Object.assign(draft.columns, {
    digital_object_id: 'digital_object_id',
    title: 'digital_object_title',
    publish: publishCode,
  });
  addParts(draft, 'file_versions', readFiles(reader, publish));
  return draft;
}

function readFiles(reader: RowReader, publish: boolean | undefined): readonly Part[] {
  const files: Part[] = [];
  const file = (columns: PartColumns, more: object): void => {
    if (!columns.some(([, code]) => reader.has(code))) return;
    const { body, codes } = readPart(reader, columns);
    files.push({ body: { jsonmodel_type: 'file_version', ...body, ...more }, codes });
  };
  // The public sees the file that stands for an object, so it is published (contract records 3.2).
  file(representative, { is_representative: true, publish: true });
  file(other, published(reader, 'nonrep_publish', publish));
  const link = reader.text('digital_object_link');
  const thumbnail = reader.text('thumbnail');
  if (link !== undefined)
    files.push({
      body: {
        jsonmodel_type: 'file_version',
        file_uri: link,
        xlink_actuate_attribute: 'onRequest',
        xlink_show_attribute: 'new',
        ...published(reader, 'digital_object_link_publish', publish),
      },
      codes: { file_uri: 'digital_object_link' },
    });
  if (thumbnail !== undefined)
    files.push({
      body: {
        jsonmodel_type: 'file_version',
        file_uri: thumbnail,
        xlink_actuate_attribute: 'onLoad',
        xlink_show_attribute: 'embed',
        ...published(reader, 'thumbnail_publish', publish),
      },
      codes: { file_uri: 'thumbnail' },
    });
  return files;
}
