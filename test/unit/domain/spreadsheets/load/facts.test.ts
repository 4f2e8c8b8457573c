// What rows to load name: by columns, numbered or not, once each.
import { expect, test } from 'vitest';
import { componentIdOf, wantedByLoad } from '#domain/spreadsheets/load/facts.ts';

test('collects what rows name, from every numbered column, once', () => {
  const row = (number: number, cells: object) => ({ row: number, cells: new Map(Object.entries(cells)) });
  const rows = [
    row(5, {
      people_agent_record_id_1: '7',
      people_agent_header_5: 'Ann',
      subject_2_record_id: '3',
      barcode: 'a',
      barcode_2: 'b',
      title: 'x',
    }),
    row(6, {
      people_agent_header_1: 'Ann',
      families_agent_header_1: 'Ann',
      barcode_3: 'a',
      subject_1_record_id: 'none',
      ao_uri: '/repositories/2/archival_objects/9',
      ao_ref_id: 'r',
      digital_object_id: 'd',
    }),
  ];
  expect(wantedByLoad(rows, 2, 4)).toEqual({
    agents: [
      { kind: 'agent_person', ids: [7], headers: ['Ann'] },
      { kind: 'agent_family', ids: [], headers: ['Ann'] },
      { kind: 'agent_corporate_entity', ids: [], headers: [] },
    ],
    subjectIds: [3],
    barcodes: ['a', 'b'],
    digitalObjectIds: ['d'],
    components: { refIds: ['r'], ids: [9, 4] },
  });
});

test.each([
  ['12', 12],
  ['/repositories/2/archival_objects/12', 12],
  ['/repositories/3/archival_objects/12', null],
  ['/repositories/2/resources/12', null],
  ['r12', null],
  ['9999999999', null],
])('takes %s for the archival object %s', (text, id) => {
  expect(componentIdOf(text, 2)).toBe(id);
});
