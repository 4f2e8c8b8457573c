// An archival object as a row of the spreadsheet sees it: texts by path (contract trees-and-jobs 6.2). Blank cells are absent.
import type { Json, JsonObject } from '../json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import type { Repeats } from './columns.ts';
import { multipartNotes, parsePath, singlepartNotes } from './columns.ts';

/** A record with what it is linked to: top containers, digital objects and accessions, by uri, as they are read. */
export type SheetRecord = {
  readonly id: number;
  readonly record: JsonObject;
  readonly linked: ReadonlyMap<string, JsonObject>;
};

/** Some of them as they are read: records of one block share what they are linked to. */
type SheetBlock = {
  readonly records: readonly Pick<SheetRecord, 'id' | 'record'>[];
  readonly linked: { readonly [uri: string]: JsonObject };
};

/** The records of a block that was read, a JSON text of SheetBlock. */
export function sheetRecordsOf(text: string): readonly SheetRecord[] {
  const block: SheetBlock = JSON.parse(text);
  const linked = new Map(Object.entries(block.linked));
  return block.records.map((each) => ({ ...each, linked }));
}

/** Texts by path. */
export type Facts = ReadonlyMap<string, string>;

/** The language notes of a record with where they are: the lang_material and the note in it. */
export function languageNotes(record: JsonObject): readonly { readonly material: number; readonly note: number }[] {
  return objectsOf(record, 'lang_materials').flatMap((material, at) =>
    objectsOf(material, 'notes').map((_, note) => ({ material: at, note })),
  );
}

/** The places of the lang_materials that say a language and have no notes. */
export const languagePlaces = (record: JsonObject): readonly number[] =>
  objectsOf(record, 'lang_materials').flatMap((material, at) =>
    objectOf(material, 'language_and_script') !== undefined && objectsOf(material, 'notes').length === 0 ? [at] : [],
  );

/** The places of instances that are (not) digital objects. */
export const instancePlaces = (record: JsonObject, isDigital: boolean): readonly number[] =>
  objectsOf(record, 'instances').flatMap((instance, at) =>
    (textOf(instance, 'instance_type') === 'digital_object') === isDigital ? [at] : [],
  );

/** The places of the notes of a type, of the kind that the sheet shows. */
export function notePlaces(record: JsonObject, type: string): readonly number[] {
  const kind = isSinglepart(type) ? 'note_singlepart' : 'note_multipart';
  return objectsOf(record, 'notes').flatMap((note, at) =>
    textOf(note, 'jsonmodel_type') === kind && textOf(note, 'type') === type ? [at] : [],
  );
}

/** Whether notes of a type are of a single part. */
export const isSinglepart = (type: string): boolean => singlepartNotes.some((each) => each === type);

/** The place of the text that is shown among the sub-notes of a multipart note; -1 where there is none. */
export const shownSubnote = (note: JsonObject): number =>
  objectsOf(note, 'subnotes').findIndex((subnote) => textOf(subnote, 'jsonmodel_type') === 'note_text');

/** The facts of a record. */
export function factsOf({ id, record, linked }: SheetRecord): Facts {
  const facts = new Map<string, string>();
  const say = (path: string, value: Json | undefined): void => {
    const text = typeof value === 'boolean' || typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && text !== '') facts.set(path, text);
  };
  const sayAll = (prefix: string, object: JsonObject | undefined, fields: readonly string[]): void => {
    for (const field of fields) say(`${prefix}/${field}`, object?.[field]);
  };
  say('id', id);
  for (const field of [
    'lock_version',
    'title',
    'level',
    'ref_id',
    'component_id',
    'repository_processing_note',
    'publish',
  ])
    say(field, record[field]);
  const materials = objectsOf(record, 'lang_materials');
  for (const [index, at] of languagePlaces(record).entries())
    sayAll(`language_and_script/${index}`, objectOf(materials[at], 'language_and_script'), ['language', 'script']);
  for (const [index, { material, note }] of languageNotes(record).entries())
    say(`note_langmaterial/${index}/content`, textsOf(objectsOf(materials[material], 'notes')[note], 'content')[0]);
  for (const [index, date] of objectsOf(record, 'dates').entries())
    sayAll(`dates/${index}`, date, ['label', 'expression', 'begin', 'end', 'certainty']);
  for (const [index, extent] of objectsOf(record, 'extents').entries())
    sayAll(`extents/${index}`, extent, [
      'portion',
      'number',
      'extent_type',
      'container_summary',
      'physical_details',
      'dimensions',
    ]);
  sayInstances(record, linked, say);
  for (const [index, link] of objectsOf(record, 'accession_links').entries())
    sayAll(`related_accessions/${index}`, linked.get(textOf(link, 'ref') ?? ''), ['id_0', 'id_1', 'id_2', 'id_3']);
  for (const type of [...multipartNotes, ...singlepartNotes]) sayNotes(record, type, say);
  return facts;
}

