// Texts of JSON as clients send them: what is read, and the words for what is not.
import { describe, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { parseJson, trouble } from '../../../../apps/api/request/json-text.ts';

const broken = (rest: string): Error => trouble(`unexpected token at '${rest}'`);

it('is read as it is', () => {
  expect(['{"a":[1,null,"b"]}', ' 7 ', '"x"', 'null'].map(parseJson)).toEqual([{ a: [1, null, 'b'] }, 7, 'x', null]);
});

describe('what is broken', () => {
  it.each([
    ['{"a" 1}', '1}'],
    ['[1 2]', '2]'],
    [`[1 ${'2'.repeat(300)}`, '2'.repeat(200)],
    // Where the parser names no place, the beginning stands for it.
    ['nonsense', 'nonsense'],
    [`[${'y'.repeat(300)}`, `[${'y'.repeat(199)}`],
    ['', ''],
  ])('%s is told by the place', (text, rest) => {
    expect(() => parseJson(text)).toThrow(broken(rest));
  });

  it('is a malformed body in the words of the interface', () => {
    expect(trouble('odd')).toMatchObject({
      code: 'malformed_body',
      error: 'Had some trouble parsing your request: odd',
    });
  });
});

it('has two million values at most, of which those within strings are none', () => {
  const values = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
  const tooMany = fail('too_large', 'The body holds more than the 2000000 values allowed');
  // A list counts as a value, and so does each of its parts.
  expect(parseJson(values(1_999_998))).toHaveLength(1_999_998);
  expect(() => parseJson(values(2_000_001))).toThrow(tooMany);
  const text = `\\",[{${',[{'.repeat(1_000_000)}`;
  expect(parseJson(`["${text}"]`)).toHaveLength(1);
});
