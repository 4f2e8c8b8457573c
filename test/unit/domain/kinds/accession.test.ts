// What is particular to accessions.
// Contract: behaviour-records.md, section 6.3.
import { expect, test } from 'vitest';
import { accession } from '#domain/kinds/accession.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

test.each([
  [{ title: 'Letters' }, 'Letters'],
  [{ id_0: 'A', id_1: '1', id_2: '2', id_3: '3' }, 'A-1-2-3'],
])('is labelled by its title, else its identifier: %o', (changes, label) => {
  expect(stored(accession, exampleOf(accession, changes)).label).toBe(label);
});

test('refuses a gap in the identifier', () => {
  expect(refusal(accession, { id_0: 'A', id_2: 'z' })).toEqual({ identifier: ['must not contain blank entries'] });
});

test('refuses a part of the identifier above 50 characters', () => {
  expect(refusal(accession, { id_0: 'x'.repeat(51) })).toEqual({ id_0: ['Max length is 50 characters'] });
});

test('has an identifier of four parts that is unique in its repository', () => {
  expect(keys(accession, { id_0: 'A', id_1: '1' })).toEqual({ 'accession.identifier': ['r2 ["A","1",null,null]'] });
});

test('keeps the links that others write too out of its body', () => {
  const { body } = stored(
    accession,
    exampleOf(accession, { related_resources: [{ ref: '/repositories/2/resources/1' }] }),
  );
  expect(Object.keys(body).filter((property) => property.startsWith('related_'))).toEqual([]);
});

test('shows the other part of a relation between accessions from its far side', () => {
  const link = { ref: '/repositories/2/accessions/9', relator: 'has_part', relator_type: 'part' };
  expect(accession.mutual?.['related_accessions']?.inverse?.(link)).toEqual({ ...link, relator: 'forms_part_of' });
});
