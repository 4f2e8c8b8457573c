// Fields of MARC 21 bibliographic records that have no words: nothing comes of them, and what is left out is told.
import { expect, test } from 'vitest';
import { readFormat } from '#test/support/import-reading.ts';
import type { Reading } from '#test/support/import-reading.ts';
import { marcField as field, marcRecord as marc } from '#test/support/marc-document.ts';

const read = async (fields: string, type = 'marcxml'): Promise<Reading> => readFormat(type, marc(fields));
const title = field('245', '1', '0', { a: 'Papers,' });

test('names without words are told', async () => {
  const names = [field('700', '1', ' ', { a: ',', e: 'donor' }), field('720', ' ', ' ', { e: 'author' })];
  const { dropped } = (await read(`${title}${names.join('')}`)).report;
  expect(dropped.filter(({ element }) => element !== 'record')).toMatchObject([
    { element: 'datafield 700', text: ', donor' },
    { element: 'datafield 720', text: '$e author' },
  ]);
});

test('a field 540 without words restricts no use of an accession', async () => {
  const { of } = await read(`${title}${field('540', ' ', ' ', { a: ' ' })}`, 'marcxml_accession');
  expect(of('accession')[0]).not.toHaveProperty('use_restrictions');
});

test.each([
  ['blanks', { a: ' ', b: '', t: ' ' }],
  ['a comma', { a: ',' }],
  ['a comma before nothing', { a: ', ' }],
  ['what only steers it', { 0: 'x' }],
])('fields of %s give nothing that has no words', async (_, subfields) => {
  const isSilent = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? Object.values(value).some(isSilent) : value === '';
  const tags = Array.from({ length: 890 }, (_none, index) => String(index + 10).padStart(3, '0'));
  const fields = tags.map((tag) => (tag === '245' ? title : field(tag, ' ', ' ', subfields)));
  expect((await read(fields.join(''))).records.filter(isSilent)).toEqual([]);
  const accession = await read(fields.join(''), 'marcxml_accession');
  expect(accession.records.filter(isSilent)).toEqual([]);
});
