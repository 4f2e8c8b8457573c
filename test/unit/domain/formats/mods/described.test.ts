import { expect, it } from 'vitest';
import { describedMods, modsNoteTypes } from '#domain/formats/mods/described.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext, personLink, subjectRef } from '#test/support/make/export-context.ts';

const record = {
  title: 'Letters',
  linked_agents: [
    personLink(),
    personLink({ sort_name: 'Hidden' }, {}, { publish: false }),
    personLink({}, { role: 'subject' }),
  ],
  dates: [
    { label: 'creation', begin: '1900', end: '1901' },
    { label: 'issued', begin: '1950' },
  ],
  extents: [{ number: '3', extent_type: 'boxes', container_summary: 'big' }],
  lang_materials: [{ language_and_script: { language: 'ger', script: 'Latn' } }],
  subjects: [
    subjectRef({ title: 'Dresden', source: 'tgn', terms: [{ term: 'Dresden', term_type: 'geographic' }] }),
    subjectRef({ title: 'Work', terms: [{ term: 'Work', term_type: 'function' }] }),
  ],
  notes: [...Object.keys(modsNoteTypes), 'scopecontent', 'accessrestrict', 'userestrict'].map((type) => ({
    type,
    publish: true,
    content: [`${type} text`],
  })),
  parent: { ref: '/repositories/2/archival_objects/1', _resolved: { publish: true, display_string: 'Series I' } },
};

it('is valid and holds each part', () => {
  const xml = describedMods(record, makeExportContext());
  expect(xml).toContain('<titleInfo><title>Letters</title></titleInfo>');
  expect(xml).toContain('<dateCreated encoding="iso8601">1900/1901</dateCreated>');
  expect(xml).toContain('<extent>3 BOXES; big</extent>');
  expect(xml).toContain('<subject authority="tgn"><geographic>Dresden</geographic></subject>');
  expect(xml).toContain('<note type="accrual method">accruals text</note>');
  expect(xml).toContain('<note>odd text</note>');
  expect(xml).toContain('<relatedItem type="host"><titleInfo><title>Series I</title></titleInfo></relatedItem>');
  expect(xml).not.toContain('Hidden');
  expect(exportFaults('MODS', xml)).toEqual([]);
});

it('does not name an unpublished parent', () =>
  expect(
    describedMods(
      { ...record, parent: { ref: 'x', _resolved: { publish: false, title: 'Secret' } } },
      makeExportContext(),
    ),
  ).not.toContain('Secret'));
