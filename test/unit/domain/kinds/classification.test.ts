// What is particular to classifications: always published, and known by their title.
// Contract: behaviour-records.md, section 6.10.
import { expect, it } from 'vitest';
import { classification } from '#domain/kinds/classification.ts';
import { exampleOf, refusal, stored } from '../../../support/make/kind.ts';

it('is published whatever the client says', () => {
  expect(stored(classification, exampleOf(classification, { publish: false })).publish).toBe(true);
});

it('is labelled by its title', () => {
  expect(stored(classification, exampleOf(classification, { title: 'Functions' })).label).toBe('Functions');
});

it('refuses one without an identifier', () => {
  expect(refusal(classification, { title: 'Functions' })).toEqual({
    identifier: ['Property is required but was missing'],
  });
});
