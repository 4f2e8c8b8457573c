// What is particular to repositories.
import { expect, test } from 'vitest';
import { repository } from '#domain/kinds/repository.ts';
import { exampleOf, keys, refusal, stored } from '#test/support/make/kind.ts';

test('is labelled by name and code', () => {
  expect(stored(repository, { repo_code: 'R1', name: 'Recorded repository' }).label).toBe('Recorded repository (R1)');
});

test.each([
  [{}, 'x2'],
  [{ is_slug_auto: false, slug: 'My Own' }, 'my_own'],
  [{ is_slug_auto: false }, 'x2'],
  [{ slug: 'ignored' }, 'x2'],
])('has a slug from its code, or its own: %o', (changes, slug) => {
  expect(stored(repository, exampleOf(repository, changes)).body['slug']).toBe(slug);
});

test.each([{}, { is_slug_auto: true, slug: 'ignored' }, { is_slug_auto: false, slug: '()' }])(
  'has none, and is_slug_auto is off, where nothing of the code is left: %o',
  (changes) => {
    const { body } = stored(repository, exampleOf(repository, { ...changes, repo_code: '!?' }));
    expect([body['slug'], body['is_slug_auto']]).toEqual([undefined, false]);
  },
);

test('has a code and a slug that are unique', () => {
  expect(keys(repository, exampleOf(repository))).toEqual({ 'repository.repo_code': [' x2'], slug: [' x2'] });
});

test.each(['all', '{"a":1}', '["fonds"]', '[1.5]', '[null]', '889'])(
  'refuses levels for harvesters that are no list of ids: %s',
  (oai_sets_available) => {
    expect(refusal(repository, exampleOf(repository, { oai_sets_available }))).toEqual({
      oai_sets_available: ['must be the JSON text of a list of ids'],
    });
  },
);

test.each([
  ['', undefined],
  ['[]', '[]'],
  ['null', 'null'],
  ['["889", 890]', '["889", 890]'],
])('takes %j for levels', (oai_sets_available, kept) => {
  expect(stored(repository, exampleOf(repository, { oai_sets_available })).body['oai_sets_available']).toBe(kept);
});

test('refuses an address that is none of the web', () => {
  expect(refusal(repository, exampleOf(repository, { url: 'ftp://x' }))).toEqual({
    url: ['Did not match regular expression: \\Ahttps?:\\/\\/[\\S]+\\z'],
  });
});
