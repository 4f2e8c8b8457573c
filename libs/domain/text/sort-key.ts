// Sort keys: texts whose plain byte order is the order people expect, so that a database needs no collation for it.
// Case and accents do not count and digits are compared as numbers, as in the root collation at primary strength.
import { fold } from './fold.ts';
import { withoutMarkup } from './mixed-content.ts';

const digits = 10;
const longestKey = 400;

/** The key of any single value: folded, digit runs padded to ten. `Box 2` comes before `Box 10`. */
export function toSortKey(text: string): string {
  return fold(text)
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[0-9]+/g, (run) => run.replace(/^0+(?=[0-9])/, '').padStart(digits, '0'))
    .slice(0, longestKey);
}

/** The key of a title: markup out, hyphens to blanks, all but letters, digits, blanks and `_` out, then as any value. */
export function toTitleSort(title: string): string {
  const words = withoutMarkup(title)
    .replace(/[-‐‑]/g, ' ')
    .replace(/[^\p{L}\p{N}\p{M}\s_]/gu, '');
  return toSortKey(words);
}

/** The beginnings of keys of texts that begin as one does whose key is given: a number at its end may go on, and is padded by what it comes to. */
export function sortKeyBeginnings(key: string): readonly string[] {
  const [, before = '', number = ''] = /^(.*?)0*([1-9][0-9]*)$/su.exec(key) ?? [];
  if (number === '') return [key];
  return Array.from(
    { length: Math.max(1, digits + 1 - number.length) },
    (_, more) => before + number.padStart(digits - more, '0'),
  );
}
