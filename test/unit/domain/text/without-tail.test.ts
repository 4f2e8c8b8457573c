// Punctuation at the end of a text.
import { expect, test } from 'vitest';
import { withoutTail } from '#domain/text/without-tail.ts';

test.each([
  ['Roe, Ann,', 'Roe, Ann'],
  ['Maps /', 'Maps'],
  ['Maps : ; ', 'Maps :'],
  ['a,b', 'a,b'],
  ['kept ', 'kept '],
  [',;', ''],
  ['', ''],
])('%j becomes %j', (text, rest) => {
  expect(withoutTail(text, ',;:/')).toBe(rest);
});
