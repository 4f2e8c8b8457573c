// What a row of the spreadsheet makes of a record (contract trees-and-jobs 6.3): cells that differ from what is stored change it, parts
// are matched by their place among those that the sheet shows, and what the sheet does not show stays.
import type { Json, JsonObject } from '../json.ts';
import { objectOf, objectsOf, textOf, textsOf } from '../json.ts';
import { parsePath } from './columns.ts';
import type { Facts } from './facts.ts';
import { instancePlaces, isSinglepart, languageNotes, languagePlaces, notePlaces, shownSubnote } from './facts.ts';
import type { UpdateRow } from './rows.ts';

/** Finds what cells name; undefined where there is none. */
export type SheetLookups = {
  containerUri(type: string | null, indicator: string | null, barcode: string | null): string | undefined;
  /** The containers that cells may name, each as people read it. */
  containerNames(): readonly string[];
  digitalObjectUri(id: string): string | undefined;
  accessionUri(parts: readonly (string | null)[]): string | undefined;
};

/** A record as the row wants it. `isText`: no link and no flag changed. Problems are by column. */
export type AppliedRow = {
  readonly record: JsonObject;
  readonly isChanged: boolean;
  readonly isText: boolean;
  readonly problems: readonly { readonly column: string; readonly message: string }[];
};

type Draft = { [property: string]: Json | undefined };
type Cells = ReadonlyMap<string, string | null>;
/** `changed` are the fields whose cells differ from what is stored. */
type Part = {
  readonly index: number;
  readonly cells: Cells;
  readonly changed: ReadonlySet<string>;
  readonly isBlank: boolean;
};

const noDeletes =
  'Deleting a subrecord is disabled. A part whose cells are all blank stays as it is only if they were blank before';

/** Applies a row; `facts` are those of the record as it is stored. */
export function applyRow(record: JsonObject, facts: Facts, row: UpdateRow, lookups: SheetLookups): AppliedRow {
  const differs = (path: string, cell: string | null): boolean => (facts.get(path) ?? null) !== cell;
  const changed = [...row.cells].filter(
    ([path, cell]) => path !== 'id' && path !== 'lock_version' && differs(path, cell),
  );
  const draft: Draft = { ...record };
  const problems: { column: string; message: string }[] = [];
  let isText = true;
  for (const [path, cell] of changed) {
    const parsed = parsePath(path);
    if (parsed === null || 'group' in parsed) continue;
    if (path === 'ref_id') problems.push({ column: path, message: 'A ref_id cannot be changed' });
    else if (path === 'publish') {
      isText = false;
      if (cell !== null) draft['publish'] = cell === 'true';
    } else draft[path] = cell ?? (path === 'component_id' ? '' : undefined);
  }
  const touched = new Set(
    changed.flatMap(([path]) => {
      const parsed = parsePath(path);
      return parsed !== null && 'group' in parsed ? [parsed.group] : [];
    }),
  );
  for (const group of touched) {
    const parts = partsOf(row.cells, group, (path, cell) => differs(path, cell));
    const report = (index: number, message: string): void =>
      void problems.push({ column: `${group}/${index}`, message });
    if (['instances', 'digital_object', 'related_accessions'].includes(group)) isText = false;
    applyGroup(draft, group, parts, { report, lookups });
  }
  return { record: draft, isChanged: changed.length > 0, isText, problems };
}

/** The parts of a group in which a cell differs, by place, with all their cells by field. */
function partsOf(
  cells: Cells,
  group: string,
  differs: (path: string, cell: string | null) => boolean,
): readonly Part[] {
  const byIndex = new Map<number, { cells: Map<string, string | null>; changed: Set<string> }>();
  for (const [path, cell] of cells) {
    const parsed = parsePath(path);
    if (parsed === null || !('group' in parsed) || parsed.group !== group) continue;
    const part = byIndex.get(parsed.index) ?? { cells: new Map(), changed: new Set() };
    part.cells.set(parsed.field, cell);
    if (differs(path, cell)) part.changed.add(parsed.field);
    byIndex.set(parsed.index, part);
  }
  return [...byIndex]
    .filter(([, part]) => part.changed.size > 0)
    .sort(([a], [b]) => a - b)
    .map(([index, part]) => ({ index, ...part, isBlank: [...part.cells.values()].every((cell) => cell === null) }));
}

type Around = { readonly report: (index: number, message: string) => void; readonly lookups: SheetLookups };

