// Contract: behaviour-exports.md, section 8: the element of a subject follows the type of its first term.
import { expect, it } from 'vitest';
import { digitalObjectMods } from '#domain/formats/mods/digital-object.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext, subjectRef } from '#test/support/make/export-context.ts';

const subjectsOf = (xml: string): readonly string[] => xml.match(/<subject\b.*?<\/subject>/g) ?? [];

it.each([
  ['geographic', '<geographic>Ulm -- Maps</geographic>'],
  ['cultural_context', '<geographic>Ulm -- Maps</geographic>'],
  ['temporal', '<temporal>Ulm -- Maps</temporal>'],
  ['uniform_title', '<titleInfo><title>Ulm -- Maps</title></titleInfo>'],
  ['occupation', '<occupation>Ulm -- Maps</occupation>'],
  ['genre_form', '<genre>Ulm -- Maps</genre>'],
  ['style_period', '<genre>Ulm -- Maps</genre>'],
  ['technique', '<genre>Ulm -- Maps</genre>'],
  ['function', '<genre>Ulm -- Maps</genre>'],
  ['topical', '<topic>Ulm -- Maps</topic>'],
])('a subject that begins with a %s term', (type, element) => {
  const terms = [
    { term: 'Ulm', term_type: type },
    { term: 'Maps', term_type: 'genre_form' },
  ];
  const subjects = [subjectRef({ source: 'lcsh', terms }), subjectRef({ terms: [{ term: ' ', term_type: type }] })];
  const xml = digitalObjectMods({ object: { title: 'Letters', subjects }, components: [] }, makeExportContext());
  expect(subjectsOf(xml)).toEqual([`<subject authority="lcsh">${element}</subject>`]);
  expect(exportFaults('MODS', xml)).toEqual([]);
});
