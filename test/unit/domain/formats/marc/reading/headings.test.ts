// Headings by what their indicators and relators say: the vocabulary of a subject, the role of an agent.
import { expect, test } from 'vitest';
import { objectsOf } from '#domain/json.ts';
import { readFormat } from '#test/support/import-reading.ts';
import { marcField as field, marcRecord } from '#test/support/marc-document.ts';

const title = field('245', '0', '0', { a: 'Papers' });

test('relators of those whom the material came from make them its source, by word or code, however they are written', async () => {
  const words = ['auctioneer', 'Bookseller.', 'collector,', 'DEPOSITOR', 'donor', 'former owner', 'funder', 'Owner'];
  const codes = ['auc', 'bsl', 'col', 'dpt', 'dnr', 'fmo', 'fnd', 'own'];
  const rolesOf = async (relators: readonly object[]): Promise<readonly unknown[]> => {
    const fields = relators.map((relator, index) => field('700', '1', ' ', { a: `Person ${index}`, ...relator }));
    const { of } = await readFormat('marcxml', marcRecord(title + fields.join('')));
    return objectsOf(of('resource')[0], 'linked_agents').map(({ role, relator }) => [role, relator]);
  };
  const written = words.map((word) => word.replace(/[.,]$/, ''));
  expect(await rolesOf(words.map((e) => ({ e })))).toEqual(written.map((word) => ['source', word]));
  expect(await rolesOf(codes.map((code) => ({ 4: code })))).toEqual(codes.map((code) => ['source', code]));
  expect(await rolesOf([{ e: 'author' }, { 4: 'aut' }, {}])).toEqual([
    ['creator', 'author'],
    ['creator', 'aut'],
    ['creator', undefined],
  ]);
});

test('the second indicator names the vocabulary of a subject, or says that $2 does', async () => {
  const fields = [...'01234567 '].map((indicator) =>
    field('650', ' ', indicator, { a: `Quays ${indicator}`, 2: 'fast' }),
  );
  const { of } = await readFormat('marcxml', marcRecord(title + fields.join('')));
  expect(of('subject').map(({ source }) => source)).toEqual([
    ...['lcsh', 'lcshac', 'mesh', 'nal', 'fast', 'cash', 'rvm', 'fast', 'fast'],
  ]);
});

test('a record without a title proper has the first other title that has words', async () => {
  const titleOf = async (fields: string): Promise<unknown> =>
    (await readFormat('marcxml', marcRecord(fields))).of('resource')[0]?.['title'];
  const [uniform, key, abbreviated] = [
    field('240', ' ', ' ', { a: 'Uniform', w: 'x' }),
    field('222', ' ', ' ', { a: 'Key' }),
    field('210', ' ', ' ', { a: 'Abbr.' }),
  ];
  expect(await titleOf(abbreviated + key + uniform)).toBe('Uniform');
  expect(await titleOf(abbreviated + key + field('240', ' ', ' ', { w: 'no words' }))).toBe('Key');
  expect(await titleOf(abbreviated)).toBe('Abbr.');
});