type Say = (path: string, value: Json | undefined) => void;

function sayInstances(record: JsonObject, linked: ReadonlyMap<string, JsonObject>, say: Say): void {
  const instances = objectsOf(record, 'instances');
  for (const [index, at] of instancePlaces(record, false).entries()) {
    const container = objectOf(instances[at], 'sub_container');
    const top = linked.get(textOf(objectOf(container, 'top_container'), 'ref') ?? '');
    say(`instances/${index}/instance_type`, instances[at]?.['instance_type']);
    for (const field of ['type', 'indicator', 'barcode'])
      say(`instances/${index}/top_container_${field}`, top?.[field]);
    for (const field of ['type_2', 'indicator_2', 'barcode_2', 'type_3', 'indicator_3'])
      say(`instances/${index}/sub_container_${field}`, container?.[field]);
  }
  for (const [index, at] of instancePlaces(record, true).entries()) {
    const object = linked.get(textOf(objectOf(instances[at], 'digital_object'), 'ref') ?? '');
    const file = objectsOf(object, 'file_versions')[0];
    const said: readonly (readonly [string, Json | undefined])[] = [
      ['digital_object_id', object?.['digital_object_id']],
      ['digital_object_title', object?.['title']],
      ['digital_object_publish', object?.['publish']],
      ['file_version_file_uri', file?.['file_uri']],
      ['file_version_caption', file?.['caption']],
      ['file_version_publish', file?.['publish']],
    ];
    for (const [field, value] of said) say(`digital_object/${index}/${field}`, value);
  }
}

function sayNotes(record: JsonObject, type: string, say: Say): void {
  const notes = objectsOf(record, 'notes');
  for (const [index, at] of notePlaces(record, type).entries()) {
    const note = notes[at];
    if (!isObject(note)) continue;
    const prefix = `note/${type}/${index}`;
    say(
      `${prefix}/content`,
      isSinglepart(type) ? textsOf(note, 'content')[0] : objectsOf(note, 'subnotes')[shownSubnote(note)]?.['content'],
    );
    say(`${prefix}/label`, note['label']);
    if (type !== 'accessrestrict') continue;
    const restriction = objectOf(note, 'rights_restriction');
    for (const field of ['begin', 'end']) say(`${prefix}/${field}`, restriction?.[field]);
    say(`${prefix}/local_access_restriction_type`, textsOf(restriction, 'local_access_restriction_type')[0]);
  }
}

/** The part of the sheet that shows what stands at a path of a record; the part of the record where no column shows it. */
export function shownPart(record: JsonObject, path: string): string {
  const [list = '', index = '', , inner] = path.split('/');
  const at = Number(index);
  const among = (group: string, places: readonly number[]): string | undefined =>
    places.includes(at) ? `${group}/${places.indexOf(at)}` : undefined;
  const shown = {
    instances: () =>
      among('instances', instancePlaces(record, false)) ?? among('digital_object', instancePlaces(record, true)),
    accession_links: () => `related_accessions/${at}`,
    lang_materials: () => {
      const note = languageNotes(record).findIndex((each) => each.material === at && each.note === Number(inner));
      return (
        among('language_and_script', languagePlaces(record)) ?? (note < 0 ? undefined : `note_langmaterial/${note}`)
      );
    },
    notes: () => {
      const type = textOf(objectsOf(record, 'notes')[at], 'type') ?? '';
      const isShown = [...multipartNotes, ...singlepartNotes].some((each) => each === type);
      return isShown ? among(`note/${type}`, notePlaces(record, type)) : undefined;
    },
  }[list];
  return shown?.() ?? [list, index].filter((part) => part !== '').join('/');
}

/** How often each group occurs in one record at most, over some records. */
export function highestRepeats(all: Iterable<Facts>): Repeats {
  const highest: { [group: string]: number } = {};
  for (const facts of all) {
    for (const path of facts.keys()) {
      const parsed = parsePath(path);
      if (parsed !== null && 'group' in parsed)
        highest[parsed.group] = Math.max(highest[parsed.group] ?? 0, parsed.index + 1);
    }
  }
  return highest;
}
