// Sheets of archival descriptions of AtoM to resources with their trees. A row names its parent by the id that its own row has, wherever
// that stands, so the rows are held until all are there.
import type { JsonObject } from '../../../json.ts';
import type { ImportAbout } from '../../define-import.ts';
import type { ImportRecord } from '../../reading/context.ts';
import { extentStandIn } from '../../reading/record-parts.ts';
import type { ImportReport } from '../../reading/report.ts';
import { langMaterial, ofResourceAlone, readFindingAid, readLanguages, readNotes } from './description-parts.ts';
import { readEvents, readHistories } from './events.ts';
import { emitNamed } from './names.ts';
import { externalId, extentOf, filled, otherIdentifiers, readContainers, subjectLink } from './parts.ts';
import type { AtomRow, AtomSheet } from './sheet.ts';
import { openAtomSheet } from './sheet.ts';
import { translationFinder } from './translations.ts';

/** Columns without a place, with the reason. */
const leftOut: { readonly [column: string]: string } = {
  qubitParentSlug: 'addresses of AtoM are not known here; parentId says what a description is below',
  accessionNumber: 'accessions are linked by hand, or by their own import',
  repository: 'the repository is that of the import',
  institutionIdentifier: 'the repository is that of the import',
  levelOfDetail: 'has no place in descriptions',
};

/** Yields the records of each tree, parents before what is below them. */
export async function* readAtomDescriptions(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const sheet = openAtomSheet(chunks, about);
  const rows = withoutTranslations(sheet, await sheet.allRows(['title', 'levelOfDescription']));
  const children = placeRows(sheet, rows);
  const histories = readHistories(sheet.context, rows);
  for (const top of children.get(null) ?? []) {
    const root = sheet.context.nextUri('resource');
    const waiting: { row: AtomRow; uri: string; above: { parent: string; position: number } | null }[] = [
      { row: top, uri: root, above: null },
    ];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { row, uri, above } = next;
      if (above === null) emitResource(sheet, row, uri, histories);
      else emitComponent(sheet, row, { uri, root, ...above, histories });
      yield* sheet.emitted();
      const below = (children.get(row) ?? []).map((child, position) => ({
        row: child,
        uri: sheet.context.nextUri('archival_object'),
        above: { parent: uri, position },
      }));
      waiting.push(...below.reverse());
    }
  }
  return sheet.report();
}

/** The rows without those that say the same in another language: a description in several has a row for each. */
function withoutTranslations(sheet: AtomSheet, rows: readonly AtomRow[]): readonly AtomRow[] {
  const look = translationFinder(sheet, { idOf: (row) => row.cell('legacyId'), named: 'title' });
  return rows.filter((row) => {
    const { is, before } = look(row);
    if (is === 'twice') row.fault('legacyId', `Line ${before} has the legacyId ${row.cell('legacyId') ?? ''} as well.`);
    return is === null;
  });
}

/** The rows below each row, and below null those at the top, in their order. Rows whose parent is not there, or is below them, are faults. */
function placeRows(sheet: AtomSheet, rows: readonly AtomRow[]): ReadonlyMap<AtomRow | null, readonly AtomRow[]> {
  const byId = new Map(
    rows.flatMap((row) => (row.cell('legacyId') === undefined ? [] : [[row.cell('legacyId'), row]])),
  );
  const children = new Map<AtomRow | null, AtomRow[]>();
  const parents = new Map<AtomRow, AtomRow | null>();
  for (const row of rows) {
    const id = row.cell('parentId');
    const parent = id === undefined ? null : byId.get(id);
    if (parent === undefined) {
      row.fault('parentId', `No row has the legacyId ${id ?? ''}.`);
      continue;
    }
    parents.set(row, parent);
    const siblings = children.get(parent) ?? [];
    children.set(parent, siblings);
    siblings.push(row);
  }
  // What is reached from no top is below itself, unless something above it has no parent, which was told.
  const reached = new Set<AtomRow>();
  const waiting = [...(children.get(null) ?? [])];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    reached.add(row);
    for (const child of children.get(row) ?? []) waiting.push(child);
  }
  for (const row of rows)
    if (parents.has(row) && !reached.has(row) && sheet.faults.count === 0)
      row.fault('parentId', 'The description is below itself.');
  return children;
}

type Histories = ReadonlyMap<string, string>;

