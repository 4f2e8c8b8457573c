// The sheet of digital objects (`load_type` digital, contract trees-and-jobs 6.7): one for each row, as an instance of an archival object that
// is there.
import type { SheetFault } from '../rows.ts';
import type { LoadBook } from './book.ts';
import { openBook } from './book.ts';
import { readDigitalObject } from './digital-object.ts';
import { addParts, addProperties } from './draft.ts';
import type { KnownComponent } from './facts.ts';
import { componentIdOf } from './facts.ts';
import type { KnownHeadings } from './headings.ts';
import { mostHeadings, readAgents, readSubjects } from './headings.ts';
import { published, readDates, readExtents } from './parts.ts';
import type { Attachment, LoadInput, LoadPlan, PlannedRow } from './plan.ts';
import { checkResource, componentUri, knownHeadings } from './plan.ts';
import type { Part, PartColumns, RowReader } from './row-reader.ts';
import { readPart, readRow, suffixesOf } from './row-reader.ts';

/** The columns that digital objects have in this sheet alone. */
export const objectColumns: PartColumns = [
  ['level', 'level', { list: 'digital_object_level' }],
  ['digital_object_type', 'digital_object_type', { list: 'digital_object_digital_object_type' }],
  ['restrictions', 'restrictions', 'flag'],
];
/** The columns of a note; its text and its flag have columns of their own. */
export const noteColumns: PartColumns = [
  ['type', 'note_type', { list: 'note_digital_object_type' }],
  ['label', 'note_label', 'text'],
];

type Around = {
  readonly input: LoadInput;
  readonly book: LoadBook;
  readonly known: KnownHeadings;
  readonly suffixes: readonly string[];
  readonly most: number;
  readonly digitalRows: Map<string, number>;
  readonly byId: ReadonlyMap<number, KnownComponent>;
  readonly byRefId: ReadonlyMap<string, KnownComponent>;
};

/** Plans the load of all rows. */
export function planDigitalObjects(input: LoadInput): LoadPlan {
  const { sheet, facts, target, lists } = input;
  const faults: SheetFault[] = [];
  const notes: { row: number; message: string }[] = [];
  const attachments: Attachment[] = [];
  const around: Around = {
    input,
    book: openBook(target.repoId, target.importId),
    known: knownHeadings(facts),
    suffixes: suffixesOf(sheet.codes),
    most: mostHeadings(sheet.codes),
    digitalRows: new Map(),
    byId: new Map(facts.components.map((component) => [component.id, component])),
    byRefId: new Map(facts.components.map((component) => [component.refId, component])),
  };
  const rows = sheet.rows.flatMap((row): readonly PlannedRow[] => {
    const told: string[] = [];
    const reader = readRow(row, lists, faults, told);
    const component = componentOf(reader, around);
    const uri = planObject(reader, component, around);
    for (const message of told) notes.push({ row: row.row, message });
    if (component === undefined) return [];
    attachments.push({ row: row.row, componentId: component.id, uri });
    return [{ row: row.row, title: component.title, uri: componentUri(component.id, target), refId: component.refId }];
  });
  return { sheet: sheet.name, records: around.book.records, made: around.book.made, rows, attachments, notes, faults };
}

/** The archival object of a row, by its uri or, where that is blank, its ref_id; undefined where it is not in the resource. */
function componentOf(reader: RowReader, { input, byId, byRefId }: Around): KnownComponent | undefined {
  const { target } = input;
  checkResource(reader, target);
  const [given, refId] = [reader.text('ao_uri'), reader.text('ao_ref_id')];
  if (given === undefined && refId === undefined) reader.wrong('ao_ref_id', 'Is required, or ao_uri');
  const found = given === undefined ? byRefId.get(refId ?? '') : byId.get(componentIdOf(given, target.repoId) ?? -1);
  if (given !== undefined && found === undefined)
    reader.wrong('ao_uri', `The resource has no archival object ${given}`);
  if (given === undefined && refId !== undefined && found === undefined)
    reader.wrong('ao_ref_id', `The resource has no archival object with the ref_id ${refId}`);
  if (given !== undefined && refId !== undefined && found !== undefined && found.refId !== refId)
    reader.wrong('ao_ref_id', `The archival object ${given} has the ref_id ${found.refId}`);
  return found;
}

/** Puts the digital object of a row into the book; gives its temporary uri. */
function planObject(
  reader: RowReader,
  component: KnownComponent | undefined,
  { input, book, known, suffixes, most, digitalRows }: Around,
): string {
  // Release R-A calls the column `publish`.
  const publishCode = reader.has('digital_object_publish') ? 'digital_object_publish' : 'publish';
  const around = {
    title: component?.title ?? '-',
    publish: component?.publish,
    publishCode,
    isTaken: (id: string) => input.facts.digitalObjectIds.has(id),
    rows: digitalRows,
    newId: input.newId,
  };
  const draft = readDigitalObject(reader, around, book);
  addProperties(draft, readPart(reader, objectColumns));
  addParts(draft, 'dates', readDates(reader, suffixes));
  addParts(draft, 'extents', readExtents(reader, suffixes));
  addParts(draft, 'notes', readObjectNotes(reader, suffixes, draft.body['publish'] === true));
  addParts(draft, 'linked_agents', readAgents(reader, most, known, book));
  addParts(draft, 'subjects', readSubjects(reader, most, known, book));
  book.add(reader.row, draft);
  const uri = String(draft.body['uri']);
  book.made.push({ row: reader.row, uri, says: `digital object ${String(draft.body['digital_object_id'])}` });
  return uri;
}

function readObjectNotes(reader: RowReader, suffixes: readonly string[], publish: boolean): readonly Part[] {
  return suffixes.flatMap((suffix): readonly Part[] => {
    const code = `note_content${suffix}`;
    const content = reader.text(code);
    if (content === undefined) return [];
    const { body, codes } = readPart(reader, noteColumns, suffix);
    return [
      {
        body: {
          jsonmodel_type: 'note_digital_object',
          ...body,
          content: [content],
          ...published(reader, `note_publish${suffix}`, publish),
        },
        codes: { ...codes, content: code },
      },
    ];
  });
}
