import { expect, it } from 'vitest';
import { linkOf, scriptCode, standardDate, toNameToken } from '#domain/formats/eac/writing/values.ts';

it('makes name tokens', () =>
  expect(['n 1/2', 'aat', ' ', '§§', undefined].map(toNameToken)).toEqual([
    'n_1_2',
    'aat',
    undefined,
    undefined,
    undefined,
  ]));

it('takes dates that the schema knows', () => {
  expect(['1900', '1900-02', '1900-02-03', '0950', '900', '1900-13', '2100', 'x', undefined].map(standardDate)).toEqual(
    ['1900', '1900-02', '1900-02-03', '0950', undefined, undefined, undefined, undefined, undefined],
  );
});

it('takes script codes of four letters', () =>
  expect(['Latn', 'latn', 'L'].map(scriptCode)).toEqual(['Latn', undefined, undefined]));

it('writes xlink attributes only beside an address', () => {
  expect(linkOf({ xlink_title_attribute: 't' })).toEqual({});
  expect(
    linkOf({ file_uri: 'http://x/a b', file_version_xlink_show_attribute: 'odd', xlink_title_attribute: 't' }),
  ).toEqual({ 'xlink:type': 'simple', 'xlink:href': 'http://x/a%20b', 'xlink:title': 't' });
});
