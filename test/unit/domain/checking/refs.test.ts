// References by shape: what counts as absent, which uris fit, which links are noted.
// Contract: behaviour-records.md, section 3.3.
import { describe, expect, it } from 'vitest';
import type { Json } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { newPass } from '#domain/checking/pass.ts';
import { refWalker, uriOrObjectWalker, uriWalker } from '#domain/checking/refs.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

function pass(acceptTemporary = false): ReturnType<typeof newPass> {
  const made = newPass(testContext({ acceptTemporary }));
  made.path.push('subjects', 3);
  return made;
}

describe('refWalker', () => {
  const walk = refWalker({ type: 'ref', to: ['subject'] }, null);

  it('notes a link without indexes and with them', () => {
    const here = pass();
    expect(walk({ ref: '/subjects/4', _resolved: { title: 'x' } }, here)).toEqual({ ref: '/subjects/4' });
    expect(here.links).toEqual([
      {
        property: 'subjects',
        path: 'subjects/3',
        uri: '/subjects/4',
        role: null,
        address: { kind: 'subject', id: 4, repoId: null },
      },
    ]);
  });

  it.each<Json>(['/agents/people/1', '/subjects/x', '/subjects/99999999999', 'subjects/1', 5])('refuses %j', (ref) => {
    const here = pass();
    walk({ ref }, here);
    expect([...here.errors.keys()]).toEqual(['subjects/3/ref']);
    expect(here.links).toEqual([]);
  });

  it('counts an object without known keys as absent, and refuses what is no object', () => {
    const here = pass();
    expect(walk({ other: 1, ref: '' }, here)).toBeUndefined();
    expect(here.errors.size).toBe(0);
    walk('/subjects/4', here);
    expect(here.errors.get('subjects/3')).toEqual(['Must be a object (you provided a String)']);
  });
});

it.each<[string, Json, Json]>([
  ['a ref', { ref: '/subjects/004' }, { ref: '/subjects/4' }],
  ['a uri', '/subjects/004', '/subjects/4'],
  ['a uri in place of a record', '/subjects/004', '/subjects/4'],
  ['a record in a repository', { ref: '/repositories/02/resources/040' }, { ref: '/repositories/2/resources/40' }],
])('%s is kept and linked as replies write it, without zeros in front', (what, sent, kept) => {
  const to = ['subject', 'resource'];
  const walk = {
    'a uri': uriWalker({ type: 'uri', to }, false),
    'a uri in place of a record': uriOrObjectWalker({ type: 'uri', to }, (value) => value),
  }[what];
  const here = pass();
  expect((walk ?? refWalker({ type: 'ref', to }, null))(sent, here)).toEqual(kept);
  expect(here.links.map(({ uri }) => uri)).toEqual([isObject(kept) ? kept['ref'] : kept]);
});

describe('uriWalker', () => {
  it('leaves the link of a link object to the object', () => {
    const [own, others] = [pass(), pass()];
    uriWalker({ type: 'uri', to: ['subject'] }, false)('/subjects/4', own);
    uriWalker({ type: 'uri', to: ['subject'] }, true)('/subjects/4', others);
    expect([own.links.length, others.links.length]).toEqual([1, 0]);
  });

  it('takes temporary uris of the right kind where the context does', () => {
    const walk = uriWalker({ type: 'uri', to: ['subject'] }, false);
    const [strict, lenient, wrong] = [pass(), pass(true), pass(true)];
    walk('/subjects/import_0a-1', strict);
    walk('/subjects/import_0a-1', lenient);
    walk('/terms/import_0a-1', wrong);
    expect([strict.errors.size, lenient.errors.size, wrong.errors.size]).toEqual([1, 0, 1]);
  });
});

describe('uriOrObjectWalker', () => {
  it('hands objects on and takes uris itself', () => {
    const walk = uriOrObjectWalker({ type: 'uri_or_object', to: ['term'] }, () => 'the object');
    const here = pass();
    expect(walk({ term: 'x' }, here)).toBe('the object');
    expect(walk('/terms/1', here)).toBe('/terms/1');
    walk(5, here);
    expect(here.errors.get('subjects/3')).toEqual([
      'Must be a JSONModel(:term) uri_or_object (you provided a Integer)',
    ]);
  });
});
