// Note elements → notes with their sub-notes.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

async function notes(xml: string): Promise<unknown> {
  return (await readDocument({ notes: xml })).resource['notes'];
}

const text = (content: string, publish = true) => ({ jsonmodel_type: 'note_text', content, publish });

describe('readNote', () => {
  test('keeps markup, makes blank lines of p and lb, and blanks of newlines', async () => {
    expect(
      await notes(
        '<bioghist id="b1"><head>Life &amp; work</head><p>Born\nin <emph render="bold">Ulm</emph>.</p>\n<p>A<lb/>B &lt; C</p></bioghist>',
      ),
    ).toEqual([
      {
        jsonmodel_type: 'note_multipart',
        type: 'bioghist',
        label: 'Life &amp; work',
        publish: true,
        persistent_id: 'b1',
        subnotes: [text('Born in <emph render="bold">Ulm</emph>.\n\nA\n\nB &lt; C')],
      },
    ]);
  });

  test('maps every multi-part element to its own type', async () => {
    const types = [
      'accessrestrict',
      'accruals',
      'acqinfo',
      'altformavail',
      'appraisal',
      'arrangement',
      'bioghist',
      'custodhist',
      'fileplan',
      'odd',
      'otherfindaid',
      'originalsloc',
      'phystech',
      'prefercite',
      'processinfo',
      'relatedmaterial',
      'scopecontent',
      'separatedmaterial',
      'userestrict',
    ];
    const found = await notes(types.map((type) => `<${type}><p>x</p></${type}>`).join(''));
    expect(found).toMatchObject(types.map((type) => ({ type })));
  });

  test('is unpublished with its sub-notes where the element is internal', async () => {
    expect(await notes('<odd audience="internal"><p>x</p></odd>')).toMatchObject([
      { publish: false, subnotes: [{ publish: false }] },
    ]);
  });

  test('makes texts of their own of internal paragraphs, which are not published, and of what stands in them', async () => {
    const found = await notes(
      `<odd><p>a</p><p audience="internal">b</p>
      <p audience="internal">c<list><item>1</item></list></p><p>d <emph audience="internal">e</emph></p></odd><odd audience="internal"><p>f</p><p audience="internal">g</p></odd>`,
    );
    expect(found).toMatchObject([
      {
        publish: true,
        subnotes: [
          text('a'),
          text('b\n\nc', false),
          { jsonmodel_type: 'note_orderedlist', publish: false },
          text('d <emph audience="internal">e</emph>'),
        ],
      },
      { publish: false, subnotes: [text('f\n\ng', false)] },
    ]);
  });

  test('parts the text at lists and chronologies, also inside a paragraph', async () => {
    const found =
      await notes(`<scopecontent><p>Before</p><p>In: <list type="ordered" numeration="arabic"><head>H</head><item>1</item></list> after</p>
      <chronlist><chronitem><date>1900</date><event>E</event></chronitem></chronlist><p>End</p></scopecontent>`);
    expect(found).toMatchObject([
      {
        subnotes: [
          text('Before\n\nIn:'),
          { jsonmodel_type: 'note_orderedlist', title: 'H', enumeration: 'arabic', items: ['1'], publish: true },
          text('after'),
          { jsonmodel_type: 'note_chronology', items: [{ event_date: '1900', events: ['E'] }], publish: true },
          text('End'),
        ],
      },
    ]);
  });

  test('makes separate notes of notes inside notes', async () => {
    expect(
      await notes(
        '<accessrestrict><head>A</head><p>x</p><accessrestrict><p>y</p></accessrestrict><legalstatus>public</legalstatus></accessrestrict>',
      ),
    ).toMatchObject([
      { type: 'accessrestrict', label: 'A', subnotes: [text('x')] },
      { type: 'accessrestrict', subnotes: [text('y')] },
      { type: 'legalstatus', subnotes: [text('public')] },
    ]);
  });

  test('keeps xlink attributes under the prefix exports use', async () => {
    const document =
      '<odd xmlns:q="http://www.w3.org/1999/xlink"><p><extref q:href="http://x/?a=1&amp;b=2">x</extref><extptr q:href="y"/></p></odd>';
    expect(await notes(document)).toMatchObject([
      { subnotes: [text('<extref xlink:href="http://x/?a=1&amp;b=2">x</extref><extptr xlink:href="y"/>')] },
    ]);
  });

  test('makes a general note of note, and of a list or chronology outside any note', async () => {
    expect(
      await notes(
        '<note><p>n</p></note><descgrp><list><item>i</item></list></descgrp><chronlist><chronitem><date>1</date><event>e</event></chronitem></chronlist>',
      ),
    ).toMatchObject([
      { type: 'odd', subnotes: [text('n')] },
      { type: 'odd', subnotes: [{ jsonmodel_type: 'note_orderedlist', publish: true }] },
      { type: 'odd', subnotes: [{ jsonmodel_type: 'note_chronology', publish: true }] },
    ]);
  });

  test('has the label of a note without a head', async () => {
    expect(
      await notes('<note label="Old no."><p>x</p></note><note label="L"><head>H</head><p>y</p></note>'),
    ).toMatchObject([
      { type: 'odd', label: 'Old no.' },
      { type: 'odd', label: 'H' },
    ]);
  });

  test('gives the head of a note that only holds others to those without one', async () => {
    const { resource, report } = await readDocument({
      notes:
        '<accessrestrict><head>Law</head><legalstatus>Public</legalstatus><odd><head>Own</head><p>n</p></odd></accessrestrict>',
    });
    expect(resource['notes']).toMatchObject([
      { type: 'legalstatus', label: 'Law', subnotes: [text('Public')] },
      { type: 'odd', label: 'Own' },
    ]);
    expect(report.dropped).toEqual([]);
  });

  test('makes no note of an empty element, and reports a head without text', async () => {
    const { resource, report } = await readDocument({ notes: '<odd/><bioghist><head>Only a head</head></bioghist>' });
    expect(resource['notes']).toBeUndefined();
    expect(report.dropped).toMatchObject([{ element: 'head', text: 'Only a head' }]);
  });
});
