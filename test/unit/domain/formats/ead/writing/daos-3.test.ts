// Digital objects of a record in EAD3 (contract behaviour-exports, section 3).
import { expect, test } from 'vitest';
import { writeDaos } from '#domain/formats/ead/writing/daos-3.ts';
import { XmlWriter } from '#domain/formats/xml/writer.ts';
import type { JsonObject } from '#domain/json.ts';

/** The `linkrole` of each `dao`, in the order of the file versions; null where there is none. */
function rolesOf(fileVersions: readonly JsonObject[], instance: JsonObject = {}): readonly (string | null)[] {
  const object = { digital_object_id: 'D1', title: 'Scan', file_versions: fileVersions };
  const digital_object = { ref: '/repositories/2/digital_objects/1', _resolved: object };
  const writer = new XmlWriter();
  writeDaos(writer.open('did'), { instances: [{ instance_type: 'digital_object', digital_object, ...instance }] });
  return [
    ...writer
      .close()
      .take()
      .matchAll(/<dao [^>]*>/g),
  ].map(([tag]) => /linkrole="([^"]*)"/.exec(tag)?.[1] ?? null);
}

test('a link has the role that its file version has, that of a representative, both or none', () => {
  const versions = [{ file_uri: 'http://x/1', use_statement: 'image-service' }, { file_uri: 'http://x/2' }];
  expect(rolesOf(versions)).toEqual(['image-service', null]);
  expect(rolesOf(versions, { is_representative: true })).toEqual(['image-service representative', 'representative']);
  expect(rolesOf([])).toEqual([null]);
});

test('an object is described once, with its date: in its link, or in the set of its links', () => {
  const xml = (file_versions: readonly JsonObject[]): string => {
    const object = { digital_object_id: 'D1', title: 'Scan', dates: [{ expression: '1900' }], file_versions };
    const digital_object = { ref: '/repositories/2/digital_objects/1', _resolved: object };
    const writer = new XmlWriter();
    writeDaos(writer.open('did'), { instances: [{ instance_type: 'digital_object', digital_object }] });
    return writer.close().take();
  };
  const note = '<descriptivenote><p>Scan: 1900</p></descriptivenote>';
  expect(xml([])).toMatch(new RegExp(`<dao [^>]*>${note}</dao>`));
  const set = xml([{ file_uri: 'http://x/1' }, { file_uri: 'http://x/2' }]);
  expect(set).toMatch(new RegExp(`<daoset [^>]*>(<dao [^>]*/>){2}${note}</daoset>`));
});
