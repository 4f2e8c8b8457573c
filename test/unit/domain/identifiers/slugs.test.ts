// Slugs (contract 6.16): from what, cleaned, and left alone where they are off.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { planSlug, slugCandidates, slugStem } from '#domain/identifiers/slugs.ts';

describe('planSlug', () => {
  it('leaves what a client sends alone where slugs are off', () => {
    expect(planSlug({ slug: 'As Sent!' }, 'Title', { from: 'off' })).toEqual({ slug: 'As Sent!', isAuto: true });
    expect(planSlug({ title: 'Title' }, 'Title', { from: 'off' })).toEqual({ slug: undefined, isAuto: true });
  });

  it('makes one from the title, the name that is shown, or the identifiers', () => {
    expect(planSlug({ title: 'The Harbour', id_0: 'A', id_1: '2' }, '', { from: 'title' }).slug).toBe('the_harbour');
    expect(planSlug({ title: 'The Harbour', id_0: 'A', id_1: '2' }, '', { from: 'identifier' }).slug).toBe('a-2');
    expect(planSlug({ title: 'x', component_id: 'C.1' }, '', { from: 'identifier' }).slug).toBe('c1');
    expect(
      planSlug({ names: [{ sort_name: 'One' }, { sort_name: 'Two', is_display_name: true }] }, '', { from: 'title' })
        .slug,
    ).toBe('two');
    expect(planSlug({}, 'Only a label', { from: 'title' }).slug).toBe('only_a_label');
  });

  it('cleans a slug of the client, and gives up where nothing is left', () => {
    expect(planSlug({ slug: ' My Slug? ', is_slug_auto: false }, 'T', { from: 'title' })).toEqual({
      slug: 'my_slug',
      isAuto: false,
    });
    expect(planSlug({ slug: '???', is_slug_auto: false }, 'T', { from: 'title' })).toEqual({
      slug: undefined,
      isAuto: false,
    });
    expect(planSlug({ title: '日記' }, '日記', { from: 'title' })).toEqual({ slug: undefined, isAuto: false });
  });
});

it('numbers candidates from the plain one on', () => {
  expect(slugCandidates('a', 0, 3)).toEqual(['a', 'a_1', 'a_2']);
  expect(slugCandidates('a', 20, 2)).toEqual(['a_20', 'a_21']);
});

it('takes the identifier that a record has, whichever of them', () => {
  const slug = (body: JsonObject): unknown => planSlug({ title: 'Title', ...body }, '', { from: 'identifier' }).slug;
  expect([slug({ digital_object_id: 'D.1' }), slug({ identifier: 'I.1' }), slug({ authority_id: 'n1' })]).toEqual([
    'd1',
    'i1',
    'n1',
  ]);
  expect(slug({ component_id: '' })).toBe('title');
});

it.each([
  ['a', 'a'],
  ['a_1', 'a'],
  ['a_1_20', 'a'],
  ['a1', 'a1'],
  ['a_', 'a_'],
  ['_1', ''],
  ['a_1b', 'a_1b'],
])('takes the numbers off %s', (slug, stem) => expect(slugStem(slug)).toBe(stem));

it('takes numbers off a text of any length in one pass', () => {
  const started = performance.now();
  const long = '_1'.repeat(100_000);
  expect([slugStem(`a${long}`), slugStem(`${long}x`).length]).toEqual(['a', long.length + 1]);
  expect(performance.now() - started).toBeLessThan(10_000);
});
