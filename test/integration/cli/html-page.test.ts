// Pages of reports stand by themselves, and texts stay texts.
import { expect, it } from 'vitest';
import { htmlLink, htmlPage, htmlSection, htmlTable } from '../../../apps/cli/html-page.ts';

it('writes a page without scripts that fetches nothing', () => {
  const page = htmlPage('A <report>', [
    ...htmlSection('Left & right', ['one'], () => htmlTable(['<h>'], [[htmlLink('http://a', '/x"y')]])),
    ...htmlSection('Nothing', [], () => 'unseen'),
  ]);
  expect(page).toContain('<h1>A &lt;report&gt;</h1>');
  expect(page).toContain('<h2>Left &amp; right</h2>');
  expect(page).toContain('&lt;h&gt;');
  expect(page).toContain('href="http://a/x&quot;y"');
  expect(page).not.toMatch(/<script|<link|src=|unseen|Nothing/);
});
