// The finding aid as a page: contents that lead to series, what it is printed with, languages and directions.
import { expect, test } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { style } from '#domain/formats/printed-finding-aid/html/style.ts';
import { writeHtml } from '#domain/formats/printed-finding-aid/html/write.ts';

const setting = {
  flags: { includeUnpublished: false, includeDaos: true, includeUris: false, numberedComponents: false },
  label: (_: string, value: string) => value,
  product: 'Muniment',
  createdAt: 'now',
  includeArks: false,
  deepest: 2,
};
const series = { title: 'מכתבים <a href="https://a.example">x</a>', level: 'series', ref_id: 's "1"', publish: true };

async function page(root: JsonObject): Promise<string> {
  const groups = [{ depth: 1, record: series }];
  const blocks = (async function* () {
    yield [...groups, { depth: 2, record: { title: 'File', level: 'file', ref_id: 'f1', publish: true } }];
  })();
  let html = '';
  for await (const piece of writeHtml({ root, groups, blocks }, setting)) html += piece;
  return html;
}

const root = {
  title: 'Papers',
  publish: true,
  finding_aid_language: 'heb',
  finding_aid_author: 'A. Author',
  repository: {
    ref: '/repositories/2',
    _resolved: { name: 'The Archive', url: 'https://a.example/', image_url: 'https://a.example/logo.png?a="b' },
  },
};

test('contents lead to what is on the page', async () => {
  const html = await page(root);
  const contents = /<nav[^]*<\/nav>/.exec(html)?.[0] ?? '';
  const targets = [...contents.matchAll(/href="#([^"]*)"/g)].map(([, id]) => id);
  expect(targets).toHaveLength(3);
  for (const id of targets) expect(html).toContain(` id="${id}"`);
  // A link within a link is none.
  expect(contents).toContain('מכתבים x</a>');
  expect(contents).not.toContain('File');
});

test('language and direction are those of the finding aid, and of each text', async () => {
  const html = await page(root);
  expect(html).toContain('<html lang="he" dir="rtl">');
  expect(html).toMatch(/<h3 dir="auto">מכתבים/);
  expect(await page({ ...root, finding_aid_language: 'ger' })).toContain('<html lang="de" dir="ltr">');
  expect(await page({ title: 'x' })).toContain('<html lang="en" dir="ltr">');
});

test('the head tells what the title page of the PDF does, with the logo', async () => {
  const html = await page(root);
  const head = /<header>[^]*<\/header>/.exec(html)?.[0] ?? '';
  for (const text of ['The Archive', 'Papers', 'A. Author', 'Muniment, now']) expect(head).toContain(text);
  expect(head).toContain('<a href="https://a.example/">');
  expect(head).toContain('src="https://a.example/logo.png?a=&quot;b"');
  const scripted = {
    repository: { ref: '/repositories/2', _resolved: { name: 'A', image_url: 'javascript:alert(1)' } },
  };
  expect(await page({ ...root, ...scripted })).not.toContain('<img');
});

test.each([
  ['note_orderedlist', ['One', 'Two & <emph>three</emph>'], '<ol><li>One</li><li>Two &amp; <em>three</em></li></ol>'],
  [
    'note_definedlist',
    [{ label: 'A', value: 'B' }, { label: 'C' }],
    '<dl><dt>A</dt><dd>B</dd><dt>C</dt><dd></dd></dl>',
  ],
  [
    'note_chronology',
    [{ event_date: '1900', events: ['Came', 'Left'] }, { place: 'Rome' }],
    '<dl><dt>1900</dt><dd>Came<br>Left</dd><dt></dt><dd>Rome</dd></dl>',
  ],
])('a list of a note (%s) stands below its title, where it has one', async (jsonmodel_type, items, list) => {
  const noteOf = async (...parts: readonly JsonObject[]): Promise<string | undefined> => {
    const subnotes = parts.map((part) => ({ jsonmodel_type, publish: true, ...part }));
    const note = { jsonmodel_type: 'note_multipart', type: 'odd', label: 'Notes', publish: true, subnotes };
    return /<h3 dir="auto">Notes<\/h3>(.*?)<\/div>/.exec(await page({ ...root, notes: [note] }))?.[1];
  };
  expect(await noteOf({ items })).toBe(list);
  expect(await noteOf({ title: 'Of & <emph>all</emph>', items }, { items })).toBe(
    `<p><strong>Of &amp; <em>all</em></strong></p>${list}${list}`,
  );
  expect(await noteOf({ title: 'Of all' })).toBe('<p><strong>Of all</strong></p>');
  // A head over nothing would be of no use.
  expect(await noteOf({ items: [] }, {})).toBeUndefined();
});

test('a chronology says where', async () => {
  const items = [{ event_date: '1900', place: 'Rome & Ostia', events: ['Lived'] }];
  const subnotes = [{ jsonmodel_type: 'note_chronology', publish: true, items }];
  const notes = [{ jsonmodel_type: 'note_multipart', type: 'bioghist', publish: true, subnotes }];
  expect(await page({ ...root, notes })).toContain('<dd>Rome &amp; Ostia<br>Lived</dd>');
});

test('an index says where', async () => {
  const items = [
    { type: 'person', value: 'Roe, Ann', reference: 'ref1', reference_text: 'Box 3 & 4' },
    { value: 'Rome' },
  ];
  const notes = [{ jsonmodel_type: 'note_index', publish: true, items }];
  expect(await page({ ...root, notes })).toContain('<ul><li>Roe, Ann: Box 3 &amp; 4</li><li>Rome</li></ul>');
});

test('rules for paper stand in the page', async () => {
  const html = await page(root);
  expect(html).toContain(`<style>${style}</style>`);
  // Otherwise it would end the element.
  expect(style).not.toContain('<');
  expect(html).toContain('@page{size:A4');
  expect(html).toContain('counter(page)');
  expect(html).toContain('target-counter(attr(href url),page)');
});
