// The report of a comparison as one page of HTML.
import { escapeText } from '#domain/formats/xml/escape.ts';
import { htmlPage, htmlSection, htmlTable } from '../html-page.ts';
import { count } from '../output.ts';
import type { Difference } from './compare.ts';
import type { Verdict } from './verify.ts';

/** What a report shows; `differences` may be the first of more. */
export type VerifyReport = {
  readonly verdict: Verdict;
  readonly differences: readonly Difference[];
  /** What differs, in words. */
  readonly wordsOf: (difference: Difference) => string;
};

const headings: { readonly [what in Difference['what']]: string } = {
  missing: 'Missing here',
  extra: 'Not in the source',
  field: 'Fields',
  order: 'Order in trees',
  deleted: 'Deleted in the source, which this service does not tell',
  unread: 'Could not be read',
  document: 'Finding aids, and what harvesters get',
  search: 'Searches',
};

/** The page. */
export function writeVerifyReport({ verdict, differences, wordsOf }: VerifyReport): string {
  const total = Object.values(verdict.differences).reduce((sum, number) => sum + number, 0);
  const sorts = Object.entries(headings).flatMap(([what, heading]) => {
    const of = differences.filter((difference) => difference.what === what);
    const all = verdict.differences[what] ?? 0;
    return htmlSection(heading, of, (items) =>
      [
        `<p>${count(all)}${all > items.length ? `, of which ${count(items.length)} are shown` : ''}</p>`,
        `<ul>\n${items.map((item) => `<li>${escapeText(wordsOf(item))}</li>`).join('\n')}\n</ul>`,
      ].join('\n'),
    );
  });
  return htmlPage(verdict.same ? 'Everything is the same' : `${count(total)} differences`, [
    `<p>Source: ${escapeText(verdict.source)}<br>Here: ${escapeText(verdict.here)}</p>`,
    ...(verdict.samples === null ? ['<p>Finding aids, harvesting and searches were not compared.</p>'] : []),
    ...sorts,
    ...htmlSection('Records', verdict.lists, (lists) =>
      htmlTable(
        ['List', 'Source', 'Here', 'Differ'],
        lists.map(({ list, source, here, differing }) => [
          escapeText(list),
          count(source),
          count(here),
          differing === 0 ? '0' : `<span class="failed">${count(differing)}</span>`,
        ]),
      ),
    ),
    ...htmlSection('Differs, and may', Object.entries(verdict.allowed), (allowed) =>
      htmlTable(
        ['Records', 'Why'],
        allowed.map(([reason, records]) => [count(records), escapeText(reason)]),
      ),
    ),
  ]);
}
