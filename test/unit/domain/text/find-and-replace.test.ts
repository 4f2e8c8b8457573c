// Finding and replacing in texts and bodies: literal texts, expressions with groups, parts of records.
import { expect, test } from 'vitest';
import { makeReplacer, replaceIn, textsIn, withTexts } from '#domain/text/find-and-replace.ts';

test.each([
  ['a.c', '$&x', 'abc a.c a.c', 'abc $&x $&x'],
  ['/(\\d+)-(\\d+)/', '\\2/\\1 \\0', '1-2 and 30-40', '2/1 1-2 and 40/30 30-40'],
  ['/(x)?y/', '[\\1]', 'y xy', '[] [x]'],
  ['/a/', '\\\\1', 'a', '\\1'],
  ['/o/', '[\\1\\2]', 'foo', 'f[][]'],
  ['/(?<last>\\w+), (\\w)/', '\\2 \\1\\3\\4\\5', 'Muster, Anna', 'A Musternna'],
  ['/', '-', '1/2', '1-2'],
  ['/ü+/', 'ue', 'üü ü', 'ue ue'],
])('%s replaced by %s', (find, replace, text, expected) => {
  expect(makeReplacer(find, replace)(text)).toBe(expected);
});

test('refuses what is no regular expression', () => {
  expect(() => makeReplacer('/(/', '')).toThrow(/regular expression/);
});

test('replaces in parts of the named type alone, at any depth, and leaves an untouched body as it is', () => {
  const body = {
    title: 'old',
    dates: [
      { jsonmodel_type: 'date', expression: 'old' },
      { jsonmodel_type: 'date', expression: 'new' },
    ],
    notes: [{ jsonmodel_type: 'note_multipart', subnotes: [{ jsonmodel_type: 'note_text', content: 'old' }] }],
  };
  const replacer = makeReplacer('old', 'young');
  expect(replaceIn(body, { type: 'date', property: 'expression' }, replacer)).toEqual({
    ...body,
    dates: [{ jsonmodel_type: 'date', expression: 'young' }, body.dates[1]],
  });
  expect(replaceIn(body, { type: 'note_text', property: 'content' }, replacer)).toMatchObject({
    title: 'old',
    notes: [{ subnotes: [{ content: 'young' }] }],
  });
  expect(replaceIn(body, { type: null, property: 'title' }, replacer)).toMatchObject({
    title: 'young',
    dates: body.dates,
  });
  expect(replaceIn(body, { type: 'extent', property: 'number' }, replacer)).toBe(body);
});

test.each([
  { type: null, property: 'title' },
  { type: 'date', property: 'expression' },
  { type: 'note_text', property: 'content' },
])('texts that replaced others are put in their places again: %o', (target) => {
  const body = {
    title: 'old',
    dates: [
      { jsonmodel_type: 'date', expression: 'old' },
      { jsonmodel_type: 'date' },
      { jsonmodel_type: 'date', expression: 'older' },
    ],
    notes: [
      {
        jsonmodel_type: 'note_multipart',
        subnotes: [
          { jsonmodel_type: 'note_text', content: 'as it is' },
          { jsonmodel_type: 'note_text', content: 'old' },
        ],
      },
    ],
  };
  const replaced = replaceIn(body, target, makeReplacer('old', ''));
  expect(withTexts(body, target, textsIn(replaced, target))).toEqual(replaced);
  expect(replaced).not.toEqual(body);
});
