// What of a MARC record is in none of the records made from it, is told: where it stood, what it was and why it was left out.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import { marcField, marcRecord } from '#test/support/marc-document.ts';

const field = (tag: string, subfields: Parameters<typeof marcField>[3]): string => marcField(tag, '1', ' ', subfields);

/** Reads a record of these fields beside a title, an extent and dates: each part that was left out, as one line. */
const told = async (fields: string): Promise<readonly string[]> => {
  const all = `${field('245', { a: 'Papers' })}${field('300', { a: '3 boxes' })}${fields}`;
  const { report } = await readFormat(
    'marcxml',
    marcRecord(all, { fixed: `000101i19001910xx ${' '.repeat(17)}eng d` }),
  );
  return report.dropped.map(({ element, text, reason }) => `${element}: ${text}: ${reason}`);
};

test('of fields that are all read nothing is told', async () => {
  expect(await told(`${field('099', { a: 'MS 1' })}${field('700', { a: 'Roe, Ann' })}`)).toEqual([]);
});

test.each([
  ['a second title', field('245', { a: 'Letters' }), 'datafield 245: $a Letters: only the first title is imported'],
  [
    'a second call number',
    `${field('099', { a: 'MS 1' })}${field('090', { a: 'PR', b: '2' })}`,
    'datafield 090: $a PR $b 2: the identifier comes from another field',
  ],
  [
    'a location without a number',
    field('852', { b: 'Library' }),
    'datafield 852: $b Library: no shelving number in it',
  ],
  [
    'where a numbered one is',
    field('852', { b: 'Library', k: 'MS' }),
    'datafield 852: Library: subfield b is not imported',
  ],
  [
    'languages in one code',
    field('041', { a: 'engger' }),
    'datafield 041: engger: several codes in one subfield; each is imported by itself',
  ],
  [
    'an unknown language',
    field('041', { a: 'qqq' }),
    'datafield 041: qqq: the language is not in the list language_iso639_2',
  ],
  ['nobody', field('700', { d: '1900-' }), 'datafield 700: 1900-: a name without subfield a'],
  [
    'a second relator',
    field('700', { a: 'Roe, Ann', e: 'author', 4: 'edt' }),
    'datafield 700: edt: a link has one relator',
  ],
  ['the work of a name', field('700', { a: 'Roe, Ann', x: '1234' }), 'datafield 700: 1234: subfield x is not imported'],
  ['a subject of nothing', field('650', { 2: 'lcsh' }), 'datafield 650: lcsh: a subject without a main term'],
  ['more of a subject', field('650', { a: 'Ships', 0: 'sh 1' }), 'datafield 650: sh 1: subfield 0 is not imported'],
  [
    'the edition of a call number',
    field('082', { a: '025.3', 2: '23' }),
    'datafield 082: 23: subfield 2 is not imported',
  ],
  ['a printer', field('264', { b: 'Press' }), 'datafield 264: Press: place and name of 264 are not imported'],
])('%s', async (_what, fields, line) => {
  expect(await told(fields)).toEqual([line]);
});

test('an authority record tells what is no part of the heading', async () => {
  const leader = '00000nz  a2200000n  4500';
  const { report } = await readFormat(
    'marcxml',
    marcRecord(
      `${field('100', { a: 'Roe, Ann', e: 'author' })}${field('400', { a: 'Ann Roe' })}${field('670', { a: 'Her letters' })}${field('678', { a: 'A poet.' })}`,
      { leader },
    ),
  );
  expect(report.dropped.map(({ element, text, reason }) => `${element}: ${text}: ${reason}`)).toEqual([
    'datafield 100: author: subfield e is not imported',
    'datafield 400: $a Ann Roe: variants of a heading are not imported',
    'datafield 670: $a Her letters: the field is not imported',
  ]);
});

test('an authority record of a subject tells what is no part of the heading', async () => {
  const { report, of } = await readFormat(
    'marcxml',
    marcRecord(field('150', { a: 'Ships', x: 'Design', 0: 'sh 1', c: 'more' }), { leader: '00000nz  a2200000n  4500' }),
  );
  expect(of('subject')).toMatchObject([{ terms: [{ term: 'Ships' }, { term: 'Design' }] }]);
  expect(report.dropped.map(({ element, text }) => `${element}: ${text}`).toSorted()).toEqual([
    'datafield 150: more',
    'datafield 150: sh 1',
  ]);
});
