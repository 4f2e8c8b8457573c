// The sheet of archival objects (`load_type` ao, contract trees-and-jobs 6.7): a record for each row, in the order and hierarchy of the rows.
import { archivalObject } from '../../kinds/archival_object.ts';
import type { SheetFault } from '../rows.ts';
import type { LoadBook } from './book.ts';
import { openBook } from './book.ts';
import { openShelf, readContainers } from './containers.ts';
import type { ContainerShelf } from './containers.ts';
import { asksForDigitalObject, readDigitalObject } from './digital-object.ts';
import { addParts, addProperties, newDraft } from './draft.ts';
import type { KnownHeadings } from './headings.ts';
import { mostHeadings, readAgents, readSubjects } from './headings.ts';
import type { Hierarchy } from './hierarchy.ts';
import { openHierarchy } from './hierarchy.ts';
import { readDates, readExtents, readLanguages, readNotes } from './parts.ts';
import type { LoadInput, LoadPlan, PlannedRow } from './plan.ts';
import { checkResource, componentUri, knownHeadings } from './plan.ts';
import type { PartColumns, RowReader } from './row-reader.ts';
import { readPart, readRow, suffixesOf } from './row-reader.ts';

/** The columns of the archival object itself. */
export const recordColumns: PartColumns = [
  ['title', 'title', 'text'],
  ['component_id', 'unit_id', 'text'],
  ['level', 'level', { list: 'archival_record_level' }],
  ['other_level', 'other_level', 'text'],
  ['publish', 'publish', 'flag'],
  ['restrictions_apply', 'restrictions_flag', 'flag'],
  ['repository_processing_note', 'processing_note', 'text'],
];

type Around = {
  readonly input: LoadInput;
  readonly book: LoadBook;
  readonly hierarchy: Hierarchy;
  readonly shelf: ContainerShelf;
  readonly known: KnownHeadings;
  readonly suffixes: readonly string[];
  readonly most: number;
  readonly digitalRows: Map<string, number>;
};

/** Plans the load of all rows. */
export function planArchivalObjects(input: LoadInput): LoadPlan {
  const { sheet, facts, target, lists } = input;
  const faults: SheetFault[] = [];
  const notes: { row: number; message: string }[] = [];
  const beside = target.aoid === null ? undefined : facts.components.find(({ id }) => id === target.aoid);
  if (target.aoid !== null && beside === undefined)
    faults.push({ row: null, column: null, message: `The resource of the job has no archival object ${target.aoid}` });
  const start =
    beside === undefined
      ? null
      : {
          uri: componentUri(beside.id, target),
          parent: beside.parentId === null ? null : componentUri(beside.parentId, target),
        };
  const around: Around = {
    input,
    book: openBook(target.repoId, target.importId),
    hierarchy: openHierarchy(start),
    shelf: openShelf(facts),
    known: knownHeadings(facts),
    suffixes: suffixesOf(sheet.codes),
    most: mostHeadings(sheet.codes),
    digitalRows: new Map(),
  };
  const rows = sheet.rows.map((row) => {
    const told: string[] = [];
    const planned = planRow(readRow(row, lists, faults, told), around);
    for (const message of told) notes.push({ row: row.row, message });
    return planned;
  });
  return {
    sheet: sheet.name,
    records: around.book.records,
    made: around.book.made,
    rows,
    attachments: [],
    notes,
    faults,
  };
}

function planRow(
  reader: RowReader,
  { input, book, hierarchy, shelf, known, suffixes, most, digitalRows }: Around,
): PlannedRow {
  const { target, lists, facts, sheet } = input;
  checkResource(reader, target);
  const uri = book.nextUri('archival_object');
  const draft = newDraft('archival_object', uri);
  addProperties(draft, readPart(reader, recordColumns));
  const parent = hierarchy.parentOf(reader, uri);
  draft.body['resource'] = { ref: target.resource.uri };
  if (parent !== null) draft.body['parent'] = { ref: parent };
  if (reader.has('ref_id')) reader.note('ref_id is left out: new archival objects get one of their own');
  const publish = reader.flag('publish');
  // Where neither title nor date is there, the columns to fill are these.
  draft.columns['dates'] = 'begin';
  addParts(draft, 'dates', readDates(reader, suffixes));
  addParts(draft, 'extents', readExtents(reader, suffixes));
  for (const { part, inside } of readLanguages(reader, suffixes, publish))
    addParts(draft, 'lang_materials', [part], inside);
  addParts(
    draft,
    'notes',
    readNotes(reader, sheet.codes, publish, (list, type) => lists.value(list, type) === type),
  );
  addParts(draft, 'linked_agents', readAgents(reader, most, known, book));
  addParts(draft, 'subjects', readSubjects(reader, most, known, book));
  addParts(draft, 'instances', readContainers(reader, suffixes, shelf, book));
  const title = archivalObject.label(draft.body);
  if (asksForDigitalObject(reader)) {
    const around = {
      title,
      publish,
      publishCode: 'digital_object_publish',
      isTaken: (id: string) => facts.digitalObjectIds.has(id),
      rows: digitalRows,
      newId: input.newId,
    };
    const object = readDigitalObject(reader, around, book);
    book.add(reader.row, object);
    const ref = String(object.body['uri']);
    book.made.push({ row: reader.row, uri: ref, says: `digital object ${String(object.body['digital_object_id'])}` });
    addParts(draft, 'instances', [
      {
        body: { jsonmodel_type: 'instance', instance_type: 'digital_object', digital_object: { ref } },
        codes: { digital_object: 'digital_object_id' },
      },
    ]);
  }
  book.add(reader.row, draft);
  return { row: reader.row, title, uri, refId: null };
}
