// Tables of texts and what becomes of each: dates, slugs, sort keys, titles as HTML, names, replacements. Each was read before it was kept.
import { expect, it } from 'vitest';
import { readDate, readDateTime } from '#domain/dates/lenient-date.ts';
import {
  daysInMonth,
  endsBeforeBegin,
  hasStandardizedForm,
  parseDay,
  toUtcTime,
  withYearFirst,
} from '#domain/dates/rules.ts';
import { dateSpan } from '#domain/dates/span.ts';
import { Failure } from '#domain/errors.ts';
import { makeReplacer } from '#domain/text/find-and-replace.ts';
import { parsedTitle } from '#domain/text/parsed-title.ts';
import { toSlug } from '#domain/text/slug.ts';
import { sortKeyBeginnings, toSortKey, toTitleSort } from '#domain/text/sort-key.ts';
import { toUsername } from '#domain/text/username.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

const by = (texts: readonly string[], read: (text: string) => unknown): object =>
  Object.fromEntries(texts.map((text) => [text, read(text) ?? null]));

const months = [
  'January',
  'february',
  'MARCH',
  'Apr',
  'may',
  'June',
  'Jul.',
  'aug',
  'Sept',
  'october',
  'Nov',
  'december',
];
const dates = [
  ...months.map((month) => `${month} 3, 1868`),
  ...months.map((month) => `3 ${month} 1868`),
  ...months.map((month) => `${month} 1868`),
  ...[
    '1868-05-06',
    '1868-5-6',
    '1868/05/06',
    '1868.05.06',
    '18680506',
    '1868-05',
    '1868',
    '6/5/1868',
    '6-5-1868',
    '6.5.1868',
    '31/12/1868',
  ],
  ...[
    '1868-02-29',
    '1867-02-29',
    '1900-02-29',
    '2000-02-29',
    '1868-04-31',
    '1868-13-01',
    '1868-00-01',
    '1868-01-00',
    '0000-01-01',
    '-0044-03-15',
    '12345-01-01',
  ],
  ...[
    'Tuesday, 5 May 1868',
    'Wed May 6th, 1868',
    '1st of May 1868',
    '2nd May 1868',
    '3rd May 1868',
    '4th May 1868',
    '5-May-1868',
    'Septe 1868',
    'Mayo 1868',
    'm 1868',
  ],
  ...[
    '1868-05-06T07:08:09Z',
    '1868-05-06 07:08',
    '1868-05-06T07:08:09+02:00',
    '1868-05-06T07:08:09.5-0130',
    '1868-05-06T24:00:00Z',
    '1868-05-06T23:60:00Z',
    '1868-05-06 23:59:60',
    '1868-05-06 07:08 UTC',
  ],
  ...['', ' ', 'soon', '  1868-05-06  ', '5 1868', '32 May 1868', '0 May 1868'],
];
const days = [
  '1868',
  '1868-5',
  '1868-05',
  '1868-05-06',
  '1868-02-30',
  '1868-13',
  '-44',
  '-0044-03-15',
  '123456',
  '1234567',
  '1868-',
  '05-1868',
  '1',
  '12',
  '123',
  '123-05',
  '123-05-06',
  '12-05-06',
  '1868-5-6',
  '',
];
const times = [
  '2024-02-29',
  '20240229',
  '2023-02-29',
  '2024-02-29T10',
  '2024-02-29T10:11',
  '2024-02-29T10:11:12',
  '2024-02-29 10:11:12Z',
  '2024-02-29t10:11:12.99z',
  '2024-02-29T101112+0130',
  '2024-02-29T10:11:12-02',
  '2024-02-29T24:00:00',
  '2024-02-29T10:60:00',
  '2024-02-29T10:11:60',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
  '0001-01-01',
  '24-02-29',
  '',
];

