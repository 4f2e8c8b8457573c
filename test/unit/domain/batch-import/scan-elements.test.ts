// A look at elements without parsing them must agree with JSON.parse on everything it says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanElements } from '#domain/batch-import/scan-elements.ts';

const encoder = new TextEncoder();
const look = (
  text: string,
): readonly { readonly uri: string | undefined; readonly type: string | undefined; readonly value: unknown }[] => {
  const bytes = encoder.encode(text);
  return scanElements(bytes).map(({ start, end, uri, type }) => ({
    uri,
    type,
    value: JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))),
  }));
};
const seen = (text: string): readonly (readonly [string | undefined, string | undefined])[] =>
  look(text).map(({ uri, type }) => [uri, type]);

describe('scanElements', () => {
  test('tells uri and type of every element, whatever stands around them', () => {
    expect(
      seen(
        '[{"uri":"/a/1","jsonmodel_type":"accession"} , \n{"x":{"uri":"/no"},"jsonmodel_type" : "resource","y":["uri",{"jsonmodel_type":"z"}],"uri"\t:\n"/ä/2"}]',
      ),
    ).toEqual([
      ['/a/1', 'accession'],
      ['/ä/2', 'resource'],
    ]);
    expect(seen('[]')).toEqual([]);
  });

  test.each([
    ['an escaped name', '{"\\u0075ri":"/a","jsonmodel_type":"b"}'],
    ['an escaped uri', '{"uri":"\\/a","jsonmodel_type":"b"}'],
    ['a uri that is no string', '{"uri":1,"jsonmodel_type":"b"}'],
    ['an object for a uri', '{"jsonmodel_type":"b","uri":{"uri":"/a"}}'],
    ['no uri', '{"jsonmodel_type":"b"}'],
    ['no type', '{"uri":"/a"}'],
    ['a term', '{"uri":"/a","jsonmodel_type":"b","terms":[{"term":"x"}]}'],
    ['a term far inside', '{"uri":"/a","jsonmodel_type":"b","linked_agents":[{"ref":"/c","terms": [ "/terms/1" ]}]}'],
    ['an escaped name for terms', '{"uri":"/a","jsonmodel_type":"b","c":{"t\\u0065rms":["/terms/1"]}}'],
    ['bytes that are no text', null],
  ])('leaves %s to whoever parses', (_, element) => {
    const bytes =
      element === null
        ? Buffer.concat([Buffer.from('[{"jsonmodel_type":"b","uri":"'), Buffer.from([0xff]), Buffer.from('"}]')])
        : encoder.encode(`[${element}]`);
    expect(scanElements(bytes)).toEqual([{ start: 1, end: bytes.length - 1, uri: undefined, type: undefined }]);
  });

  test('takes no empty list for terms, and of a property that comes twice the last', () => {
    expect(
      seen('[{"uri":"/a","jsonmodel_type":"b","terms" : [ ],"uri":"/b"},{"uri":"/a","jsonmodel_type":"b","uri":2}]'),
    ).toEqual([
      ['/b', 'b'],
      [undefined, undefined],
    ]);
  });

  test('agrees with JSON.parse on objects of any shape', () => {
    const names = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('uri', 'jsonmodel_type', 'terms', '"', '\\u0075ri', '') },
      fc.string({ unit: 'binary' }),
    );
    const { object } = fc.letrec((tie) => ({
      object: fc.dictionary(names, tie('value'), { maxKeys: 6 }),
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom('/a/1', 'terms', '{[', ']},', '\\', '\n'),
        fc.double({ noNaN: true }),
        fc.constantFrom(true, false, null),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 3 }),
        tie('object'),
      ),
    }));
    const withTerms = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      Object.entries(value).some(
        ([name, item]) => (name === 'terms' && Array.isArray(item) && item.length > 0) || withTerms(item),
      );
    let told = 0;
    const element = fc
      .tuple(object, fc.boolean())
      .map(([value, isNamed]) =>
        isNamed && typeof value === 'object' ? { uri: '/a', jsonmodel_type: 'b', ...value } : value,
      );
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), fc.nat(2), (objects, space) => {
        const text = JSON.stringify(objects, null, space);
        const found = look(text);
        expect(found.map(({ value }) => value)).toEqual(JSON.parse(text));
        for (const [index, { uri, type }] of found.entries()) {
          if (uri === undefined) continue;
          told += 1;
          expect(objects[index]).toMatchObject({ uri, jsonmodel_type: type });
          expect(withTerms(objects[index])).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
    expect(told).toBeGreaterThan(20);
  });
});
