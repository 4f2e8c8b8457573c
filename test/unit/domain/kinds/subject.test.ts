// What is particular to subjects.
import { expect, test } from 'vitest';
import { subject } from '#domain/kinds/subject.ts';
import { exampleOf, keys, stored } from '#test/support/make/kind.ts';

const term = (text: string, term_type = 'topical') => ({ term: text, term_type, vocabulary: '/vocabularies/1' });
const two = exampleOf(subject, { terms: [term('Ships'), term('Greece', 'geographic')] });

test('is titled by its terms in order', () => {
  expect(stored(subject, two).label).toBe('Ships -- Greece');
});

test('compares vocabulary, source and terms in order', () => {
  const key = (changes: object) => keys(subject, { ...two, ...changes })['subject.terms']?.[0];
  expect(key({})).toBe(key({ scope_note: 'x', authority_id: 'y' }));
  const others = [
    { terms: [term('Greece', 'geographic'), term('Ships')] },
    { terms: [term('Ships'), term('Greece')] },
    { source: 'ingest' },
    { vocabulary: '/vocabularies/2' },
  ].map(key);
  expect(new Set([key({}), ...others]).size).toBe(5);
});

test('is found by an import before its terms have uris', () => {
  const rule = subject.unique?.find((each) => each.name === 'subject.terms');
  const saved = { vocabulary: '/vocabularies/1', source: 'local', terms: [{ ...term('Ships'), uri: '/terms/7' }] };
  expect(rule?.key(saved)).toBe(rule?.key({ ...saved, terms: [term('Ships')] }));
});

test('has an authority id that is unique in its source, and may have none', () => {
  expect(keys(subject, two)).not.toHaveProperty('subject.authority_id');
  expect(keys(subject, { ...two, authority_id: 'x' })['subject.authority_id']).toEqual([
    ' ["/vocabularies/1","local","x"]',
  ]);
});