function applyGroup(draft: Draft, group: string, parts: readonly Part[], around: Around): void {
  if (group === 'dates' || group === 'extents')
    return applyPlaces(
      draft,
      group,
      objectsOf(draft, group).map((_, at) => at),
      parts,
      around,
      group === 'dates' ? dateFrom : overlaid,
    );
  if (group === 'language_and_script') {
    return applyPlaces(draft, 'lang_materials', languagePlaces(draft), parts, around, (old, { cells }) => ({
      ...old,
      language_and_script: overlay(objectOf(old ?? undefined, 'language_and_script') ?? {}, cells),
    }));
  }
  if (group === 'note_langmaterial') return applyLanguageNotes(draft, parts, around);
  if (group === 'instances')
    return applyPlaces(draft, 'instances', instancePlaces(draft, false), parts, around, (old, part) =>
      instanceFrom(old, part, around),
    );
  if (group === 'digital_object')
    return applyPlaces(draft, 'instances', instancePlaces(draft, true), parts, around, (old, part) =>
      digitalFrom(old, part, around),
    );
  if (group === 'related_accessions')
    return applyPlaces(
      draft,
      'accession_links',
      objectsOf(draft, 'accession_links').map((_, at) => at),
      parts,
      around,
      (old, part) => accessionFrom(old, part, around),
    );
  const type = group.slice('note/'.length);
  applyPlaces(draft, 'notes', notePlaces(draft, type), parts, around, (old, part) => noteFrom(old, type, part));
}

/** Changes the parts at places of a list, and appends those beyond. `old` is null for a new part. */
function applyPlaces(
  draft: Draft,
  property: string,
  places: readonly number[],
  parts: readonly Part[],
  { report }: Around,
  make: (old: JsonObject | null, part: Part) => JsonObject,
): void {
  const list: JsonObject[] = [...objectsOf(draft, property)];
  for (const part of parts) {
    const place = places[part.index];
    const old = place === undefined ? null : (list[place] ?? null);
    if (part.isBlank && old !== null) report(part.index, noDeletes);
    else if (part.isBlank) continue;
    else if (old === null || place === undefined) list.push(make(null, part));
    else list[place] = make(old, part);
  }
  draft[property] = list;
}

function overlay(old: JsonObject, cells: Cells): JsonObject {
  const next: Draft = { ...old };
  for (const [field, cell] of cells) next[field] = cell ?? undefined;
  return next;
}

const overlaid = (old: JsonObject | null, { cells }: Part): JsonObject => overlay(old ?? {}, cells);

/** A date keeps its type unless an end came or went (contract 8: a bulk date stays one). */
function dateFrom(old: JsonObject | null, part: Part): JsonObject {
  const next = overlay(old ?? { label: 'creation' }, part.cells);
  const label = textOf(next, 'label') === undefined ? { label: 'creation' } : {};
  const hasEnd = textOf(next, 'end') !== undefined;
  if (old !== null && (textOf(old, 'end') !== undefined) === hasEnd) return { ...next, ...label };
  return {
    ...next,
    ...label,
    date_type: hasEnd ? (textOf(old ?? undefined, 'date_type') === 'bulk' ? 'bulk' : 'inclusive') : 'single',
  };
}

function applyLanguageNotes(draft: Draft, parts: readonly Part[], { report }: Around): void {
  const materials: JsonObject[] = [...objectsOf(draft, 'lang_materials')];
  const places = languageNotes(draft);
  for (const part of parts) {
    const place = places[part.index];
    const content = part.cells.get('content') ?? null;
    if (place === undefined && content !== null)
      materials.push({ notes: [{ jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: [content] }] });
    else if (place !== undefined && content === null) report(part.index, noDeletes);
    else if (place !== undefined && content !== null) {
      const material = materials[place.material] ?? {};
      const notes = objectsOf(material, 'notes').map((note, at) =>
        at === place.note ? { ...note, content: [content, ...textsOf(note, 'content').slice(1)] } : note,
      );
      materials[place.material] = { ...material, notes };
    }
  }
  draft['lang_materials'] = materials;
}

