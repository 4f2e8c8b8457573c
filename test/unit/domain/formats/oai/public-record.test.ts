// What harvesters get of a component: what it does not say itself is said by the nearest above it (contract OAI 5).
import { expect, test } from 'vitest';
import { archivalObjectMarc } from '#domain/formats/marc/writing/described.ts';
import { publicRecord } from '#domain/formats/oai/public-record.ts';
import type { JsonObject } from '#domain/json.ts';
import { makeExportContext, marcLines, personLink } from '#test/support/make/export-context.ts';

const component = (own: JsonObject, ...above: readonly JsonObject[]): JsonObject => ({
  jsonmodel_type: 'archival_object',
  publish: true,
  ancestors: above.map((_resolved) => ({ ref: '/x', _resolved: { publish: true, ..._resolved } })),
  ...own,
});
const note = (type: string, text: string, more: JsonObject = { publish: true }): JsonObject => ({
  jsonmodel_type: 'note_singlepart',
  type,
  content: [text],
  ...more,
});

// Each with values for itself, a series and a collection.
test.each<[string, readonly [JsonObject, JsonObject, JsonObject]]>([
  ['title', [{ title: 'Own' }, { title: 'Series' }, { title: 'Collection' }]],
  ['dates', [{ dates: [{ begin: '1900' }] }, { dates: [{ begin: '1901' }] }, { dates: [{ begin: '1902' }] }]],
  ['extents', [{ extents: [{ number: '1' }] }, { extents: [{ number: '2' }] }, { extents: [{ number: '3' }] }]],
  [
    'lang_materials',
    [{ lang_materials: [{ a: 1 }] }, { lang_materials: [{ a: 2 }, { a: 3 }] }, { lang_materials: [{ a: 4 }] }],
  ],
  [
    'linked_agents',
    [
      { linked_agents: [personLink({ sort_name: 'A' })] },
      { linked_agents: [personLink({ sort_name: 'B' })] },
      { linked_agents: [personLink({ sort_name: 'C' })] },
    ],
  ],
  ...['accessrestrict', 'scopecontent', 'langmaterial'].map(
    (type): [string, readonly [JsonObject, JsonObject, JsonObject]] => [
      'notes',
      [{ notes: [note(type, 'own')] }, { notes: [note(type, 'series')] }, { notes: [note(type, 'collection')] }],
    ],
  ),
])('%s: its own, else those of the nearest above', (property, [own, series, collection]) => {
  const given = (...[record, ...above]: readonly [JsonObject, ...JsonObject[]]): unknown =>
    publicRecord(component(record, ...above))[property];
  expect(given(own, series, collection)).toEqual(own[property]);
  expect(given({}, series, collection)).toEqual(series[property]);
  expect(given({}, {}, collection)).toEqual(collection[property]);
  expect(given({}, {}, {})).toBeUndefined();
  expect(publicRecord({ ...component({}, series), jsonmodel_type: 'resource' })[property]).toBeUndefined();
});

test('creators come beside agents of other roles, of which none are taken', () => {
  const source = personLink({}, { role: 'source', ref: '/agents/people/2' });
  const subject = personLink({}, { role: 'subject', ref: '/agents/people/3' });
  const creator = personLink();
  const links = (own: readonly JsonObject[]): unknown =>
    publicRecord(component({ linked_agents: own }, { linked_agents: [subject] }, { linked_agents: [source, creator] }))[
      'linked_agents'
    ];
  expect(links([source])).toEqual([source, creator]);
  expect(links([])).toEqual([creator]);
});

test('notes come type by type, and only such as speak of what is below', () => {
  const own = [note('scopecontent', 'own')];
  const series = [note('bioghist', 'not taken'), note('scopecontent', 'not taken'), note('langmaterial', 'series')];
  const collection = [note('accessrestrict', 'one'), note('accessrestrict', 'two'), note('langmaterial', 'not taken')];
  expect(publicRecord(component({ notes: own }, { notes: series }, { notes: collection }))['notes']).toEqual([
    own[0],
    collection[0],
    collection[1],
    series[2],
  ]);
});

test('nothing that is not published comes from above, nor a note of which nobody said it', () => {
  const hidden = { notes: [note('scopecontent', 'LEAK', { publish: false }), note('accessrestrict', 'LEAK', {})] };
  const agents = { linked_agents: [personLink({}, {}, { publish: false })] };
  const given = publicRecord(component({}, { ...hidden, ...agents }, { notes: [note('scopecontent', 'shown')] }));
  expect(given['notes']).toEqual([note('scopecontent', 'shown')]);
  expect(given['linked_agents']).toBeUndefined();
});

test('a component of which only dates are known has the title from above in MARC, which would name it by nothing else', () => {
  const record = component({ display_string: '1900', dates: [{ expression: '1900' }] }, { title: 'Letters' });
  expect(marcLines(archivalObjectMarc(publicRecord(record), makeExportContext()))).toContain(
    '245 00 $a Letters, $f 1900',
  );
});
