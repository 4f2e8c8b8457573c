// Every EAD document of the real-data folder goes through the reader: counts, order, depth, and all text of the components.
// The folder is not part of the repository; without it this file skips, and says so.
import { describe, expect, test } from 'vitest';
import { readEad } from '#domain/formats/ead/reading/read.ts';
import type { EadOptions, ImportRecord, ImportReport } from '#domain/formats/ead/reading/read.ts';
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import { decodeXml } from '#domain/formats/xml/encoding.ts';
import { inChunks, readArchive, readManifest, realDataFolder } from '../support/real-data.ts';
import { upTo } from '../support/long.ts';
import type { ArchiveFile } from '../support/real-data.ts';
import { isListed, isReported, joinedExtent, refusedRecords, stringsOf } from '../support/records-of-documents.ts';

const folder = realDataFolder();
const files: readonly ArchiveFile[] = folder === undefined ? [] : readArchive(folder, 'ead.tar.gz');
const rows = new Map(folder === undefined ? [] : readManifest(folder, 'ead').map((row) => [row['file'], row]));
const flagsOf = (file: ArchiveFile): string => rows.get(file.name)?.['flags'] ?? '';
const ead2002 = files.filter((file) => flagsOf(file).includes('EAD2002'));
const ead3 = files.filter((file) => flagsOf(file).includes('EAD3'));

const options: EadOptions = {
  repositoryUri: '/repositories/2',
  importId: 'e0',
  isEnumerationValue: isListed,
  reportLimit: 1_000_000,
};

type Reading = { readonly records: readonly ImportRecord[]; readonly report: ImportReport };

async function read(file: ArchiveFile): Promise<Reading> {
  const records: ImportRecord[] = [];
  const reading = readEad(inChunks(file.bytes), options);
  let step = await reading.next();
  for (; step.done !== true; step = await reading.next()) records.push(step.value);
  return { records, report: step.value };
}

/** What the document itself says, read without the code under test's mapping: the tree of components and every text in it. */
type Outline = {
  readonly components: readonly {
    readonly id: string | undefined;
    readonly depth: number;
    readonly position: number;
    readonly title: string;
  }[];
  readonly texts: readonly { readonly text: string; readonly path: readonly string[] }[];
};

async function outline(file: ArchiveFile): Promise<Outline> {
  const components: { id: string | undefined; depth: number; position: number; title: string }[] = [];
  const texts: { text: string; path: readonly string[] }[] = [];
  const path: string[] = [];
  const counts = [0];
  const isComponentName = (name: string): boolean => /^c(\d\d)?$/.test(name);
  const reader = createXmlReader({
    open(tag) {
      path.push(`${tag.name}@${tag.line}`);
      if (!isComponentName(tag.name)) return;
      const position = counts.at(-1) ?? 0;
      counts[counts.length - 1] = position + 1;
      components.push({
        id: tag.attributes.find((attribute) => attribute.name === 'id')?.value,
        depth: counts.length,
        position,
        title: '',
      });
      counts.push(0);
    },
    text(text) {
      const current = components.at(-1);
      const inTitle = /\/did@\d+\/unittitle@\d+(?!.*\/unitdate@)/.test(path.join('/'));
      // The did comes before a component's children, so the last component opened is the one it belongs to.
      if (inTitle && current !== undefined && counts.length > 1) current.title += essence(text);
      if (text.trim() !== '' && path.some((step) => step.startsWith('archdesc@')))
        texts.push({ text, path: [...path] });
    },
    close(name) {
      path.pop();
      if (isComponentName(name)) counts.pop();
    },
  });
  for await (const text of decodeXml(inChunks(file.bytes))) reader.feed(text);
  reader.end();
  return { components, texts };
}

/** Letters and digits only: white space, punctuation and escapes differ between a document and its records by design. */
function essence(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();
}

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}

/** The essence of a text that may hold markup. */
function plainEssence(text: unknown): string {
  return typeof text === 'string' ? essence(unescape(text.replace(/<[^>]*>/g, ''))) : '';
}

