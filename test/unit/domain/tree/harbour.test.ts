// What trees show of the records of a harbour board (test/support/harbour.ts): of a root, of an entry of a list, of a node by itself, with what
// surrounds them and without.
import { expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { allKinds } from '#domain/kinds/index.ts';
import type { Surroundings } from '#domain/tree/shown.ts';
import { hasDigitalInstance } from '#domain/tree/shown.ts';
import { harbourRecords, replyOf } from '#test/support/harbour.ts';

const bodies = new Map<string, JsonObject>(harbourRecords.map((record) => [record.uri, replyOf(record)] as const));
const bodyOf = (path: string): JsonObject => bodies.get(`/repositories/2/${path}`) ?? expect.fail(`no ${path}`);
const around: Surroundings = { containers: bodies, digitalObjects: null };
const none: Surroundings = { containers: new Map(), digitalObjects: new Set() };

const instance = {
  instance_type: 'mixed_materials',
  type_2: 'folder',
  indicator_2: '7',
  barcode_2: 'FLD-0007',
  type_3: 'object',
  indicator_3: 'b',
};
const box = { top_container_type: 'box', top_container_indicator: '31', top_container_barcode: 'BOX-0031' };
const dates = [
  { type: 'inclusive', label: 'creation', begin: '1868', end: '1871' },
  { type: 'bulk', label: 'creation', begin: '1869', end: '1870' },
];

const showsOf = (name: string) =>
  allKinds.find((kind) => kind.name === name)?.tree?.shows ?? expect.fail(`${name} shows nothing`);

it('show level, identifier and containers of a resource and its parts, and their dates', () => {
  const shows = showsOf('archival_object');
  expect(shows.root(bodyOf('resources/1'), around)).toEqual({
    level: 'Archive group',
    identifier: 'PEHB-7-a-1868',
    containers: [{ ...instance, ...box }, { instance_type: 'digital_object' }],
  });
  const part = bodyOf('archival_objects/2');
  expect(shows.entry({ ...part, other_level: undefined }, none)).toEqual({
    identifier: 'L.1/3',
    level: 'file',
    dates,
    containers: [instance, { instance_type: 'digital_object' }],
  });
  expect(shows.node(part)).toEqual({ identifier: 'L.1/3' });
  expect(shows.entry({}, none)).toEqual({ identifier: null, level: null, dates: undefined, containers: undefined });
  expect(shows.node({})).toEqual({ identifier: null });
});

it('show files of a digital object and its components', () => {
  const shows = showsOf('digital_object_component');
  expect(shows.root(bodyOf('digital_objects/1'), none)).toEqual({
    digital_object_type: 'still_image',
    file_uri_summary: 'https://files.example/book.tif, https://files.example/book.jpg, file://withheld/book.raw',
  });
  expect(shows.root({}, none)).toEqual({ digital_object_type: null, file_uri_summary: '' });
  expect(shows.entry(bodyOf('digital_object_components/1'), none)).toEqual({
    label: 'recto',
    dates: [dates[0]],
    file_uri_summary: 'https://files.example/folio.tif, https://files.example/folio.jpg, file://withheld/folio.raw',
  });
  expect(shows.entry({}, none)).toEqual({ label: undefined, dates: undefined, file_uri_summary: undefined });
});

it('know instances with a digital object, of those that count', () => {
  const part = bodyOf('archival_objects/2');
  expect(hasDigitalInstance(part, around)).toBe(true);
  expect(hasDigitalInstance(part, none)).toBe(false);
  expect(hasDigitalInstance(part, { ...none, digitalObjects: new Set(['/repositories/2/digital_objects/1']) })).toBe(
    true,
  );
  expect(hasDigitalInstance(bodyOf('archival_objects/1'), around)).toBe(false);
});
