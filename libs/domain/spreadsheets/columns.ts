// The columns of the spreadsheet for changing many archival objects (contract trees-and-jobs 6.2): headings, paths, lists, order.

/** What a cell of a column holds: text, a value of a controlled list, or true and false. */
export type Column = {
  readonly path: string;
  readonly heading: string;
  readonly list?: string;
  readonly isFlag?: true;
  readonly isLocked?: true;
};

/** How often each repeated group is there, by the beginning of its paths: `dates`, `note/scopecontent`. */
export type Repeats = { readonly [group: string]: number };

type Field = readonly [name: string, heading: string, list?: string];

/** A repeated group: `select` is its name in requests. */
type Group = {
  readonly group: string;
  readonly select: string;
  readonly heading: string;
  readonly fields: readonly Field[];
};

const flag = 'boolean';

/** Types of notes in the order of their columns. Of a multipart note its first text is shown, of a single part note its first content. */
export const multipartNotes = [
  'accessrestrict',
  'scopecontent',
  'bioghist',
  'accruals',
  'dimensions',
  'altformavail',
  'odd',
  'phystech',
  'processinfo',
  'relatedmaterial',
  'separatedmaterial',
] as const;
/** See multipartNotes. */
export const singlepartNotes = ['abstract', 'physdesc'] as const;

const recordFields: readonly (Field & { readonly select?: string })[] = [
  ['id', 'Id'],
  ['lock_version', 'Version'],
  ['title', 'Title'],
  ['level', 'Level of Description', 'archival_record_level'],
  ['ref_id', 'Ref ID'],
  ['component_id', 'Component Unique Identifier'],
  ['repository_processing_note', 'Repository Processing Note'],
  ['publish', 'Publish?', flag],
];
const always: ReadonlySet<string> = new Set(['id', 'lock_version', 'title']);
const locked: ReadonlySet<string> = new Set(['id', 'lock_version', 'ref_id']);

const restriction: readonly Field[] = [
  ['begin', 'Begin'],
  ['end', 'End'],
  ['local_access_restriction_type', 'Type', 'restriction_type'],
];

/** The repeated groups in the order of their columns. */
export const groups: readonly Group[] = [
  {
    group: 'language_and_script',
    select: 'langmaterial',
    heading: 'Language',
    fields: [
      ['language', 'Language', 'language_iso639_2'],
      ['script', 'Script', 'script_iso15924'],
    ],
  },
  { group: 'note_langmaterial', select: 'langmaterial', heading: 'Language Note', fields: [['content', 'Content']] },
  {
    group: 'dates',
    select: 'date',
    heading: 'Date',
    fields: [
      ['label', 'Label', 'date_label'],
      ['expression', 'Expression'],
      ['begin', 'Begin'],
      ['end', 'End'],
      ['certainty', 'Certainty', 'date_certainty'],
    ],
  },
  {
    group: 'extents',
    select: 'extent',
    heading: 'Extent',
    fields: [
      ['portion', 'Portion', 'extent_portion'],
      ['number', 'Number'],
      ['extent_type', 'Type', 'extent_extent_type'],
      ['container_summary', 'Container Summary'],
      ['physical_details', 'Physical Details'],
      ['dimensions', 'Dimensions'],
    ],
  },
  {
    group: 'instances',
    select: 'instance',
    heading: 'Instance',
    fields: [
      ['instance_type', 'Type', 'instance_instance_type'],
      ['top_container_type', 'Top Container Type', 'container_type'],
      ['top_container_indicator', 'Top Container Indicator'],
      ['top_container_barcode', 'Top Container Barcode'],
      ['sub_container_type_2', 'Child Type', 'container_type'],
      ['sub_container_indicator_2', 'Child Indicator'],
      ['sub_container_barcode_2', 'Child Barcode'],
      ['sub_container_type_3', 'Grandchild Type', 'container_type'],
      ['sub_container_indicator_3', 'Grandchild Indicator'],
    ],
  },
  {
    group: 'digital_object',
    select: 'digital_object',
    heading: 'Digital Object',
    fields: [
      ['digital_object_id', 'Identifier'],
      ['digital_object_title', 'Title'],
      ['digital_object_publish', 'Publish?', flag],
      ['file_version_file_uri', 'File URI'],
      ['file_version_caption', 'Caption'],
      ['file_version_publish', 'File Publish?', flag],
    ],
  },
  {
    group: 'related_accessions',
    select: 'related_accession',
    heading: 'Related Accession',
    fields: [
      ['id_0', 'Identifier 1'],
      ['id_1', 'Identifier 2'],
      ['id_2', 'Identifier 3'],
      ['id_3', 'Identifier 4'],
    ],
  },
  ...[...multipartNotes, ...singlepartNotes].map((type): Group => ({
    group: `note/${type}`,
    select: `note_${type}`,
    heading: `Note ${type}`,
    fields: [['content', 'Content'], ['label', 'Label'], ...(type === 'accessrestrict' ? restriction : [])],
  })),
];

