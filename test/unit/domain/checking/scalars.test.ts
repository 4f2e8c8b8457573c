// Checks of single values that no kind shows on its own: numbers with limits, free values, unknown lists.
import { describe, expect, it } from 'vitest';
import type { Json } from '#domain/json.ts';
import { newPass } from '#domain/checking/pass.ts';
import type { Walker } from '#domain/checking/scalars.ts';
import { plainWalker, textWalker } from '#domain/checking/scalars.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

function walked(walk: Walker, value: Json): { readonly value: Json | undefined; readonly errors: readonly string[] } {
  const pass = newPass(testContext());
  pass.path.push('here');
  const result = walk(value, pass);
  return { value: result, errors: [...(pass.errors.get('here') ?? [])] };
}

describe('plainWalker', () => {
  it('keeps numbers within their limits', () => {
    const walk = plainWalker({ type: 'integer', minimum: 1, maximum: 3 });
    expect(walked(walk, 3).errors).toEqual([]);
    expect(walked(walk, 4).errors).toEqual(['Must be between 1 and 3']);
    expect(walked(walk, 1.5).errors).toEqual(['Must be a integer (you provided a Float)']);
    expect(walked(plainWalker({ type: 'number' }), 1.5).errors).toEqual([]);
  });

  it('keeps free objects as sent, with jsonmodel_type behind the other keys', () => {
    const walk = plainWalker({ type: 'object' });
    expect(JSON.stringify(walked(walk, { jsonmodel_type: 'x', a: [{ jsonmodel_type: 'y', b: '' }] }).value)).toBe(
      '{"a":[{"b":"","jsonmodel_type":"y"}],"jsonmodel_type":"x"}',
    );
    expect(walked(walk, 'x').errors).toEqual(['Must be a object (you provided a String)']);
  });

  it('refuses what is no date', () => {
    expect(walked(plainWalker({ type: 'date' }), 5).errors).toEqual(['Not a valid date']);
  });
});

describe('textWalker', () => {
  it('checks shortest and longest texts, patterns and fixed values', () => {
    expect(walked(textWalker({ type: 'string', minLength: 2 }), 'x').errors).toEqual(['Must be at least 2 characters']);
    expect(walked(textWalker({ type: 'string', maxLength: 2 }), 'xyz').errors).toEqual([
      'Must be 2 characters or fewer',
    ]);
    expect(walked(textWalker({ type: 'string', pattern: '\\A[a-z]+\\z' }), 'ab\n').errors).toEqual([
      'Did not match regular expression: \\A[a-z]+\\z',
    ]);
    expect(walked(textWalker({ type: 'string', values: ['a', 'b'] }), 'c').errors).toEqual([
      "Invalid value 'c'.  Must be one of: a, b",
    ]);
  });

  it('says which controlled list does not exist', () => {
    expect(() => walked(textWalker({ type: 'string', enumeration: 'no_such_list' }), 'c')).toThrow(
      'no controlled list no_such_list',
    );
  });
});
