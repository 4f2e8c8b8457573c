// What rows of the spreadsheet show of archival objects and of what they are linked to; two statements for some hundred of them.
import { parseUri, uriOf } from '#domain/addresses.ts';
import type { JsonObject } from '#domain/json.ts';
import { objectOf, objectsOf, textOf } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import type { SheetRecord } from '#domain/spreadsheets/facts.ts';
import { sheetRecordsOf } from '#domain/spreadsheets/facts.ts';
import { IdRow } from '../connection/columns.ts';
import type { Reader } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import type { Viewer } from '../records/reading/viewer.ts';
import { readRecords } from '../records/reading/read.ts';

const recordsAtOnce = 500;

/**
 * Yields the records in the order of the ids, some hundred at a time, as JSON texts for sheetRecordsOf; those that the repository has not, or the
 * viewer may not see, are left out. Two statements for each block.
 */
export async function* sheetBlocks(
  reader: Reader,
  repoId: number,
  ids: readonly number[],
  viewer: Viewer,
): AsyncGenerator<{ readonly count: number; readonly text: string }> {
  for (let at = 0; at < ids.length; at += recordsAtOnce) {
    const block = ids.slice(at, at + recordsAtOnce);
    const found = await readRecords(reader, new Map([[archivalObject.name, block]]), viewer);
    const records = block.flatMap((id) => {
      const text = found.get(uriOf(archivalObject, id, repoId))?.text;
      return text === undefined ? [] : [{ id, text }];
    });
    const linked = await readLinked(
      reader,
      records.flatMap(({ text }) => linksOf(JSON.parse(text))),
      viewer,
    );
    // Put together from texts: whoever reads the block has a thread for parsing it.
    const rows = records.map(({ id, text }) => `{"id":${id},"record":${text}}`);
    const targets = [...linked].map(([uri, text]) => `${JSON.stringify(uri)}:${text}`);
    yield { count: rows.length, text: `{"records":[${rows.join(',')}],"linked":{${targets.join(',')}}}` };
  }
}

/** The same records in memory. */
async function readSheetRecords(
  reader: Reader,
  repoId: number,
  ids: readonly number[],
  viewer: Viewer,
): Promise<readonly SheetRecord[]> {
  const blocks = await Array.fromAsync(sheetBlocks(reader, repoId, ids, viewer));
  return blocks.flatMap(({ text }) => sheetRecordsOf(text));
}

/** The same records by id, as a whole and, where links of theirs are hidden, without what is suppressed: whoever fetched a sheet saw one or the other. */
export async function readSheetViews(
  reader: Reader,
  repoId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, { readonly whole: SheetRecord; readonly open: SheetRecord | undefined }>> {
  const wholes = await readSheetRecords(reader, repoId, ids, { seesSuppressed: true });
  // Of few records there are two views, and of the others they need not be read twice.
  const marked = await reader.any(sql.type(IdRow)`
    SELECT DISTINCT source_id AS id FROM link WHERE source_kind = ${archivalObject.name} AND source_id = ANY(${sql.array([...ids], 'int4')}) AND suppressed`);
  const opens = await readSheetRecords(
    reader,
    repoId,
    marked.map(({ id }) => id),
    { seesSuppressed: false },
  );
  const byId = new Map(opens.map((open) => [open.id, open]));
  return new Map(wholes.map((whole) => [whole.id, { whole, open: byId.get(whole.id) }]));
}

function linksOf(record: JsonObject): readonly string[] {
  const instances = objectsOf(record, 'instances');
  const refs = [
    ...instances.map((instance) => textOf(objectOf(objectOf(instance, 'sub_container'), 'top_container'), 'ref')),
    ...instances.map((instance) => textOf(objectOf(instance, 'digital_object'), 'ref')),
    ...objectsOf(record, 'accession_links').map((link) => textOf(link, 'ref')),
  ];
  return refs.filter((ref) => ref !== undefined);
}

/** Records of any kinds by uri, as JSON texts. */
async function readLinked(
  reader: Reader,
  uris: readonly string[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, string>> {
  const addresses = [...new Set(uris)].flatMap((uri) => parseUri(uri) ?? []);
  const wanted = new Map(
    [...Map.groupBy(addresses, ({ kind }) => kind)].map(([kind, some]) => [kind, some.map(({ id }) => id)]),
  );
  const found = await readRecords(reader, wanted, viewer);
  return new Map([...found].map(([uri, { text }]) => [uri, text]));
}