/** How a request widens the sheet. */
export type Widths = { readonly minSubrecords: number; readonly extraSubrecords: number; readonly minNotes: number };

const widened: ReadonlySet<string> = new Set(['dates', 'extents', 'instances', 'digital_object']);

/** How often each group is repeated, from how often records have it at most (contract 6.1; notes are counted by record). */
export function repeatsFor(highest: Repeats, { minSubrecords, extraSubrecords, minNotes }: Widths): Repeats {
  return Object.fromEntries(
    groups.map(({ group }) => {
      const count = highest[group] ?? 0;
      if (group.startsWith('note/')) return [group, Math.max(minNotes, count)];
      return [group, widened.has(group) ? Math.max(minSubrecords, count + extraSubrecords) : Math.max(count, 1)];
    }),
  );
}

/** The columns of the chosen groups (none chosen: all), in order. */
export function columnsFor(selected: readonly string[], repeats: Repeats): readonly Column[] {
  const isChosen = (name: string): boolean => selected.length === 0 || selected.includes(name);
  const record = recordFields
    .filter(([name]) => always.has(name) || isChosen(name))
    .map((field) => columnOf(field[0], field[1], field[2]));
  const repeated = groups
    .filter(({ select }) => isChosen(select))
    .flatMap(({ group, heading, fields }) => {
      const times = Array.from({ length: repeats[group] ?? 0 }, (_, index) => index);
      const said = group.startsWith('note')
        ? (n: number, name: string): string => `${heading} - ${n + 1} - ${name}`
        : (n: number, name: string): string => `${heading} ${n + 1} - ${name}`;
      return times.flatMap((index) =>
        fields.map(([name, title, list]) => columnOf(`${group}/${index}/${name}`, said(index, title), list)),
      );
    });
  return [...record, ...repeated];
}

function columnOf(path: string, heading: string, list: string | undefined): Column {
  const more = list === undefined ? {} : list === flag ? { isFlag: true as const } : { list };
  return { path, heading, ...more, ...(locked.has(path) ? { isLocked: true as const } : {}) };
}

/** The path of a column taken apart: `dates/0/begin` and `note/odd/1/content` name a place in a group, others a field of the record. */
export type ColumnPath =
  | { readonly group: string; readonly index: number; readonly field: string }
  | { readonly field: string };

/** Takes a path apart; null where no column has it. */
export function parsePath(path: string): ColumnPath | null {
  if (recordFields.some(([name]) => name === path)) return { field: path };
  const match = /^(.+)\/(\d{1,4})\/([a-z0-9_]+)$/.exec(path);
  const group = groups.find((each) => each.group === match?.[1]);
  const field = match?.[3] ?? '';
  return group === undefined || !group.fields.some(([name]) => name === field)
    ? null
    : { group: group.group, index: Number(match?.[2]), field };
}

/** The controlled list behind a path, `boolean` for flags, or undefined for text. */
export function listOfPath(path: string): string | undefined {
  const parsed = parsePath(path);
  if (parsed === null) return undefined;
  const fields = 'group' in parsed ? (groups.find(({ group }) => group === parsed.group)?.fields ?? []) : recordFields;
  return fields.find(([name]) => name === parsed.field)?.[2];
}
