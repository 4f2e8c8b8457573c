// What a printed finding aid says.
import { describe, expect, test } from 'vitest';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import { groupLevels } from '#domain/formats/printed-finding-aid/groups.ts';
import { contactLines } from '#domain/formats/writing/contact.ts';
import { componentLines, resourceLines, titlePage } from '#domain/formats/printed-finding-aid/pdf/lines.ts';
import { inlineText, paragraphsOf, printedNotes } from '#domain/formats/printed-finding-aid/pdf/paragraphs.ts';

const setting = (includeUnpublished: boolean): FindingAidSetting => ({
  flags: { includeUnpublished, includeDaos: true, includeUris: false, numberedComponents: false },
  label: (_, value) => value,
  product: 'Muniment',
  createdAt: 'now',
  includeArks: false,
  deepest: 1,
});
const hidden = {
  jsonmodel_type: 'note_multipart',
  type: 'odd',
  publish: false,
  subnotes: [{ jsonmodel_type: 'note_text', content: 'LEAK' }],
};

test('mixed content comes as paragraphs and items without markup', () => {
  const given =
    'One <emph render="bold">bold</emph> &amp; so\non\n\nTwo<list><item>first</item><item>second</item></list><p>Three<lb/>four</p><script>alert(1)</script> a < b';
  expect(paragraphsOf(given)).toEqual([
    { text: 'One bold & so on', isItem: false },
    { text: 'Two', isItem: false },
    { text: 'first', isItem: true },
    { text: 'second', isItem: true },
    { text: 'Three', isItem: false },
    { text: 'four', isItem: false },
    { text: 'a < b', isItem: false },
  ]);
});

test('cells of tables, addresses and lists of HTML come in words and lines of their own', () => {
  const table = '<table><tbody><row><entry>1900</entry><entry>Rome</entry></row><row><entry>1901</entry></row></tbody>';
  expect(paragraphsOf(`${table}</table><ul><li>one</li><li>two</li></ul><h3>three</h3>four`)).toEqual([
    { text: '1900 Rome', isItem: false },
    { text: '1901', isItem: false },
    { text: 'one', isItem: true },
    { text: 'two', isItem: true },
    { text: 'three', isItem: false },
    { text: 'four', isItem: false },
  ]);
});

test('a title in one line keeps the words apart that lines of their own part', () => {
  expect(inlineText('Letters<lb/>of Roe <p>and</p>others, <emph>W</emph>idows')).toBe(
    'Letters of Roe and others, Widows',
  );
});

test('addresses stand behind what they are linked from, once', () => {
  const given =
    '<extref xlink:href="https://a.example/x">The map</extref>, <ref href="https://a.example/y">https://a.example/y</ref>, <extptr href="https://a.example/z"/> and <a href="javascript:alert(1)">more</a>';
  expect(paragraphsOf(given).map(({ text }) => text)).toEqual([
    'The map (https://a.example/x), https://a.example/y, https://a.example/z and more',
  ]);
});

test('a chronology says where', () => {
  const items = [{ event_date: '1900', place: 'Rome', events: ['Lived', 'Left'] }];
  const subnotes = [{ jsonmodel_type: 'note_chronology', publish: true, items }];
  const note = { jsonmodel_type: 'note_multipart', type: 'bioghist', publish: true, subnotes };
  expect(printedNotes({ notes: [note] }, (_, value) => value).map(({ body }) => body)).toEqual([
    [{ text: '1900: Rome; Lived; Left', isItem: true }],
  ]);
});

test('an index says where', () => {
  const items = [
    { type: 'person', value: 'Roe, Ann', reference_text: 'Box 3' },
    { value: 'Rome', reference_text: ' ' },
  ];
  const note = { jsonmodel_type: 'note_index', publish: true, items };
  expect(printedNotes({ notes: [note] }, (_, value) => value).map(({ body }) => body)).toEqual([
    [
      { text: 'Roe, Ann: Box 3', isItem: true },
      { text: 'Rome', isItem: true },
    ],
  ]);
});

describe('the lines', () => {
  const record = {
    title: 'Papers of <emph>A</emph>',
    id_0: 'MS',
    id_1: '1',
    publish: true,
    dates: [{ expression: '1900' }],
    notes: [hidden, { jsonmodel_type: 'note_singlepart', type: 'abstract', publish: true, content: ['Short.'] }],
  };

  test('begin with title, identifier, dates and repository', () => {
    const resource = { ...record, repository: { ref: '/repositories/2', _resolved: { name: 'The Archive' } } };
    expect(titlePage(resource, setting(false)).map(({ text }) => text)).toEqual([
      'The Archive',
      'Papers of A',
      'MS.1',
      '1900',
      'Muniment, now',
    ]);
  });

  test('name telephones by their type, and nobody without a contact', () => {
    const telephones = [{ number_type: 'home', number: '1', ext: '2' }, { number: '3' }];
    const agent_representation = {
      ref: '/agents/corporate_entities/1',
      _resolved: { agent_contacts: [{ telephones }] },
    };
    expect(contactLines({ agent_representation }, (_, value) => value).map(({ text }) => text)).toEqual([
      'home: 1 (Extension: 2)',
      'Telephone: 3',
    ]);
    expect(
      contactLines({ agent_representation: { ref: '/agents/corporate_entities/1' } }, (_, value) => value),
    ).toEqual([]);
  });

  test('tell how the repository can be reached', () => {
    const agent_representation = {
      ref: '/agents/corporate_entities/1',
      _resolved: {
        agent_contacts: [{ address_1: 'ul. Długa 7', city: 'Łódź', post_code: '90-001', email: 'a@example.org' }],
      },
    };
    const resource = {
      ...record,
      repository: { ref: '/repositories/2', _resolved: { name: 'A', url: 'https://a.example', agent_representation } },
    };
    expect(titlePage(resource, setting(false)).flatMap(({ part, text }) => (part === 'contact' ? [text] : []))).toEqual(
      ['ul. Długa 7', 'Łódź 90-001', 'a@example.org', 'https://a.example'],
    );
  });

  test('of the resource sum it up, then tell its notes where there are some', () => {
    const { notes: _, ...without } = record;
    const summary = [
      { part: 'section', depth: 0, text: 'Summary', bookmark: true },
      { part: 'term', depth: 0, term: 'Identifier', text: 'MS.1' },
      { part: 'term', depth: 0, term: 'Dates', text: '1900' },
    ];
    expect(resourceLines(without, setting(false))).toEqual(summary);
    const lines = resourceLines(record, setting(false));
    expect(lines.slice(0, 4)).toEqual([...summary, { part: 'section', depth: 0, text: 'Notes', bookmark: true }]);
    expect(lines.at(-1)?.text).toBe('Short.');
  });

  test('leave unpublished parts out unless they are asked for', () => {
    expect(JSON.stringify(resourceLines(record, setting(false)))).not.toContain('LEAK');
    expect(resourceLines(record, setting(true)).map(({ text }) => text)).toContain('LEAK');
    expect(componentLines({ title: 'Box', publish: false }, 1, setting(true))[0]?.text).toBe('Box [not published]');
  });

  test('name groups of records in the outline, files not', () => {
    for (const level of groupLevels) expect(componentLines({ level }, 1, setting(false))[0]?.bookmark).toBe(true);
    expect(componentLines({ title: 'S', level: 'series' }, 1, setting(false))).toEqual([
      { part: 'component', depth: 1, text: 'S', bookmark: true },
    ]);
    expect(componentLines({ title: 'F', level: 'file' }, 2, setting(false))).toEqual([
      { part: 'component', depth: 2, text: 'F' },
    ]);
  });
});
