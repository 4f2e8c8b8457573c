// The records that rows make.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';

test.each<[string, JsonObject, JsonObject]>([
  ['accession', { accession_number_1: '2026' }, { id_0: '2026' }],
  ['digital_object', { digital_object_id: 'D1' }, { digital_object_id: 'D1' }],
  ['location', { location_building: 'Main' }, { building: 'Main', owner_repo: { ref: '/repositories/2' } }],
  [
    'subject',
    { term_1: 'Maps', subject_source: 'lcsh' },
    {
      source: 'lcsh',
      publish: true,
      vocabulary: '/vocabularies/1',
      terms: [{ jsonmodel_type: 'term', term: 'Maps', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    },
  ],
])('%s: a row says nothing of what it has no cells for', async (kind, row, fields) => {
  const cells = { ...row, agent_name_primary_name: '', file_version_file_uri: '' };
  const sheet = `${Object.keys(cells).join(',')}\n${Object.values(cells).join(',')}\n`;
  const { records } = await readFormat(`${kind}_csv`, sheet);
  expect(records.map(({ uri: _, ...record }) => record)).toStrictEqual([{ jsonmodel_type: kind, ...fields }]);
});

test('a person of whom only the name is given has no contact', async () => {
  const { of } = await readFormat(
    'accession_csv',
    'accession_number_1,agent_type,agent_role,agent_name_primary_name\n1,agent_person,creator,Roe\n',
  );
  expect(of('agent_person')).toHaveLength(1);
  expect(of('agent_person')[0]).not.toHaveProperty('agent_contacts');
});
