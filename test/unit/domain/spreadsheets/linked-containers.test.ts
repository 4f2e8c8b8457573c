// Sheets of containers to link, as a harbour board's archive would fill them in: what each plan comes to as a whole, or the words for what is wrong.
import { it } from 'vitest';
import type { CodedRow } from '#domain/spreadsheets/coded-sheet.ts';
import type { LinkerFacts } from '#domain/spreadsheets/container-links.ts';
import { pairKey, planLinks, wantedOf } from '#domain/spreadsheets/container-links.ts';
import { controlledBy } from '#domain/spreadsheets/controlled.ts';
import { expectKept, keptText } from '#test/support/kept.ts';
import { referenceLists } from '#test/support/make/lists.ts';

type Cells = { readonly [code: string]: string };

const controlled = controlledBy(referenceLists(), {});
const rowsOf = (rows: readonly Cells[]): readonly CodedRow[] =>
  rows.map((cells, at) => ({ row: at + 5, cells: new Map(Object.entries(cells)) }));

const linkerFacts: LinkerFacts = {
  eadId: 'pehb7.xml',
  components: new Map([
    ['ref_letters', 1],
    ['ref_book3', 2],
  ]),
  used: new Set([pairKey('box', '31')]),
  containerIds: new Set([1]),
  barcodes: new Set(['BOX-0031']),
  childBarcodes: new Set(['FLD-0007']),
  locationIds: new Set([1]),
  profileIds: new Set([1]),
};
const link: Cells = {
  ref_id: 'ref_letters',
  ead_id: 'pehb7.xml',
  instance_type: 'text',
  top_container_type: 'box',
  top_container_indicator: '40',
};
const links: { readonly [name: string]: readonly Cells[] } = {
  'a new container, whole': [
    {
      ...link,
      top_container_barcode: 'NEW',
      location_id: '1',
      container_profile_id: '1',
      child_type: 'folder',
      child_indicator: '1',
      child_barcode: 'F-1',
    },
  ],
  'a new container without a type': [
    { ref_id: 'ref_letters', ead_id: 'pehb7.xml', instance_type: 'Text', top_container_indicator: '41' },
  ],
  'two rows in one new container': [
    { ...link, location_id: '1' },
    { ...link, ref_id: 'ref_book3', top_container_barcode: 'NEW' },
  ],
  'a container that is there': [
    { ref_id: 'ref_letters', ead_id: 'pehb7.xml', instance_type: 'text', top_container_id: '1' },
  ],
  'a container that is there, told anew': [
    {
      ...link,
      top_container_indicator: '',
      top_container_id: '1',
      top_container_barcode: 'BOX-0031',
      location_id: '1',
    },
  ],
  'half a child': [
    { ...link, child_type: 'folder' },
    { ...link, child_indicator: '2' },
    { ...link, child_barcode: 'F-3' },
  ],
  'no ref_id': [{ ...link, ref_id: '' }],
  'a ref_id of elsewhere': [{ ...link, ref_id: 'unknown' }],
  'no EAD ID': [{ ...link, ead_id: '' }],
  'another EAD ID': [{ ...link, ead_id: 'other' }],
  'no type of instance': [{ ...link, instance_type: '' }],
  'a digital object': [{ ...link, instance_type: 'digital_object' }],
  'an unknown type of instance': [{ ...link, instance_type: 'odd' }],
  'an unknown type of container': [{ ...link, top_container_type: 'chest' }],
  'both ways of naming': [{ ...link, top_container_id: '1' }],
  'neither way of naming': [{ ...link, top_container_indicator: '' }],
  'nothing of that number': [
    { ...link, top_container_indicator: '', top_container_id: '9', location_id: '9', container_profile_id: 'x' },
  ],
  'a container of the resource, by its indicator': [{ ...link, top_container_indicator: '31' }],
  'a barcode in use': [{ ...link, top_container_barcode: 'BOX-0031' }],
  'two barcodes for one': [
    { ...link, top_container_barcode: 'N1', location_id: '1' },
    { ...link, top_container_barcode: 'N2' },
  ],
  'one barcode for two': [
    { ...link, top_container_barcode: 'N1' },
    { ...link, top_container_indicator: '42', top_container_barcode: 'N1' },
  ],
  'a barcode of a child in use': [{ ...link, child_type: 'folder', child_indicator: '1', child_barcode: 'FLD-0007' }],
  'a barcode of two children': [1, 2].map((n) => ({
    ...link,
    child_type: 'folder',
    child_indicator: String(n),
    child_barcode: 'F-9',
  })),
};

it('plans links to containers, or says what is wrong, as is kept', async () => {
  const outcomes = Object.fromEntries(
    Object.entries(links).map(([name, cells]) => {
      const rows = rowsOf(
        cells.map((each) => Object.fromEntries(Object.entries(each).filter(([, text]) => text !== ''))),
      );
      const { containers, links: planned, faults, notes } = planLinks(rows, linkerFacts, controlled, '2026-01-15');
      return [name, { containers, links: planned, faults, notes }];
    }),
  );
  const wanted = wantedOf(rowsOf(Object.values(links).flat()));
  await expectKept(keptText({ outcomes, wanted }, 4), 'spreadsheets/container-links.json');
});
