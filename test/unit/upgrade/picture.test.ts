// What the trial of upgrades takes for a difference, and which tags are releases.
import { describe, expect, it } from 'vitest';
import { compare } from '#test/upgrade/picture.ts';
import { isRelease } from '#test/upgrade/releases.ts';

const of = (texts: { readonly [address: string]: string }): ReadonlyMap<string, string> =>
  new Map(Object.entries(texts));

describe('compare', () => {
  it('finds nothing between equals, whatever the order of properties and the moment of an export', () => {
    const before = of({ '/a': '200 {"a":1,"b":[2]}', '/x.xml': '200 <a>2026-11-24T08:00:00Z</a>', '/c': '404 {}' });
    const after = of({
      '/a': '200 {"b":[2],"a":1}',
      '/x.xml': '200 <a>2026-11-24T09:10:11.5Z</a>',
      '/c': '404 {}',
      '/new': '200 {}',
    });
    expect(compare(before, after)).toEqual([]);
  });

  it('tells properties that are added from those that changed or went', () => {
    const before = of({ '/a': '200 {"a":1,"b":{"c":"x"},"d":[1,2]}' });
    const after = of({ '/a': '200 {"a":2,"b":{"e":0},"d":[1]}' });
    expect(compare(before, after)).toEqual([
      { address: '/a', sort: 'changed', at: '/a: 1 → 2' },
      { address: '/a', sort: 'added', at: '/b/e' },
      { address: '/a', sort: 'gone', at: '/b/c' },
      { address: '/a', sort: 'changed', at: '/d: [1,2] → [1]' },
    ]);
  });

  it('tells what is gone, what is refused now or shown now, and the first line of a text that differs', () => {
    const before = of({ '/a': '200 {}', '/b': '200 {"a":1}', '/c': '403', '/d': '200 one\ntwo' });
    const after = of({ '/b': '404 {"error":"gone"}', '/c': '200', '/d': '200 one\n2' });
    expect(compare(before, after)).toEqual([
      { address: '/a', sort: 'gone', at: '' },
      { address: '/b', sort: 'changed', at: 'line 1: 200 {"a":1} → 404 {"error":"gone"}' },
      { address: '/c', sort: 'changed', at: 'line 1: 403 → 200' },
      { address: '/d', sort: 'changed', at: 'line 2: two → 2' },
    ]);
  });
});

describe('isRelease', () => {
  it('takes tags of releases, and none of candidates', () => {
    expect(['v0.2.0', 'v10.0.13', 'v0.2.0-rc.1', '0.2.0', 'v1.2', 'v1.2.3.4'].map(isRelease)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
