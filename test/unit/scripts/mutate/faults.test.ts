// Mutants are type-checked together; each fault of the compiler finds the one it belongs to.
import { expect, test } from 'vitest';
import type { Fault } from '../../../../scripts/mutate/faults.ts';
import { accused, faultsIn } from '../../../../scripts/mutate/faults.ts';

/** A compiler that finds in each file what it is told to, and reports no types where there is a fault of syntax. */
function compile(found: {
  readonly [path: string]: readonly Fault[];
}): (changed: readonly string[]) => readonly string[] {
  return function check(changed): readonly string[] {
    const all = changed.flatMap((path) => found[path] ?? []);
    const syntax = all.filter(({ code }) => code.startsWith('TS1'));
    return accused(syntax.length > 0 ? syntax : all, changed, check);
  };
}

test('files and codes are read from what the compiler writes', () => {
  const output = [
    "libs/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    '  The types of …',
    'apps/b.ts(1,1): error TS1005: expected',
    '',
  ].join('\n');
  expect(faultsIn(output)).toEqual([
    { path: 'libs/a.ts', code: 'TS2322' },
    { path: 'apps/b.ts', code: 'TS1005' },
  ]);
  expect(faultsIn('')).toEqual([]);
});

test('a file with a fault is to blame, the others are not', () => {
  expect(compile({ b: [{ path: 'b', code: 'TS2322' }] })(['a', 'b', 'c'])).toEqual(['b']);
  expect(compile({})(['a', 'b', 'c'])).toEqual([]);
});

test('what a fault of syntax hides is found all the same', () => {
  const check = compile({ a: [{ path: 'a', code: 'TS1005' }], c: [{ path: 'c', code: 'TS2345' }] });
  expect(check(['a', 'b', 'c', 'd'])).toEqual(['a', 'c']);
});

test('a fault in a file that nobody changed is traced to the change behind it', () => {
  const check = compile({ d: [{ path: 'elsewhere', code: 'TS2339' }], e: [{ path: 'e', code: 'TS2322' }] });
  expect(check(['a', 'b', 'c', 'd', 'e'])).toEqual(['e', 'd']);
});