function noteFrom(old: JsonObject | null, type: string, { cells, changed }: Part): JsonObject {
  const isSingle = isSinglepart(type);
  const next: Draft = { ...(old ?? { jsonmodel_type: isSingle ? 'note_singlepart' : 'note_multipart', type }) };
  const content = cells.get('content');
  if (isSingle && content !== undefined)
    next['content'] = content === null ? [] : [content, ...textsOf(next, 'content').slice(1)];
  if (!isSingle && content !== undefined && content !== null) {
    const subnotes: JsonObject[] = [...objectsOf(next, 'subnotes')];
    const at = shownSubnote(next);
    if (at < 0) subnotes.push({ jsonmodel_type: 'note_text', content, publish: next['publish'] === true });
    else subnotes[at] = { ...subnotes[at], content };
    next['subnotes'] = subnotes;
  } else if (!isSingle && content === null)
    next['subnotes'] = objectsOf(next, 'subnotes').filter((_, at) => at !== shownSubnote(next));
  if (cells.has('label')) next['label'] = cells.get('label') ?? undefined;
  // A restriction may have more types than the one that the sheet shows.
  const restricted = ['begin', 'end', 'local_access_restriction_type'].filter((field) => changed.has(field));
  if (restricted.length === 0) return next;
  const restriction: Draft = { ...objectOf(next, 'rights_restriction') };
  for (const field of restricted) {
    const cell = cells.get(field) ?? null;
    restriction[field] = field !== 'local_access_restriction_type' ? (cell ?? undefined) : cell === null ? [] : [cell];
  }
  return { ...next, rights_restriction: restriction };
}

const containerFields = ['type', 'indicator', 'barcode'] as const;
// More are no help to who reads the log.
const mostNamed = 20;

function instanceFrom(
  old: JsonObject | null,
  { index, cells, changed }: Part,
  { report, lookups }: Around,
): JsonObject {
  const cell = (field: string): string | null => cells.get(field) ?? null;
  const container: Draft = { ...objectOf(old ?? undefined, 'sub_container') };
  // Cells that say what is stored leave the container alone: another may be of the same type and indicator.
  const isNamed =
    old === null
      ? containerFields.some((field) => cells.has(`top_container_${field}`))
      : containerFields.some((field) => changed.has(`top_container_${field}`));
  if (isNamed) {
    const [type = null, indicator = null, barcode = null] = containerFields.map((field) =>
      cell(`top_container_${field}`),
    );
    const uri = lookups.containerUri(type, indicator, barcode);
    if (uri === undefined) {
      const known = lookups.containerNames();
      const told =
        known.length === 0
          ? 'none'
          : `${known.slice(0, mostNamed).join('; ')}${known.length > mostNamed ? `; and ${known.length - mostNamed} more` : ''}`;
      report(
        index,
        `No top container of this resource is: ${[type, indicator, barcode].map((text) => text ?? '(blank)').join(', ')}. Those it has: ${told}`,
      );
    } else container['top_container'] = { ref: uri };
  }
  for (const field of ['type_2', 'indicator_2', 'barcode_2', 'type_3', 'indicator_3'])
    if (cells.has(`sub_container_${field}`)) container[field] = cell(`sub_container_${field}`) ?? undefined;
  return {
    ...old,
    ...(cells.has('instance_type') ? { instance_type: cell('instance_type') ?? undefined } : {}),
    sub_container: container,
  };
}

function digitalFrom(old: JsonObject | null, { index, cells, changed }: Part, { report, lookups }: Around): JsonObject {
  const id = cells.get('digital_object_id') ?? null;
  const uri = id === null ? undefined : lookups.digitalObjectUri(id);
  if (id === null) report(index, 'digital_object_id is required');
  else if (uri === undefined) report(index, `No digital object has the identifier ${id}`);
  const isFileBlanked =
    (changed.has('file_version_file_uri') || changed.has('file_version_caption')) &&
    (cells.get('file_version_file_uri') ?? cells.get('file_version_caption') ?? null) === null;
  if (old !== null && !changed.has('digital_object_id') && isFileBlanked) report(index, noDeletes);
  return { ...(old ?? { instance_type: 'digital_object' }), digital_object: { ref: uri ?? '' } };
}

function accessionFrom(old: JsonObject | null, { index, cells }: Part, { report, lookups }: Around): JsonObject {
  const parts = ['id_0', 'id_1', 'id_2', 'id_3'].map((field) => cells.get(field) ?? null);
  const uri = lookups.accessionUri(parts);
  if (uri === undefined)
    report(index, `Accession not found for identifier: ${parts.filter((part) => part !== null).join('-')}`);
  return { ...old, ref: uri ?? '' };
}
