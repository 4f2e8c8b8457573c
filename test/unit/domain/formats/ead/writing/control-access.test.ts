// What stands behind the did of a record in both versions of EAD: one controlaccess where there are headings, and none that is empty; notes of lists.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { writeEad2002 } from '#domain/formats/ead/writing/write-2002.ts';
import { writeEad3 } from '#domain/formats/ead/writing/write-3.ts';
import { readDocument } from '#test/support/ead-document.ts';
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

test.each([
  ['EAD 2002', writeEad2002],
  ['EAD3', writeEad3],
] as const)(
  'a heading in %s is a name or a first term with its further terms behind dashes',
  async (format, writer) => {
    const terms = ['Letters', 'Rome <i>&</i> Ostia'].map((term) => ({ term, term_type: 'topical' }));
    const headingOf = async (more: JsonObject): Promise<string | undefined> => {
      const xml = await write(writer, more);
      expect(exportFaults(format, xml)).toEqual([]);
      return /<controlaccess>(.*)<\/controlaccess>/.exec(xml)?.[1]?.replace(/<[^>]*>/g, '');
    };
    for (const role of ['subject', 'source']) {
      const agent = personLink({}, { role, terms: [...terms, { term: '<i></i>' }] });
      expect(await headingOf({ linked_agents: [agent] })).toBe('Muster, Anna -- Letters -- Rome &amp; Ostia');
    }
    expect(await headingOf({ subjects: [subjectRef({ terms })] })).toBe('Letters -- Rome &amp; Ostia');
    expect(await headingOf({ subjects: [subjectRef({ title: 'As titled', terms })] })).toBe('As titled');
  },
);

test('a heading of a source without a relator is of one in EAD3', async () => {
  const relatorOf = async (link: JsonObject): Promise<string | undefined> =>
    /<controlaccess><persname( relator="[^"]*")?/.exec(
      await write(writeEad3, { linked_agents: [personLink({}, link)] }),
    )?.[1];
  expect(await relatorOf({ role: 'source' })).toBe(' relator="fmo"');
  expect(await relatorOf({ role: 'source', relator: 'dnr' })).toBe(' relator="dnr"');
  expect(await relatorOf({ role: 'subject' })).toBeUndefined();
});

test('a bibliography of EAD3 has its text, its items, or both, and a paragraph where it has neither', async () => {
  const bibliography = async (note: JsonObject): Promise<string | undefined> =>
    /<bibliography>.*<\/bibliography>/.exec(
      await write(writeEad3, { notes: [{ jsonmodel_type: 'note_bibliography', publish: true, ...note }] }),
    )?.[0];
  const head = '<bibliography><head>Bibliography</head>';
  expect(await bibliography({ items: ['One', ' '] })).toBe(`${head}<bibref>One</bibref></bibliography>`);
  expect(await bibliography({ content: ['Text'] })).toBe(`${head}<p>Text</p></bibliography>`);
  expect(await bibliography({ content: ['Text'], items: ['One'] })).toBe(
    `${head}<p>Text</p><bibref>One</bibref></bibliography>`,
  );
  expect(await bibliography({ label: 'Read' })).toBe('<bibliography><head>Read</head><p/></bibliography>');
});

test.each([
  ['EAD 2002', writeEad2002],
  ['EAD3', writeEad3],
] as const)('headings within the texts of notes in %s are those of the notes, or stay text', async (format, writer) => {
  const text = '<head>Read</head><p>Text</p>';
  const further = { jsonmodel_type: 'note_text', content: '<head>Further</head><p>More</p>', publish: true };
  const xml = await write(writer, {
    finding_aid_note: text,
    notes: [
      { jsonmodel_type: 'note_bibliography', publish: true, content: [text] },
      { jsonmodel_type: 'note_index', publish: true, content: [text], items: [] },
      {
        jsonmodel_type: 'note_multipart',
        type: 'odd',
        label: 'Label',
        publish: true,
        subnotes: [{ jsonmodel_type: 'note_text', content: text, publish: true }, further],
      },
    ],
  });
  expect(exportFaults(format, xml)).toEqual([]);
  expect(xml).toMatch(/<(note|controlnote)><p>Read<\/p><p>Text<\/p><\/\1>/);
  expect(xml).toContain('<bibliography><head>Read</head><p>Text</p></bibliography>');
  expect(xml).toContain('<index><head>Read</head><p>Text</p>');
  expect(xml).toContain('<odd><head>Read</head><p>Text</p><p>Further</p><p>More</p></odd>');
});

test.each([
  [
    'EAD 2002',
    writeEad2002,
    '<eventgrp><event><geogname>Rome &amp; Ostia</geogname></event><event>Lived</event></eventgrp>',
  ],
  [
    'EAD3',
    writeEad3,
    '<chronitemset><geogname><part>Rome &amp; Ostia</part></geogname><event>Lived</event></chronitemset>',
  ],
] as const)(
  'the places of a chronology stand before its events in %s, and come in again',
  async (format, writer, told) => {
    const items = [{ event_date: '1900', place: 'Rome & Ostia', events: ['Lived'] }];
    const chronology = { jsonmodel_type: 'note_chronology', publish: true, items };
    const xml = await write(writer, {
      notes: [{ jsonmodel_type: 'note_multipart', type: 'bioghist', publish: true, subnotes: [chronology] }],
    });
    expect(exportFaults(format, xml)).toEqual([]);
    expect(xml).toContain(told);
    const { resource } = await readDocument(xml, { standIns: true });
    expect(resource['notes']).toMatchObject([{ type: 'bioghist', subnotes: [{ items }] }]);
  },
);
