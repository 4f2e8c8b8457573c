// The text of a record: columns, addresses, what is computed, and the body, in the order of the wire.
import { expect, test } from 'vitest';
import { kindNamed } from '#domain/addresses.ts';
import { composeRecord } from '#store/records/reading/compose.ts';

const time = '2026-01-02T03:04:05Z';
const row = {
  kind: 'accession',
  id: 7,
  repo_id: 2,
  lock_version: 3,
  publish: true,
  suppressed: false,
  label: 'Papers "of" Ann',
  created_by: null,
  last_modified_by: 'ann',
  create_time: time,
  system_mtime: time,
  user_mtime: time,
  body: '{"jsonmodel_type":"accession","title":"Papers"}',
};

test('columns stand before what is computed, and the body behind it', () => {
  const text = composeRecord(kindNamed('accession'), row, '"linked_events":[],');
  expect(Object.keys(JSON.parse(text))).toEqual(
    `lock_version last_modified_by create_time system_mtime user_mtime publish suppressed uri repository display_string linked_events jsonmodel_type title`.split(
      ' ',
    ),
  );
  expect(JSON.parse(text)).toMatchObject({
    lock_version: 3,
    uri: '/repositories/2/accessions/7',
    repository: { ref: '/repositories/2' },
    display_string: row.label,
  });
});
