// Addresses of sub-records follow from their record and the place there (contract 3.2, 7.2).
import { expect, test } from 'vitest';
import { largestInt4 } from '#domain/int4.ts';
import {
  fileVersionIdentifier,
  managementUri,
  ownerOfManagement,
  partUris,
  revisionStatementUri,
  telephoneUri,
} from '#domain/rules/part-uris.ts';
import { kinds } from '#domain/kinds/index.ts';
import { fileVersionOwners, managementOwners, telephoneOwners } from '#domain/subrecords/part-owners.ts';

test.each([
  ['accession', 13],
  ['resource', 1],
  ['digital_object', 99],
])('leads from the collection management of a %s back to it', (kind, id) => {
  const number = Number(managementUri(kind, id, 2)?.split('/').at(-1));
  expect(managementUri(kind, id, 2)).toMatch(/^\/repositories\/2\/collection_management\/\d+$/);
  expect(ownerOfManagement(number)).toEqual({ kind, id });
});

test('knows ids that nothing has', () => expect([0, 1, 7].map(ownerOfManagement)).toEqual([null, null, null]));

test('gives every telephone of every agent a number of its own, exact up to the largest id', () => {
  const places: readonly (readonly [string, number, number, number])[] = [
    ['agent_person', 1, 0, 0],
    ['agent_person', 1, 0, 1],
    ['agent_person', 1, 1, 0],
    ['agent_family', 1, 0, 0],
    ['agent_person', 2, 0, 0],
    ['agent_software', largestInt4, 999, 999],
    ['agent_software', largestInt4, 999, 998],
  ];
  expect(new Set(places.map(([kind, id, contact, telephone]) => telephoneUri(kind, id, contact, telephone))).size).toBe(
    places.length,
  );
});

test('finds all of a body', () => {
  expect(
    partUris('agent_person', 1, null, {
      agent_contacts: [{ telephones: [] }, { telephones: [{ number: '1' }, { number: '2' }] }],
    }),
  ).toEqual([telephoneUri('agent_person', 1, 1, 0), telephoneUri('agent_person', 1, 1, 1)]);
  expect(partUris('accession', 5, 2, { collection_management: {} })).toEqual([managementUri('accession', 5, 2)]);
  expect(partUris('archival_object', 5, 2, { collection_management: {} })).toEqual([]);
});

test('names revision statements by resource and place, as far as there are places', () => {
  expect([revisionStatementUri(7, 2, 0), revisionStatementUri(7, 2, 1), revisionStatementUri(7, 2, 1000)]).toEqual([
    '/repositories/2/revision_statement/7000',
    '/repositories/2/revision_statement/7001',
    null,
  ]);
});

test('identifies file versions of objects and components, and nothing else', () => {
  expect([
    fileVersionIdentifier('digital_object', 7, 1),
    fileVersionIdentifier('digital_object_component', 7, 1),
    fileVersionIdentifier('resource', 7, 0),
    fileVersionIdentifier('digital_object', 7, -1),
  ]).toEqual(['28001', '29001', null, null]);
});

test('has room in ids for every kind that has such sub-records, and knows each by name', () => {
  for (const owners of [managementOwners, telephoneOwners, fileVersionOwners]) {
    expect(owners.length).toBeLessThanOrEqual(4);
    expect(owners.every((name) => kinds.has(name))).toBe(true);
  }
});
