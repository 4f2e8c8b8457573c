// Documents kept as they are written, and records kept as they are read: what a whole document is compared with stands beside it in a file
// below test/fixtures/formats, where a reviewer sees what changes. `npx vitest run <test> -u` writes the files anew.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportRecord } from '#domain/formats/reading/context.ts';
import type { ImportReport } from '#domain/formats/reading/report.ts';
import type { DigitalTree } from '#domain/formats/writing/digital-tree.ts';
import type { TreeRecord } from '#domain/formats/writing/tree-stream.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { expectKept, keptText } from './kept.ts';

const folder = join(import.meta.dirname, '../fixtures/formats');

/** The text of a file below test/fixtures/formats. */
export const fixtureText = (path: string): string => readFileSync(join(folder, path), 'utf8');

/**
 * XML or HTML with each element that follows another tag on a line of its own. The line feeds that are put in are followed by blanks, which
 * tells them from those of the document: two documents give the same text only if they are the same.
 */
export function inLines(document: string): string {
  let depth = 0;
  let last = 0;
  let text = '';
  for (const tag of document.matchAll(/<(?:[^<>"]|"[^"]*")*>/g)) {
    const [whole] = tag;
    const isEnd = whole.startsWith('</');
    const isOther = whole.startsWith('<?') || whole.startsWith('<!');
    const between = document.slice(last, tag.index);
    if (isEnd) depth -= 1;
    text += between;
    if (!isEnd && !isOther && between === '' && depth > 0) text += `\n${'  '.repeat(depth)}`;
    text += whole;
    if (!isEnd && !isOther && !whole.endsWith('/>') && !/^<(?:br|img|meta)\b/.test(whole)) depth += 1;
    last = tag.index + whole.length;
  }
  return text + document.slice(last);
}

/** Records by their URIs, as test/fixtures/formats/records has them. */
export type RecordsByUri = { readonly [uri: string]: JsonObject };

/** The records of files below test/fixtures/formats/records, each with its `uri`. */
export function keptRecords(...files: readonly string[]): RecordsByUri {
  const records: { [uri: string]: JsonObject } = {};
  for (const file of files) {
    // Our own files.
    const read = JSON.parse(fixtureText(`records/${file}.json`)) as RecordsByUri;
    for (const [uri, record] of Object.entries(read)) records[uri] = { uri, ...record };
  }
  return records;
}

/** A record with what its refs name embedded, three refs deep, as exports read it; a ref to nothing stays bare. */
export function resolvedRecord(records: RecordsByUri, uri: string): JsonObject {
  const record = records[uri];
  if (record === undefined) throw new Error(`no record ${uri}`);
  return embedded(record, 3) as JsonObject;

  function embedded(value: Json | undefined, refs: number): Json {
    if (Array.isArray(value)) return value.map((item) => embedded(item, refs));
    if (!isObject(value)) return value ?? null;
    const inner: { [property: string]: Json } = {};
    for (const [property, each] of Object.entries(value)) inner[property] = embedded(each, refs);
    const named = typeof value['ref'] === 'string' ? records[value['ref']] : undefined;
    return named === undefined || refs === 0 ? inner : { ...inner, _resolved: embedded(named, refs - 1) };
  }
}

/** The components of a resource as trees are read: in the order of the file, below their parents; those that are not published where they are asked for. */
export async function* componentBlocks(
  records: RecordsByUri,
  includesUnpublished: boolean,
): AsyncGenerator<readonly TreeRecord[]> {
  for (const [uri, record] of Object.entries(records))
    if (record['jsonmodel_type'] === 'archival_object' && (includesUnpublished || record['publish'] !== false))
      yield [{ depth: depthOf(records, record), record: resolvedRecord(records, uri) }];
}

/** A digital object with its components in the order of the file, below their parents. */
export function keptTree(records: RecordsByUri, uri: string): DigitalTree {
  const ofObject = Object.entries(records).filter(
    ([, record]) => isObject(record['digital_object']) && record['digital_object']['ref'] === uri,
  );
  return {
    object: resolvedRecord(records, uri),
    components: ofObject.map(([component, record]) => ({
      record: resolvedRecord(records, component),
      depth: depthOf(records, record),
    })),
  };
}

function depthOf(records: RecordsByUri, record: JsonObject): number {
  const parent = isObject(record['parent']) ? record['parent']['ref'] : undefined;
  return typeof parent === 'string' ? depthOf(records, records[parent] ?? {}) + 1 : 1;
}

/** Compares the records of a reading, and its report, with the file they are kept in. */
export async function expectRead(
  reading: AsyncGenerator<ImportRecord, ImportReport, void>,
  path: string,
): Promise<void> {
  const records: ImportRecord[] = [];
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) records.push(step.value);
  await expectKept(keptText({ records, report: step.value }, 5), `formats/${path}`);
}