describe.skipIf(folder === undefined)('real EAD 2002 and EAD3 documents', () => {
  test('the folder holds the documents the manifest lists', () => {
    expect(files.map((file) => file.name).toSorted()).toEqual([...rows.keys()].toSorted());
    expect(ead2002.length).toBeGreaterThan(20);
    expect(ead3.length).toBe(15);
    expect(ead2002.length + ead3.length).toBe(files.length);
  });

  test.each(upTo(files, 700_000).map((file) => [file.name, file] as const))(
    '%s keeps every component, its place and its text',
    async (_name, file) => {
      const { records, report } = await read(file);
      const expected = await outline(file);
      const components = records.filter((record) => record.jsonmodel_type === 'archival_object');
      expect(components).toHaveLength(Number(rows.get(file.name)?.['components']));
      expect(records.filter((record) => record.jsonmodel_type === 'resource')).toHaveLength(1);

      // Temporary URIs are numbered in the order in which components open, so they sort into document order.
      const number = (record: ImportRecord): number => Number(record.uri.split('-').at(-1));
      const byUri = new Map(components.map((component) => [component.uri, component]));
      const parentOf = (component: ImportRecord): ImportRecord | undefined => {
        const { parent } = component;
        return typeof parent === 'object' && parent !== null && 'ref' in parent && typeof parent.ref === 'string'
          ? byUri.get(parent.ref)
          : undefined;
      };
      const depthOf = (component: ImportRecord): number => {
        const parent = parentOf(component);
        return parent === undefined ? 1 : depthOf(parent) + 1;
      };
      const found = components
        .toSorted((a, b) => number(a) - number(b))
        .map((component) => ({
          id: component['ref_id'],
          depth: depthOf(component),
          position: component['position'],
          title: plainEssence(component['title']),
        }));
      expect(found).toEqual(expected.components);

      // An ungrouped haystack would let one record's text stand in for another's; NUL keeps strings apart, tags are cut out.
      const essences = stringsOf(records, joinedExtent).map(plainEssence);
      const whole = new Set(essences);
      const haystack = essences.join('\0');
      const isKept = (text: string): boolean => text === '' || whole.has(text) || haystack.includes(text);
      const lost = expected.texts.filter(
        ({ text, path }) => !isKept(essence(text)) && !isReported(path, report.dropped),
      );
      expect(lost.map(({ text, path }) => [path.slice(-3).join('/'), text.trim().slice(0, 80)])).toEqual([]);
    },
  );

  test.each(upTo(files, 700_000).map((file) => [file.name, file] as const))(
    '%s gives records that the import accepts',
    async (_name, file) => {
      expect(refusedRecords((await read(file)).records)).toEqual([]);
    },
  );

  test('refs stay inside the document and URIs are unique', async () => {
    for (const file of files.filter((candidate) => candidate.bytes.length < 400_000)) {
      const { records } = await read(file);
      const uris = new Set(records.map((record) => record.uri));
      expect(uris.size).toBe(records.length);
      const refs = [...JSON.stringify(records).matchAll(/"ref":"([^"]+)"/g)].map((match) => match[1] ?? '');
      expect(refs.filter((ref) => !uris.has(ref))).toEqual([]);
    }
  });

  test('the largest document is read in bounded memory', async () => {
    const largest = files.toSorted((a, b) => b.bytes.length - a.bytes.length)[0];
    if (largest === undefined) throw new TypeError('no documents');
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const started = performance.now();
    let count = 0;
    let peak = before;
    for await (const record of readEad(inChunks(largest.bytes), options)) {
      count += record.uri === '' ? 0 : 1;
      if (count % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
    }
    const seconds = (performance.now() - started) / 1000;
    const megabytes = largest.bytes.length / 1e6;
    console.info(
      `${largest.name}: ${count} records, ${(megabytes / seconds).toFixed(1)} MB/s, +${((peak - before) / 1e6).toFixed(0)} MB at the peak`,
    );
    expect(peak - before).toBeLessThan(250e6);
  });
});
