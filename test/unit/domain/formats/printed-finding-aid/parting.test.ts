// Elements that part words, in a page and on paper alike.
import { expect, test } from 'vitest';
import { blocksHtml } from '#domain/formats/printed-finding-aid/html/mixed.ts';
import { apart, ownLines } from '#domain/formats/printed-finding-aid/parting.ts';
import { inlineText, paragraphsOf } from '#domain/formats/printed-finding-aid/pdf/paragraphs.ts';

const withoutTags = (html: string): string => html.replaceAll(/<(?:br|\/?(?:p|ul|ol|li|blockquote))\b[^>]*>/g, ' ');

// Those of HTML that never hold words.
const empty = ['br', 'hr'];

test.each([...apart].filter((name) => !empty.includes(name)))('words beside a %s and in it stay apart', (name) => {
  const given = `one<${name}>two</${name}>three`;
  expect(inlineText(given)).toBe('one two three');
  expect(paragraphsOf(given).map(({ text }) => text)).toEqual(
    ownLines.has(name) ? ['one', 'two', 'three'] : ['one two three'],
  );
  expect(withoutTags(blocksHtml(given)).replaceAll(/<[^>]*>/g, '')).toMatch(/^ *one +two +three *$/);
});

test.each(empty)('words beside a %s stay apart', (name) => {
  const given = `one<${name}>two`;
  expect([inlineText(given), paragraphsOf(given).map(({ text }) => text)]).toEqual(['one two', ['one', 'two']]);
  expect(withoutTags(blocksHtml(given))).toMatch(/^ *one +two *$/);
});

test.each(['emph', 'b', 'persname', 'num', 'title'])('a %s may be a part of a word', (name) => {
  const given = `one<${name}>two</${name}>three`;
  expect([inlineText(given), paragraphsOf(given).map(({ text }) => text)]).toEqual(['onetwothree', ['onetwothree']]);
});
