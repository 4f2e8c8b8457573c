// What a finding aid says of itself in EAD3.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext } from '#test/support/make/export-context.ts';

const setting = {
  flags: { includeUnpublished: false, includeDaos: false, includeUris: false, numberedComponents: false },
  label: makeExportContext().label,
  product: 'Muniment',
  createdAt: '2026-01-01 00:00:00 UTC',
  includeArks: false,
  deepest: 0,
};
/** The publication statement of a resource, in a document that is valid. */
const publicationOf = async (more: JsonObject): Promise<string | undefined> => {
  const resource = { title: 'Papers', level: 'collection', publish: true, ...more };
  const xml = (await Array.fromAsync(writeEad3(resource, (async function* () {})(), setting))).join('');
  expect(exportFaults('EAD3', xml)).toEqual([]);
  return /<publicationstmt>(.*?)<\/publicationstmt>/s.exec(xml)?.[1]?.replaceAll(/>\s+</g, '><');
};

test.each([
  ['A', { id_0: 'A' }],
  ['A.1', { id_0: 'A', id_1: '1', id_2: '' }],
  ['A.1.b.2', { id_0: 'A', id_1: '1', id_2: 'b', id_3: '2' }],
])('its number is %s', async (number, parts) => {
  expect(await publicationOf(parts)).toContain(`<num>${number}</num>`);
});