it('reads dates, days and times as is kept', async () => {
  const spans: { readonly [name: string]: readonly (readonly [string | null, string | null])[] } = {
    none: [],
    'one year': [['1868', null]],
    'a month of February': [['1868-02', null]],
    'an end alone': [[null, '1871']],
    'the shorter of equal texts': [
      ['1868-01-01', '1871-12-31'],
      ['1868', '1871'],
    ],
    'the longer ones first': [
      ['1868', '1871'],
      ['1868-01-01', '1871-12-31'],
    ],
    several: [
      ['1870', '1871'],
      ['1868-05', '1869'],
      ['1869', '1890-02'],
    ],
    'what is no date': [
      ['soon', 'later'],
      ['1868', 'later'],
    ],
    'before our era': [['-0044-03-15', '0014']],
  };
  await expectKept(
    keptText(
      {
        dates: by(dates, readDate),
        moments: by(
          dates.filter((text) => /\d:/.test(text)),
          readDateTime,
        ),
        days: by(days, parseDay),
        standardized: by(days, (text) => [hasStandardizedForm(text), withYearFirst(text)]),
        times: by(times, toUtcTime),
        months: Array.from({ length: 14 }, (_, month) => [
          daysInMonth(1868, month),
          daysInMonth(1900, month),
          daysInMonth(2000, month),
        ]),
        ends: [
          ['1868', '1868'],
          ['1868-05', '1868'],
          ['1868', '1867'],
          ['1868-05-06', '1868-05-05'],
          ['1868-05-06', '1868-05-06'],
          ['1868-05-06', '1868-05-07'],
          ['soon', '1867'],
          ['1868', 'soon'],
        ].map(([begin = '', end = '']) => [begin, end, endsBeforeBegin(begin, end)]),
        spans: Object.fromEntries(
          Object.entries(spans).map(([name, pairs]) => [name, dateSpan(pairs.map(([begin, end]) => ({ begin, end })))]),
        ),
      },
      2,
    ),
    'texts/dates.json',
  );
});

const titles = [
  'Plain',
  '',
  ' ',
  '  Box 2  ',
  'Box 10',
  'Box 0010',
  'Éllery & Söhne',
  'A-B‐C‑D',
  '<emph render="bold">Bold</emph> & <title>T</title>',
  '<unitdate>1868</unitdate>',
  '<emph render="nonproport">x</emph>',
  '<script>alert(1)</script>Safe',
  '<style>p{}</style>x',
  '<!-- gone -->x',
  '<!-- open x',
  '<?pi?>x',
  '<!DOCTYPE x>y',
  '<b>open',
  '</b>shut',
  '<i><b>x</i></b>',
  '<a href="https://a.example" onclick="x">a</a>',
  '<a href="javascript:x">a</a>',
  "<a href='mailto:a@b.example'>a</a>",
  '<q cite=https://a.example>q</q>',
  '<lb/>',
  'a<br>b',
  '<p/>',
  '<ann@example.org>',
  '1 < 2 > 0',
  '&amp; &lt; &#65; &#x42; &nbsp; &odd; &#0; &#xD800;',
  '<EMPH RENDER="italic">x</EMPH>',
  '<emph render="a&quot;b">x</emph>',
  '漁港, 1868',
  '12',
  '１２',
  'Who\'s "who"?',
  'a--b',
  'a__b',
  '_a_',
  'x'.repeat(60),
  '1868 1871',
];
const users = ['ishbel', ' Ishbel.Rae ', 'a b', 'a  b', 'a@b.example', 'a_b-c', 'é', '', 'a/b', 'a\tb'];

it('makes slugs, keys, HTML and names of texts as is kept', async () => {
  await expectKept(
    keptText(
      {
        slugs: by(titles, toSlug),
        keys: by(titles, toSortKey),
        titleSorts: by(titles, toTitleSort),
        html: by(titles, parsedTitle),
        beginnings: by(['box 0000000002', 'box', 'box 0000001868', '0000000000', 'a1b0000000031'], sortKeyBeginnings),
        users: by(users, toUsername),
      },
      2,
    ),
    'texts/titles.json',
  );
});

it('replaces as is kept, or says what is no expression', () => {
  const replaced = (find: string, replace: string, text: string): unknown => {
    try {
      return makeReplacer(find, replace)(text);
    } catch (error) {
      return error instanceof Failure ? error.code : error;
    }
  };
  expect([
    replaced('a.b', '$&', 'a.b axb'),
    replaced('/a.b/', '[\\0]', 'a.b axb'),
    replaced('/(\\d+)-(\\d+)?/', '\\2\\\\\\1\\9', '1868-1871 1869-'),
    replaced('/\\-/', '+', 'a-b'),
    replaced('//', 'x', 'a//b'),
    replaced('/(/', 'x', 'a'),
    replaced('/^/', '>', 'a\nb'),
  ]).toEqual(['$& axb', '[a.b] [axb]', '1871\\1868 \\1869', 'a+b', 'axb', 'bad_parameter', '>a\nb']);
});
