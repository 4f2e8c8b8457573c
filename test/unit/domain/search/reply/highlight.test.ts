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

it('gives nothing without a hit', () => {
  expect(highlight('nothing', marked('needle'))).toBeUndefined();
});
