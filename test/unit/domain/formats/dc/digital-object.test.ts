import { expect, it } from 'vitest';
import { digitalObjectDc } from '#domain/formats/dc/digital-object.ts';
import { makeExportContext, personLink } from '#test/support/make/export-context.ts';

it('writes elements in the order of the contract, the type even where it is empty', () => {
  const note = (type: string) => ({ type, publish: true, content: [type] });
  const xml = digitalObjectDc(
    {
      title: 'T <i>x</i>',
      uri: '/repositories/2/digital_objects/1',
      linked_agents: [personLink(), personLink({ sort_name: 'Topic' }, { role: 'subject' })],
      dates: [{ begin: '1900', end: '1901' }],
      notes: ['relatedmaterial', 'originalsloc', 'physdesc', 'userestrict', 'bioghist', 'odd'].map(note),
    },
    makeExportContext(),
  );
  expect(
    [...xml.matchAll(/<(\w+)>(.*?)<\/\1>|<(type)\/>/g)].map(([, name, text, empty]) =>
      `${name ?? empty} ${text ?? ''}`.trim(),
    ),
  ).toEqual([
    'title T x',
    'identifier http://service.example/repositories/2/digital_objects/1',
    'creator Muster, Anna',
    'subject Topic',
    'date 1900 - 1901',
    'description bioghist',
    'description Digital object made available by Repository',
    'rights userestrict',
    'format physdesc',
    'source originalsloc',
    'relation relatedmaterial',
    'type',
  ]);
});

it('joins the terms of a subject without blanks, as the contract has them here', () => {
  const terms = ['Letters', 'Germany'].map((term) => ({ term, term_type: 'topical' }));
  const xml = digitalObjectDc({ subjects: [{ ref: '/subjects/1', _resolved: { terms } }] }, makeExportContext());
  expect(xml).toContain('<subject>Letters--Germany</subject>');
});
