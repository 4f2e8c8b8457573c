// Whose name it is, by its form, and its parts.
import { expect, it } from 'vitest';
import { kindOfName, nameOf } from '#domain/formats/atom-csv/reading/names.ts';

it.each([
  ['Doe, Jane', 'agent_person'],
  ['Doe, Jane, 1900-1950', 'agent_person'],
  ['Jane Doe (1900-)', 'agent_person'],
  ["O'Neil, Mary-Ann", 'agent_person'],
  ['Roe family', 'agent_family'],
  ['Famille Le Gall', 'agent_family'],
  ['Example Society', 'agent_corporate_entity'],
  ['Smith, Jones, Brown', 'agent_corporate_entity'],
  ['Doe, Limited', 'agent_corporate_entity'],
  ['Smith & Co. 1900-1950', 'agent_corporate_entity'],
])('takes %s for an %s', (text, kind) => {
  expect(kindOfName(text)).toBe(kind);
});

it('takes the names of persons apart, and leaves others whole', () => {
  expect(nameOf('agent_person', 'Doe, Jane, ca. 1900-1950')).toMatchObject({
    primary_name: 'Doe',
    rest_of_name: 'Jane',
    dates: 'ca. 1900-1950',
    name_order: 'inverted',
  });
  expect(nameOf('agent_person', 'Plato')).toMatchObject({ primary_name: 'Plato', name_order: 'direct' });
  expect(nameOf('agent_person', '1900-1950')).toMatchObject({ primary_name: '1900-1950' });
  expect(nameOf('agent_corporate_entity', 'Society, The')).toMatchObject({ primary_name: 'Society, The' });
});
