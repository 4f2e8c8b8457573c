// What is particular to classification terms: siblings differ in title and in identifier.
import { expect, it } from 'vitest';
import { classificationTerm } from '#domain/kinds/classification_term.ts';
import { exampleOf, keys, refusal } from '../../../support/make/kind.ts';

it('keeps title and identifier unique below the same parent, or below the classification', () => {
  const body = exampleOf(classificationTerm, { title: 'Mills', identifier: 'M' });
  expect(Object.keys(keys(classificationTerm, body)).sort()).toEqual([
    'classification_term.identifier',
    'classification_term.title',
  ]);
});

it('refuses a term without its classification', () => {
  const { classification: _, ...body } = exampleOf(classificationTerm);
  expect(refusal(classificationTerm, body)).toEqual({ classification: ['Property is required but was missing'] });
});
