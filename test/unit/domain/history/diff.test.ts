// Differences of JSON values by path.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differences, isEqual } from '#domain/history/diff.ts';
import type { Json } from '#domain/json.ts';

describe('differences of objects', () => {
  it('name what was added, removed and replaced, and nothing that is equal', () => {
    expect(differences({ a: 1, b: 2, c: { d: 1, e: 2 } }, { a: 1, c: { e: 3, d: 1 }, f: true })).toEqual([
      { op: 'replace', path: '/c/e', before: 2, after: 3 },
      { op: 'add', path: '/f', after: true },
      { op: 'remove', path: '/b', before: 2 },
    ]);
    expect(differences({ a: { x: 1, y: [1] } }, { a: { y: [1], x: 1 } })).toEqual([]);
  });

  it('take an absent list for an empty one, and escape slashes and tildes in names', () => {
    expect(differences({}, { notes: [] })).toEqual([]);
    expect(differences({ 'a/b~c': 1 }, { 'a/b~c': 2 })).toEqual([
      { op: 'replace', path: '/a~1b~0c', before: 1, after: 2 },
    ]);
  });
});

describe('differences of lists', () => {
  const note = (id: string, text: string): Json => ({
    jsonmodel_type: 'note_singlepart',
    persistent_id: id,
    content: [text],
  });
  const extent = (number: string): Json => ({ jsonmodel_type: 'extent', number, extent_type: 'reels' });

  it('tell one element put in front as one addition', () => {
    expect(differences([note('a', '1'), note('b', '2')], [note('c', '0'), note('a', '1'), note('b', '2')])).toEqual([
      { op: 'add', path: '/0', after: note('c', '0') },
    ]);
  });

  it('follow an element by its persistent id or ref, and look inside it', () => {
    expect(differences([note('a', '1'), note('b', '2')], [note('b', '3')])).toEqual([
      { op: 'remove', path: '/0', before: note('a', '1') },
      { op: 'replace', path: '/0/content/0', before: '2', after: '3' },
    ]);
    expect(
      differences([{ ref: '/subjects/1' }, { ref: '/subjects/2' }], [{ ref: '/subjects/2' }, { ref: '/subjects/3' }]),
    ).toEqual([
      { op: 'remove', path: '/0', before: { ref: '/subjects/1' } },
      { op: 'add', path: '/1', after: { ref: '/subjects/3' } },
    ]);
  });

  it('compare what has no identity with the next of its type', () => {
    expect(differences([extent('1'), extent('2')], [extent('1'), extent('5')])).toEqual([
      { op: 'replace', path: '/1/number', before: '2', after: '5' },
    ]);
  });

  it('compare long lists of one type in a time that grows with them', () => {
    const extents = (word: string): Json => ({
      extents: Array.from({ length: 100_000 }, (_, index) => ({
        jsonmodel_type: 'extent',
        number: `${word} ${index}`,
      })),
    });
    const started = performance.now();
    const changes = differences(extents('old'), extents('new'));
    // One or two seconds; where each element cost what those before it did, it was eighty.
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(changes).toHaveLength(100_000);
    expect(changes[7]).toEqual({ op: 'replace', path: '/extents/7/number', before: 'old 7', after: 'new 7' });
  });

  it('tell as few moves as can be', () => {
    expect(differences([1, 2, 3, 4, 5].map(String), [5, 1, 2, 3, 4].map(String))).toEqual([
      { op: 'move', path: '/0', was: '/4' },
    ]);
  });

  it('are none for equal values, and some for others', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        // What jsonValue makes is JSON.
        const [a, b] = [one as Json, other as Json];
        expect(differences(a, JSON.parse(JSON.stringify(a)))).toEqual([]);
        if (isEqual(a, b)) expect(differences(a, b)).toEqual([]);
      }),
    );
  });
});

describe('isEqual', () => {
  it('asks for the same keys, in whatever order', () => {
    expect(isEqual({ a: 1, b: [{ c: 2, d: 3 }] }, { b: [{ d: 3, c: 2 }], a: 1 })).toBe(true);
    expect([isEqual({ a: 1 }, { a: 1, b: 2 }), isEqual({ a: 1, b: 2 }, { a: 1 })]).toEqual([false, false]);
    expect([isEqual({ a: 1 }, { b: 1 }), isEqual([1], [1, 2]), isEqual({}, [])]).toEqual([false, false, false]);
  });
});
