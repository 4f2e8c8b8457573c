// What parsed JSON may not hold. Over HTTP and in imports it is tested where bodies are read and batches refused.
import { expect, test } from 'vitest';
import { unstorable } from '#domain/storable-json.ts';

const wrongIn = (text: string): string | null => unstorable(JSON.parse(text), text);
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

test.each([
  ['"\\u0000"', 'the character U+0000 cannot be stored'],
  ['{"a":[{"\\u0000":1}]}', 'the character U+0000 cannot be stored'],
  ['["a","\\udc00"]', 'a text holds half of a surrogate pair'],
  ['{"a":{"__proto__":1}}', "the property '__proto__' is not allowed"],
  [nested(502), 'nesting of 501 is too deep'],
])('%.30s is refused', (text, reason) => {
  expect(wrongIn(text)).toBe(reason);
});

test.each(['null', '"\\ud83d\\ude00"', '{"a":["\\u00e9",1,null]}', '{"a":"__proto__"}', nested(501)])(
  '%.30s is taken',
  (text) => {
    expect(wrongIn(text)).toBeNull();
  },
);
