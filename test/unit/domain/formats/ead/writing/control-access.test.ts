// Headings of a record in both versions of EAD: one controlaccess where there are any, and none that is empty.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext, personLink, subjectRef } from '#test/support/make/export-context.ts';

const { label } = makeExportContext();
const setting = {
  flags: { includeUnpublished: false, includeDaos: false, includeUris: false, numberedComponents: false },
  label,
  product: 'Muniment',
  createdAt: '2026-01-01 00:00:00 UTC',
  includeArks: false,
  deepest: 0,
};
const write = async (writer: typeof writeEad2002, more: JsonObject): Promise<string> => {
  const resource = { title: 'Papers', level: 'collection', id_0: 'A', publish: true, ...more };
  return (await Array.fromAsync(writer(resource, (async function* () {})(), setting))).join('');
};

test.each([
  ['EAD 2002', writeEad2002],
  ['EAD3', writeEad3],
] as const)('headings in %s', async (format, writer) => {
  const tides = subjectRef({ title: 'Tides', terms: [{ term: 'Tides', term_type: 'topical' }] });
  for (const [headings, more] of [
    [0, {}],
    // A creator is no heading, nor is what is not published.
    [0, { linked_agents: [personLink(), personLink({}, { role: 'subject' }, { publish: false })] }],
    [1, { subjects: [tides, tides] }],
    [1, { linked_agents: [personLink({}, { role: 'subject' })] }],
  ] as const) {
    const xml = await write(writer, more);
    expect(exportFaults(format, xml)).toEqual([]);
    expect(xml.match(/<controlaccess>/g) ?? []).toHaveLength(headings);
  }
});
