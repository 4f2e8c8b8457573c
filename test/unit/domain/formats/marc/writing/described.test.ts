import { expect, it } from 'vitest';
import { archivalObjectMarc, resourceMarc } from '#domain/formats/marc/writing/described.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { makeExportContext, marcLines, personLink } from '#test/support/make/export-context.ts';

const resource = {
  title: 'Papers <emph>of</emph> A',
  level: 'item',
  id_0: 'MS',
  id_1: '1',
  system_mtime: '2026-03-04T05:06:07Z',
  finding_aid_language: 'eng',
  ead_location: 'http://x.example',
  ark_name: { current: 'ark:/1/2' },
  dates: [
    { date_type: 'bulk', expression: 'bulk' },
    { date_type: 'single', begin: '1901-02' },
  ],
  lang_materials: [{ language_and_script: { language: 'ger' } }, { language_and_script: { language: 'eng' } }],
  linked_agents: [personLink()],
  notes: [{ type: 'odd', publish: true, content: ['Odd'] }],
};

it('writes leader and 008', () => {
  const xml = resourceMarc({ ...resource, dates: [{ date_type: 'single', begin: '1901-02' }] }, makeExportContext());
  expect(xml).toContain('<leader>00000npmaa2200000 u 4500</leader>');
  expect(xml).toContain(`<controlfield tag="008">${'260304s1901    gw'.padEnd(35)}mul d</controlfield>`);
});

it('writes the fields of a resource in the order of their tags', () => {
  expect(marcLines(resourceMarc(resource, makeExportContext()))).toEqual([
    '040 __ $a ORG $b eng $c ORG',
    '041 __ $a ger $a eng',
    '049 __ $a ORG',
    '099 __ $a MS.1',
    '100 1_ $a Muster, Anna, $e creator.',
    '245 10 $a Papers of A, $f 1901-02 $g bulk',
    '500 __ $a Odd.',
    '852 __ $a ORG',
    '856 42 $z Finding aid online: $u http://x.example $z Archival Resource Key: $u ark:/1/2',
  ]);
});

it('tells a language in two scripts once', () => {
  const coded = (script: string) => ({ language_and_script: { language: 'srp', script } });
  const xml = resourceMarc({ ...resource, lang_materials: ['Cyrl', 'Latn'].map(coded) }, makeExportContext());
  expect(marcLines(xml)).toContain('041 __ $a srp');
  expect(xml).toContain('srp d</controlfield>');
});

it('names the parent institution where there is one, else the repository', () => {
  const holding = (repository: Record<string, string>) =>
    marcLines(resourceMarc(resource, makeExportContext({ repository }))).find((line) => line.startsWith('852'));
  expect([holding({ name: 'R', parent_institution_name: 'P' }), holding({ name: 'R' })]).toEqual([
    '852 __ $a P $b R',
    '852 __ $a R',
  ]);
});

it('writes archival objects without notes, identifier and addresses', () => {
  const xml = archivalObjectMarc({ ...resource, level: 'file' }, makeExportContext());
  expect(marcLines(xml).map((line) => line.slice(0, 3))).toEqual(['040', '041', '049', '100', '245', '852']);
  expect(exportFaults('MARCXML', xml)).toEqual([]);
});
