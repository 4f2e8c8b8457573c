// Each mutation operator makes the change that it is named for, and of what is no code of the product it makes none.
import { describe, expect, test } from 'vitest';
import { mutantsOf, mutatedText } from '../../../../scripts/mutate/mutants.ts';

/** What the operator makes of the source, every change on its own. */
function changed(operator: string, source: string): readonly string[] {
  return mutantsOf('libs/x.ts', source)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => mutatedText(source, mutant));
}

describe('operators', () => {
  test.each<readonly [operator: string, source: string, ...expected: readonly string[]]>([
    ['comparison', 'a === b;', 'a !== b;'],
    ['comparison', '(a) < /* < */ (b);', '(a) >= /* < */ (b);'],
    ['boundary', 'a < b;', 'a <= b;'],
    ['boundary', 'a >= b;', 'a > b;'],
    ['boundary', 'a === b;'],
    ['logic', '(a && b) || c;', '(a || b) || c;', '(a && b) && c;'],
    ['negation', 'if (!(a && b)) c();', 'if ((a && b)) c();'],
    ['negation', 'x = -a;'],
    ['boolean', 'x = true;', 'x = false;'],
    ['number', 'x = 1;', 'x = 2;', 'x = 0;'],
    ['number', 'x = 0;', 'x = 1;', 'x = (-1);'],
    ['number', 'x = { 1: a };'],
    ['string', "x = 'a';", "x = '';"],
    ['string', 'x = `a ${b}`;', "x = '';"],
    ['return', 'function f(): string { return a; }', "function f(): string { return ''; }"],
    ['return', 'function f(): A | null { return a; }', 'function f(): A | null { return null; }'],
    ['return', 'async function f(): Promise<A[]> { return a; }', 'async function f(): Promise<A[]> { return []; }'],
    ['return', 'const f = (): number => a;', 'const f = (): number => 0;'],
    ['return', 'const f = (): Promise<number> => a;', 'const f = (): Promise<number> => Promise.resolve(0);'],
    [
      'return',
      'const f = (): boolean => (a && b);',
      'const f = (): boolean => (true);',
      'const f = (): boolean => (false);',
    ],
    ['return', 'const f = () => { return a; };', 'const f = () => { return undefined; };'],
    ['return', 'function f(): void { return; }'],
    ['call', 'await a.b(c);', '{}'],
    ['call', 'if (a) b?.c();', 'if (a) {}'],
    ['call', 'x = a();'],
    ['method', 'a.some(b);', 'a.every(b);'],
    ['method', '(a ?? []).filter(b).c;', '(a ?? []).c;'],
    ['method', 'x = a?.trim();', 'x = a;'],
    ['default', 'x = (a) ?? (b);', 'x = (a);'],
    ['spread', 'x = { a, ...(b ? {} : { b }), c };', 'x = { a,  c };'],
    ['spread', 'x = [...(a ?? b)];', 'x = [];'],
    ['spread', 'x = [...a];'],
    ['condition', 'if (a) b;', 'if (true) b;', 'if (false) b;'],
    ['condition', 'x = a ? b : c;', 'x = true ? b : c;', 'x = false ? b : c;'],
    ['element', 'x = [a, ...b];', 'x = [ ...b];', 'x = [a, ];'],
    ['arithmetic', 'x = a * b;', 'x = a / b;'],
    ['arithmetic', 'x += a;', 'x -= a;'],
    ['arithmetic', 'x++;', 'x--;'],
    ['arithmetic', "x = a + 'b';"],
    ['arithmetic', 'for (;; x++) a;'],
  ])('%s: %s', (operator, source, ...expected) => {
    expect(changed(operator, source)).toEqual(expected);
  });

  test.each([
    ["import { a } from './a.ts';"],
    ["export { a } from './a.ts';"],
    ["await import('./a.ts');"],
    ["type A = 'a' | 1 | true; interface B { b: 'b' }"],
    ["x = { 'a': b };"],
    ["x = { doc: 'For readers.', summary: 'Too.' };"],
    ['x = sql`SELECT a`;'],
    ["x = 'SELECT a';"],
    ["x = new URL('a.ts', b);"],
    ["throw new Error(`never ${a ?? 'b'}`);"],
  ])('nothing in %s', (source) => {
    const found = mutantsOf('libs/x.ts', source);
    expect(found.filter(({ operator }) => operator !== 'call')).toEqual([]);
  });

  test('what is around types stays code', () => {
    expect(changed('number', 'x = (1 as A)!;')).toEqual(['x = (2 as A)!;', 'x = (0 as A)!;']);
  });

  test('places are counted in characters that are not ASCII too', () => {
    expect(changed('boolean', "a('é—😀'); x = true;")).toEqual(["a('é—😀'); x = false;"]);
  });
});
