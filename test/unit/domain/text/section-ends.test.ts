// Ends of sections, looked for from places that only go forward.
import { expect, it } from 'vitest';
import { parseFragment } from '#domain/formats/xml/fragment.ts';
import { SectionEnds } from '#domain/text/section-ends.ts';
import { parsedTitle } from '#domain/text/parsed-title.ts';
import { cpuCost } from '#test/support/cpu-cost.ts';

it('is the place behind the first end at or after a place', () => {
  const ends = new SectionEnds('a-->b-->c');
  const closing = /-->/g;
  expect([0, 1, 2, 5, 6].map((from) => ends.after(closing, from))).toEqual([4, 4, 8, 8, null]);
  expect(ends.after(/c/g, 0)).toBe(9);
});

it.each(['<!--', '<?', '<![CDATA[', '<script>', '<script '])(
  'is not looked for again from each of many %j that do not end',
  async (opening) => {
    const read = (text: string) => [parsedTitle(text), parseFragment(text)];
    const plain = await cpuCost(() => read('<b>x</b>'.repeat(8_000)), 3);
    const endless = await cpuCost(() => read(opening.repeat(Math.floor(64_000 / opening.length))), 3);
    expect(endless / plain).toBeLessThan(20);
  },
);
