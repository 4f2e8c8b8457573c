// Forms and queries: names with and without brackets, what stands for itself, and what is passed over.
import { describe, expect, it } from 'vitest';
import { cpuCost } from '#test/support/cpu-cost.ts';
import { fail } from '#domain/errors.ts';
import { formOf, gatherForm, pairsOf, parseForm } from '../../../../apps/api/request/form.ts';

const scalar = (text: string): object => ({ scalar: text, list: undefined });
const list = (...texts: readonly string[]): object => ({ scalar: undefined, list: texts });

describe('a form', () => {
  it.each<readonly [string, readonly (readonly [string, object])[]]>([
    ['', []],
    ['&&', []],
    ['a', []],
    ['a&b[]&c=1', [['c', scalar('1')]]],
    ['a=1&a=2', [['a', scalar('2')]]],
    ['a=', [['a', scalar('')]]],
    ['=1', []],
    ['a==b', [['a', scalar('=b')]]],
    ['a+b=c+d%2B%20', [['a b', scalar('c d+ ')]]],
    [
      'a=100%&b=%zz',
      [
        ['a', scalar('100%')],
        ['b', scalar('%zz')],
      ],
    ],
    ['a=%ff', [['a', scalar('\ufffd')]]],
    ['a[]=1&a[]=2', [['a', list('1', '2')]]],
    ['a%5B%5D=1', [['a', list('1')]]],
    // By the texts of the indexes; those without one come first.
    ['a[2]=c&a[10]=b&a[]=a&a[2]=d', [['a', list('a', 'b', 'd')]]],
    ['a=1&a[]=2', [['a', { scalar: '1', list: ['2'] }]]],
    ['a[b][c]=1&a]=2&[a]=3&a[b=4', []],
    [
      '__proto__=1&b=2',
      [
        ['__proto__', scalar('1')],
        ['b', scalar('2')],
      ],
    ],
  ])('%j', (text, values) => {
    expect([...parseForm(text)]).toEqual(values);
  });

  it('has names of at most 512 characters', () => {
    const names = [512, 513].map((length) => 'a'.repeat(length));
    expect([...gatherForm(names.map((name) => [name, '1'] as const)).keys()]).toEqual([names[0]]);
  });

  it('has at most 655,360 of them', () => {
    const text = 'a&'.repeat(655_360);
    expect([...pairsOf(`${text}&`)]).toEqual([]);
    expect(() => [...pairsOf(`${text}b`)]).toThrow(
      fail('bad_parameter', 'Had some trouble parsing your request: more than 655360 form keys'),
    );
  });

  it('costs no more for names without values than with them, however many there are', async () => {
    const reading = (pair: string) => (): unknown => parseForm(pair.repeat(300_000));
    const valued = await cpuCost(reading('a=&'), 3);
    const bare = await cpuCost(reading('a&'), 3);
    expect(bare / valued).toBeLessThan(5);
  });

  it('of an object has its properties, and nothing that is null', () => {
    const object = { a: 'x', b: 7, c: null, d: ['y', 1, { e: 2 }], 'f[]': ['z'], g: { h: true }, i: [], j: undefined };
    expect([...formOf(object)]).toEqual([
      ['a', scalar('x')],
      ['b', scalar('7')],
      ['d', list('y', '1', '{"e":2}')],
      ['f', list('z')],
      ['g', scalar('{"h":true}')],
    ]);
  });
});
