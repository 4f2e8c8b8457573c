// The words of messages, in the contract's notation.
import { describe, expect, it } from 'vitest';
import { classOf, inspected, says, wrongType } from '#domain/checking/wording.ts';

describe('wrongType', () => {
  it('names one type, or all of several, and explains wrong uris', () => {
    expect(wrongType(['boolean'], 'String')).toBe('Must be a boolean (you provided a String)');
    expect(wrongType(['integer', 'string'], 'Array')).toBe('Must be one of: integer, string (you provided a Array)');
    expect(wrongType(['JSONModel(:subject) uri'], 'String')).toBe(
      'Must be a JSONModel(:subject) uri (you provided a String) (malformed or invalid uri? check if referenced object exists.)',
    );
  });
});

describe('classOf', () => {
  it('names the classes of JSON values', () => {
    expect(['x', 1, 1.5, true, false, null, [], {}].map((value) => classOf(value))).toEqual([
      'String',
      'Integer',
      'Float',
      'TrueClass',
      'FalseClass',
      'NilClass',
      'Array',
      'Hash',
    ]);
  });
});

describe('inspected', () => {
  it('writes values in the debug notation', () => {
    expect(inspected({ a: [1, 'x"', null], b: { c: true } })).toBe('{"a"=>[1, "x\\"", nil], "b"=>{"c"=>true}}');
    for (let most = 0; most < 45; most += 1)
      expect(inspected({ a: [1, 'x"😀', null], b: { c: true } }, most)).toBe(
        '{"a"=>[1, "x\\"😀", nil], "b"=>{"c"=>true}}'.slice(0, most),
      );
  });
});

describe('says', () => {
  it('puts two blanks into messages about lists', () => {
    expect(says.outside('x', ['a', 'b'])).toBe("Invalid value 'x'.  Must be one of: a, b");
    expect(says.outsideReadonly('dates/0/label', 'x', ['a'])).toBe(
      "Protected read-only list #/dates/0/label. Invalid value 'x'.  Must be one of: a",
    );
  });
});
