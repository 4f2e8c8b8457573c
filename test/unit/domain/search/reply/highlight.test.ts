// Marked fragments.
import { expect, it } from 'vitest';
import { highlight } from '#domain/search/reply/highlight.ts';

const marked = (...words: string[]) => ({ words: new Set(words), beginnings: [] });

it('marks what the analysis finds, and escapes the rest', () => {
  expect(highlight('Maps & <emph>O’Neill’s</emph> a < b', marked('neill', 'maps'))).toBe(
    '<span class="searchterm">Maps</span> &amp; <span class="searchterm">O’Neill’s</span> a &lt; b',
  );
});

it('marks words that begin as asked', () => {
  expect(highlight('disarmament', { words: new Set(), beginnings: ['disarm'] })).toBe(
    '<span class="searchterm">disarmament</span>',
  );
});

it('gives a fragment near the first hit', () => {
  const fragment = highlight(`${'word '.repeat(100)}needle ${'word '.repeat(100)}`, marked('needle')) ?? '';
  expect(fragment).toContain('<span class="searchterm">needle</span>');
  expect(fragment.replace(/<[^>]*>/g, '').length).toBeLessThanOrEqual(101);
});

const plainFragment = (text: string): string => (highlight(text, marked('needle')) ?? '').replace(/<[^>]*>/g, '');

it('begins a fragment with a whole word before the hit, or where the text does', () => {
  const after = ` ${'x'.repeat(200)}`;
  const long = 'straw '.repeat(20);
  expect(plainFragment(`A small needle${after}`)).toMatch(/^A small needle x/);
  expect(plainFragment(`needle${after}`)).toMatch(/^needle x/);
  expect(plainFragment(`${long}needle${after}`)).toMatch(/^(straw ){6}needle x/);
  // Words that are longer than what stands before a hit are not cut.
  expect(plainFragment(`${'x'.repeat(50)} needle${after}`)).toMatch(/^needle x/);
  expect(plainFragment(`${'x'.repeat(50)};needle${after}`)).toMatch(/^needle x/);
});

it('does not end within a character', () => {
  for (const before of ['', '.'])
    expect(plainFragment(`needle ${before}${'🗺'.repeat(100)}`)).toMatch(/^needle \.?🗺+$/u);
});

it('gives nothing without a hit', () => {
  expect(highlight('nothing', marked('needle'))).toBeUndefined();
});
