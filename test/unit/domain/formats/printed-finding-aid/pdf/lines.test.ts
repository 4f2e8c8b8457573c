// What a printed finding aid says, and in which letters.
import { describe, expect, test } from 'vitest';
import type { FindingAidSetting } from '#domain/formats/writing/finding-aid.ts';
import { latinText } from '#domain/formats/printed-finding-aid/pdf/latin.ts';
import { componentLines, resourceLines, titlePage } from '#domain/formats/printed-finding-aid/pdf/lines.ts';
import { paragraphsOf } from '#domain/formats/printed-finding-aid/pdf/paragraphs.ts';

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

describe('letters', () => {
  test('stay where the fonts have them', () => {
    expect(latinText('Früh “Æon” – 5 €')).toEqual({ text: 'Früh “Æon” – 5 €', lost: 0 });
  });
  test('lose marks that the fonts lack, and are counted only where nothing is left of them', () => {
    expect(latinText('Łódź, Dvořák, e\u0301, ﬁn, a\u200bb')).toEqual({ text: 'Lódz, Dvorák, é, fin, ab', lost: 0 });
    expect(latinText('Москва 東')).toEqual({ text: '?????? ?', lost: 7 });
    expect(latinText('😀')).toEqual({ text: '?', lost: 1 });
  });
});

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

  test('leave unpublished parts out unless they are asked for', () => {
    expect(JSON.stringify(resourceLines(record, setting(false)))).not.toContain('LEAK');
    expect(resourceLines(record, setting(true)).map(({ text }) => text)).toContain('LEAK');
    expect(componentLines({ title: 'Box', publish: false }, 1, setting(true))[0]?.text).toBe('Box [not published]');
  });

  test('name groups of records in the outline, files not', () => {
    expect(componentLines({ title: 'S', level: 'series' }, 1, setting(false))).toEqual([
      { part: 'component', depth: 1, text: 'S', bookmark: true },
    ]);
    expect(componentLines({ title: 'F', level: 'file' }, 2, setting(false))).toEqual([
      { part: 'component', depth: 2, text: 'F' },
    ]);
  });
});
