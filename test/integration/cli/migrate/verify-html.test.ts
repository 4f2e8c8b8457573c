// The page of a comparison: every sort of difference under its heading, how many more there are, and texts that stay texts.
import { expect, it } from 'vitest';
import { writeVerifyReport } from '../../../../apps/cli/migrate/verify-html.ts';

const verdict = {
  source: 'http://a <x>',
  here: 'http://b',
  samples: null,
  lists: [{ list: '/subjects', source: 3000, here: 2, differing: 2 }],
  allowed: { 'it may': 4 },
};

it('tells what differs, what may, and of how many records', () => {
  const page = writeVerifyReport({
    verdict: { ...verdict, same: false, differences: { missing: 2000, unread: 1 } },
    differences: [
      { what: 'missing', uri: '/subjects/1' },
      { what: 'unread', uri: '/subjects/2', side: 'here', reason: '<b>' },
    ],
    wordsOf: (difference) => `${difference.uri} <${difference.what}>`,
  });
  expect(page).toContain('<h1>2,001 differences</h1>');
  expect(page).toContain('<h2>Missing here</h2>\n<p>2,000, of which 1 are shown</p>');
  // Each below its own heading.
  expect(page).toMatch(/<h2>Missing here<\/h2>\n<p>[^<]*<\/p>\n<ul>\n<li>\/subjects\/1 &lt;missing&gt;<\/li>\n<\/ul>/);
  expect(page).toMatch(/<h2>Could not be read<\/h2>\n<p>1<\/p>\n<ul>\n<li>\/subjects\/2 &lt;unread&gt;<\/li>\n<\/ul>/);
  expect(page).toContain('http://a &lt;x&gt;');
  expect(page).toMatch(/\/subjects<\/td><td>3,000<\/td><td>2<\/td><td><span class="failed">2</);
  expect(page).toContain('<td>4</td><td>it may</td>');
  expect(page).toContain('were not compared');
});

it('says that everything is the same', () => {
  const page = writeVerifyReport({
    verdict: { ...verdict, samples: { documents: 1, searches: 1 }, same: true, differences: {} },
    differences: [],
    wordsOf: () => '',
  });
  expect(page).toContain('<h1>Everything is the same</h1>');
  expect(page).not.toContain('were not compared');
});
