// Markup and entities in titles and notes.
import { expect, it } from 'vitest';
import { withoutMarkup } from '#domain/text/mixed-content.ts';
import { cpuCost } from '#test/support/cpu-cost.ts';

it.each([
  ['<emph render="italic">W</emph>ords', 'Words'],
  ['one<lb/>two', 'one two'],
  ['<p>one</p><p>two</p>', ' one  two '],
  ['a < b and c > d', 'a < b and c > d'],
  ['AT&amp;T &lt;b&gt; &#233; &#xE9; &eacute;', 'AT&T <b> é é é'],
  ['&unknown; &#0; &#xD800; &toString;', '&unknown; &#0; &#xD800; &toString;'],
  ['x<!-- hidden -->y', 'x y'],
  ['1<2', '1<2'],
  ['a<!-- b <?c?>d<!-- e --><? f <i>g</i> <!-- h', 'a <? f g <!-- h'],
  ['a<!--><b>x</b>--><?>?>c', 'a  c'],
])('takes the markup out of %j', (text, plain) => {
  expect(withoutMarkup(text)).toBe(plain);
});

it('costs for tags and comments without an end not out of proportion to what it costs for others', async () => {
  const ended = await cpuCost(() => [withoutMarkup('<a>'.repeat(50_000)), withoutMarkup('<!-->-->'.repeat(20_000))], 3);
  const endless = await cpuCost(
    () => [
      withoutMarkup('<a '.repeat(50_000)),
      withoutMarkup('<!--'.repeat(20_000)),
      withoutMarkup('<?'.repeat(20_000)),
    ],
    3,
  );
  expect(endless / ended).toBeLessThan(20);
});
