// The summary of a record in a printed finding aid.
import { expect, test } from 'vitest';
import type { Wording } from '#domain/formats/printed-finding-aid/terms.ts';
import { readableTerms } from '#domain/formats/printed-finding-aid/terms.ts';
import type { JsonObject } from '#domain/json.ts';
import { personLink, subjectRef } from '#test/support/make/export-context.ts';

const wording: Wording = {
  text: (text) => text,
  inline: (text) => text,
  link: (title, address) => `${title} <${address}>`,
};
const termsOf = (record: JsonObject, includeDaos = true): { readonly [term: string]: string } => {
  const setting = {
    flags: { includeUnpublished: false, includeDaos, includeUris: false, numberedComponents: false },
    label: (_: string, value: string) => value.toUpperCase(),
    product: 'Muniment',
    createdAt: 'now',
    includeArks: false,
    deepest: 1,
  };
  return Object.fromEntries(readableTerms(record, setting, wording));
};

const box = (indicator: string, more: JsonObject = {}): JsonObject => ({
  sub_container: { top_container: { ref: '/x', _resolved: { type: 'box', indicator } }, ...more },
});
const digital = (title: string, ...addresses: readonly string[]): JsonObject => ({
  digital_object: {
    ref: '/x',
    _resolved: { title, publish: true, file_versions: addresses.map((file_uri) => ({ file_uri })) },
  },
});

test('several of a kind stand apart from each other', () => {
  expect(
    termsOf({
      component_id: 'C1',
      dates: [{ expression: 'about 1900' }, { begin: '1901', end: '1903' }, { begin: '1905' }],
      linked_agents: [
        personLink(),
        personLink({ sort_name: 'Roe, Ann' }),
        personLink({}, { role: 'source' }),
        personLink({ sort_name: 'Roe, Bo' }, { role: 'source' }),
        personLink({}, { role: 'subject', terms: [{ term: 'Letters' }] }),
      ],
      subjects: [subjectRef({ title: 'Tides', terms: [{ term: 'Tides', term_type: 'topical' }] })],
      extents: [
        { number: '2', extent_type: 'boxes', container_summary: '3 folders', physical_details: 'ink' },
        { number: '1', extent_type: 'map', dimensions: '20 cm' },
      ],
      lang_materials: ['ger', 'lat'].map((language) => ({ language_and_script: { language } })),
      instances: [
        box('1', { type_2: 'folder', indicator_2: '2', type_3: 'item', indicator_3: '3' }),
        digital('Scan', 'https://a.example/1', 'http://a.example/2', 'ftp://a.example/3', 'C:\\scan.tif'),
        digital('On tape'),
        box('2', { indicator_2: '4' }),
      ],
    }),
  ).toEqual({
    Identifier: 'C1',
    Dates: 'about 1900; 1901-1903; 1905',
    Creator: 'Muster, Anna; Roe, Ann',
    Source: 'Muster, Anna; Roe, Bo',
    Extent: '2 BOXES, 3 folders, ink; 1 MAP, 20 cm',
    Language: 'GER; LAT',
    Containers: 'BOX 1, FOLDER 2, ITEM 3; BOX 2, 4',
    'Digital objects': 'Scan <https://a.example/1>, Scan <http://a.example/2>; On tape',
    Headings: 'Tides; Muster, Anna -- Letters',
  });
});

test('digital objects are told where they are asked for, and nothing is told of what a record does not have', () => {
  const record = { id_0: 'MS', id_1: '1', component_id: 'C1', instances: [digital('Scan')] };
  expect(termsOf(record)).toEqual({ Identifier: 'MS.1', 'Digital objects': 'Scan' });
  expect(termsOf(record, false)).toEqual({ Identifier: 'MS.1' });
});
