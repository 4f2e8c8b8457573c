// The sub-records that rows of both sheets to load have alike: dates, extents, languages, notes (contract trees-and-jobs 6.7).
import type { Json } from '../../json.ts';
import type { Part, PartColumns, RowReader } from './row-reader.ts';
import { isFilled, readPart } from './row-reader.ts';

/** The columns of a date. */
export const dateColumns: PartColumns = [
  ['label', 'dates_label', { list: 'date_label' }],
  ['begin', 'begin', 'text'],
  ['end', 'end', 'text'],
  ['date_type', 'date_type', { list: 'date_type' }],
  ['expression', 'expression', 'text'],
  ['certainty', 'date_certainty', { list: 'date_certainty' }],
];

/** The dates of a row; a label or type alone is no date. Without a label it is that of creation, without a type inclusive. */
export function readDates(reader: RowReader, suffixes: readonly string[]): readonly Part[] {
  return suffixes
    .filter((suffix) => isFilled(reader, ['begin', 'end', 'expression'], suffix))
    .map((suffix) => {
      const { body, codes } = readPart(reader, dateColumns, suffix);
      return { codes, body: { jsonmodel_type: 'date', label: 'creation', date_type: 'inclusive', ...body } };
    });
}

/** The columns of an extent. */
export const extentColumns: PartColumns = [
  ['portion', 'portion', { list: 'extent_portion' }],
  ['number', 'number', 'text'],
  ['extent_type', 'extent_type', { list: 'extent_extent_type' }],
  ['container_summary', 'container_summary', 'text'],
  ['physical_details', 'physical_details', 'text'],
  ['dimensions', 'dimensions', 'text'],
];

/** The extents of a row; a portion alone is none. */
export function readExtents(reader: RowReader, suffixes: readonly string[]): readonly Part[] {
  const telling = extentColumns.map(([, code]) => code).filter((code) => code !== 'portion');
  return suffixes
    .filter((suffix) => isFilled(reader, telling, suffix))
    .map((suffix) => {
      const { body, codes } = readPart(reader, extentColumns, suffix);
      return { codes, body: { jsonmodel_type: 'extent', portion: 'whole', ...body } };
    });
}

/** The columns of a language; its note has columns of its own. */
export const languageColumns: PartColumns = [
  ['language', 'l_lang', { list: 'language_iso639_2' }],
  ['script', 'l_langscript', { list: 'script_iso15924' }],
];

/** The languages and the language notes of a row. `inside`: where in a lang_material the properties of the codes are. */
export function readLanguages(
  reader: RowReader,
  suffixes: readonly string[],
  publish: boolean | undefined,
): readonly { readonly part: Part; readonly inside: string }[] {
  return suffixes.flatMap((suffix) => {
    const found: { readonly part: Part; readonly inside: string }[] = [];
    if (isFilled(reader, ['l_lang', 'l_langscript'], suffix)) {
      const { body, codes } = readPart(reader, languageColumns, suffix);
      found.push({
        inside: '/language_and_script',
        part: {
          codes,
          body: {
            jsonmodel_type: 'lang_material',
            language_and_script: { jsonmodel_type: 'language_and_script', ...body },
          },
        },
      });
    }
    const note = reader.text(`n_langmaterial${suffix}`);
    if (note !== undefined) {
      const body = {
        jsonmodel_type: 'note_langmaterial',
        type: 'langmaterial',
        content: [note],
        ...published(reader, `p_langmaterial${suffix}`, publish),
      };
      found.push({
        inside: '/notes/0',
        part: {
          codes: { content: `n_langmaterial${suffix}` },
          body: { jsonmodel_type: 'lang_material', notes: [body] },
        },
      });
    }
    return found;
  });
}

/** The flag of a note or file: that of its cell, or where it is blank that of the object. */
export function published(
  reader: RowReader,
  code: string,
  fallback: boolean | undefined,
): { readonly publish?: boolean } {
  const publish = reader.flag(code) ?? fallback;
  return publish === undefined ? {} : { publish };
}

/** The columns of what a note on access says beside its text. */
export const restrictionCodes = ['b_accessrestrict', 'e_accessrestrict', 't_accessrestrict'];

/** The notes of an archival object: `n_<type>` of any type that it may have, `l_` their labels, `p_` whether they are published. `codes` are those of the sheet. */
export function readNotes(
  reader: RowReader,
  codes: readonly string[],
  publish: boolean | undefined,
  isType: (list: string, type: string) => boolean,
): readonly Part[] {
  const notes = codes.flatMap((code): readonly Part[] => {
    const name = /^n_([a-z]+(?:_\d+)?)$/.exec(code)?.[1];
    const content = reader.text(code);
    if (name === undefined || content === undefined || /^langmaterial(?:_\d+)?$/.test(name)) return [];
    const type = name.replace(/_\d+$/, '');
    const isMultipart = isType('note_multipart_type', type);
    if (!isMultipart && !isType('note_singlepart_type', type)) {
      reader.wrong(code, `${type} is no type of note of an archival object`);
      return [];
    }
    const label = reader.text(`l_${name}`);
    const flag = published(reader, `p_${name}`, publish);
    const note = { type, ...(label === undefined ? {} : { label }), ...flag };
    const read = { type: code, label: `l_${name}`, publish: `p_${name}` };
    if (!isMultipart)
      return [
        { body: { jsonmodel_type: 'note_singlepart', ...note, content: [content] }, codes: { ...read, content: code } },
      ];
    const restriction = name === 'accessrestrict' ? readRestriction(reader) : {};
    return [
      {
        body: {
          jsonmodel_type: 'note_multipart',
          ...note,
          ...restriction,
          subnotes: [{ jsonmodel_type: 'note_text', content, ...flag }],
        },
        codes: {
          ...read,
          'subnotes/0/content': code,
          rights_restriction__begin: 'b_accessrestrict',
          rights_restriction__end: 'e_accessrestrict',
        },
      },
    ];
  });
  const lonely = reader.has('n_accessrestrict') ? undefined : restrictionCodes.find((code) => reader.has(code));
  if (lonely !== undefined) reader.wrong('n_accessrestrict', `Is required where ${lonely} is filled`);
  return notes;
}

function readRestriction(reader: RowReader): { readonly rights_restriction?: { readonly [property: string]: Json } } {
  const [begin, end] = [reader.text('b_accessrestrict'), reader.text('e_accessrestrict')];
  const type = reader.value('t_accessrestrict', 'restriction_type');
  const restriction = {
    ...(begin === undefined ? {} : { begin }),
    ...(end === undefined ? {} : { end }),
    ...(type === undefined ? {} : { local_access_restriction_type: [type] }),
  };
  return Object.keys(restriction).length === 0 ? {} : { rights_restriction: restriction };
}