function emitResource(sheet: AtomSheet, row: AtomRow, uri: string, histories: Histories): void {
  const { context } = sheet;
  const standIn = (column: string, reason: string): void =>
    context.report.dropText(row.line, column, 'stand-in', reason);
  const common = commonParts(sheet, row, uri, histories);
  const title = row.cell('title');
  if (title === undefined) standIn('title', 'no title; [untitled] stands in for it');
  const identifier = row.cell('identifier');
  const made = `imported-${context.options.importId}-${context.sequence()}`.slice(0, 50);
  if (identifier === undefined) standIn('identifier', `no identifier; ${made} stands in for it`);
  if (common.dates.length === 0) standIn('eventDates', 'no date; "undated" stands in for it');
  if (common.extents.length === 0)
    standIn('extentAndMedium', 'it counts nothing that can be stored; "1 collection" stands in for it');
  const languages = readLanguages(context, row);
  const isCoded = languages.some((each) => 'language_and_script' in each);
  if (!isCoded) standIn('language', 'no language of the material; "und" stands in for it');
  context.emit({
    ...common.fields,
    jsonmodel_type: 'resource',
    uri,
    title: title ?? '[untitled]',
    id_0: identifier ?? made,
    dates:
      common.dates.length > 0
        ? common.dates
        : [{ jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', expression: 'undated' }],
    extents: common.extents.length > 0 ? common.extents : [extentStandIn(context)],
    lang_materials: isCoded ? languages : [langMaterial({ language: 'und' }), ...languages],
    ...readFindingAid(context, row),
  });
}

type Place = {
  readonly uri: string;
  readonly root: string;
  readonly parent: string;
  readonly position: number;
  readonly histories: Histories;
};

function emitComponent(sheet: AtomSheet, row: AtomRow, { uri, root, parent, position, histories }: Place): void {
  const { context } = sheet;
  const common = commonParts(sheet, row, root, histories);
  const title = row.cell('title');
  const isUntitled = title === undefined && common.dates.length === 0;
  if (isUntitled)
    context.report.dropText(row.line, 'title', 'stand-in', 'neither title nor date; [untitled] stands in');
  const identifier = row.cell('identifier');
  sheet.leaveOut(row, ofResourceAlone);
  // Of cultures only that of the top says something: in which language the description is.
  row.cell('culture');
  context.emit({
    ...common.fields,
    jsonmodel_type: 'archival_object',
    uri,
    ...(isUntitled ? { title: '[untitled]' } : title === undefined ? {} : { title }),
    ...(identifier === undefined ? {} : { component_id: identifier }),
    resource: { ref: root },
    ...(parent === root ? {} : { parent: { ref: parent } }),
    position,
    ...filled({ dates: common.dates, extents: common.extents, lang_materials: readLanguages(context, row) }),
  });
}

/** What resources and archival objects have alike; `root` is the uri of the resource. */
function commonParts(
  sheet: AtomSheet,
  row: AtomRow,
  root: string,
  histories: Histories,
): { readonly fields: JsonObject; readonly dates: readonly JsonObject[]; readonly extents: readonly JsonObject[] } {
  const { context } = sheet;
  sheet.leaveOut(row, leftOut);
  const publish = row.cell('publicationStatus')?.toLowerCase() === 'published';
  const events = readEvents(context, row, (name) => ({ history: histories.get(name) }));
  const names = row.list('nameAccessPoints').map((name) => ({
    ref: emitNamed(context, { line: row.line, column: 'nameAccessPoints' }, name, { history: histories.get(name) }),
    role: 'subject',
  }));
  const text = row.cell('extentAndMedium');
  const extent = text === undefined ? undefined : extentOf(context, text);
  const legacyId = row.cell('legacyId');
  const descriptionId = row.cell('descriptionIdentifier');
  const terms = (column: string, type: string): readonly JsonObject[] =>
    [...new Set(row.list(column))].map((term) => subjectLink(context, term, type));
  return {
    dates: events.dates,
    extents: extent === undefined ? [] : [extent],
    fields: {
      publish,
      ...levelOf(context, row),
      ...filled({
        notes: readNotes(row, publish, extent === undefined ? text : undefined),
        linked_agents: [...events.agents, ...names],
        subjects: [
          ...terms('subjectAccessPoints', 'topical'),
          ...terms('placeAccessPoints', 'geographic'),
          ...terms('genreAccessPoints', 'genre_form'),
        ],
        external_ids: [
          ...(legacyId === undefined ? [] : [externalId(legacyId, 'AtoM legacyId')]),
          ...(descriptionId === undefined ? [] : [externalId(descriptionId, 'AtoM descriptionIdentifier')]),
          ...otherIdentifiers(context, row, {
            values: 'alternativeIdentifiers',
            labels: 'alternativeIdentifierLabels',
          }),
        ],
        instances: [...readContainers(context, row, root), ...digitalObjectOf(sheet, row, publish)],
      }),
    },
  };
}

function levelOf(context: AtomSheet['context'], row: AtomRow): JsonObject {
  const text = row.cell('levelOfDescription');
  const level = text === undefined ? undefined : context.fixed('archival_record_level', text);
  return level === undefined || level === 'otherlevel'
    ? { level: 'otherlevel', other_level: text ?? 'unspecified' }
    : { level };
}

/** How long digests are in hexadecimal digits, and by which method they are made then. */
const digests: ReadonlyMap<number, string> = new Map([
  [32, 'md5'],
  [40, 'sha-1'],
  [64, 'sha-256'],
  [128, 'sha-512'],
]);

/** An instance with the digital object of a row. Its bytes are not fetched: the address is kept. */
function digitalObjectOf({ context }: AtomSheet, row: AtomRow, publish: boolean): readonly JsonObject[] {
  const [path, address, checksum] = [
    row.cell('digitalObjectPath'),
    row.cell('digitalObjectURI'),
    row.cell('digitalObjectChecksum'),
  ];
  const file = address ?? path;
  if (file === undefined) {
    context.report.dropText(
      row.line,
      'digitalObjectChecksum',
      checksum ?? '',
      'the digest of no file: the row has none',
    );
    return [];
  }
  const method = checksum === undefined || !/^[0-9a-f]+$/i.test(checksum) ? undefined : digests.get(checksum.length);
  if (checksum !== undefined && method === undefined)
    context.report.dropText(row.line, 'digitalObjectChecksum', checksum, 'no digest of a known method');
  if (address !== undefined && path !== undefined)
    context.report.dropText(row.line, 'digitalObjectPath', path, 'digitalObjectURI says where the file is');
  const uri = context.nextUri('digital_object');
  context.emit({
    jsonmodel_type: 'digital_object',
    uri,
    digital_object_id: `imported-${context.options.importId}-${context.sequence()}`,
    title: row.cell('title') ?? '[untitled]',
    publish,
    file_versions: [
      {
        jsonmodel_type: 'file_version',
        file_uri: file,
        publish,
        ...(method === undefined ? {} : { checksum, checksum_method: method }),
      },
    ],
  });
  return [{ jsonmodel_type: 'instance', instance_type: 'digital_object', digital_object: { ref: uri } }];
}
