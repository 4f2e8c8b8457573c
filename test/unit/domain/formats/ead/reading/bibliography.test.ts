// bibliography and index → their notes.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

async function notes(xml: string): Promise<unknown> {
  return (await readDocument({ notes: xml })).resource['notes'];
}

test('makes a bibliography of head, paragraphs and references, and a note of its own of a nested one', async () => {
  expect(
    await notes(
      '<bibliography id="b"><head>Books</head><p>Read.</p><bibref><title>T</title> 1900</bibref><archref>X</archref><bibliography><bibref>N</bibref></bibliography></bibliography>',
    ),
  ).toEqual([
    {
      jsonmodel_type: 'note_bibliography',
      label: 'Books',
      content: ['Read.', '<archref>X</archref>'],
      items: ['<title>T</title> 1900'],
      publish: true,
      persistent_id: 'b',
    },
    { jsonmodel_type: 'note_bibliography', content: [], items: ['N'], publish: true },
  ]);
});

test('tells the addresses that items have no place for', async () => {
  const { report } = await readDocument({
    notes:
      '<bibliography><bibref href="http://a.example/b">Book</bibref></bibliography><index><indexentry><name>A</name><ref href="http://a.example/i">there</ref></indexentry></index>',
  });
  expect(report.dropped.map(({ element, text }) => `${element}: ${text}`)).toEqual([
    'bibref: http://a.example/b',
    'ref: http://a.example/i',
  ]);
});

describe('readIndex', () => {
  test('gives an item per name with its type and reference', async () => {
    expect(
      await notes(`<index><head>Names</head><p>All.</p><indexentry><persname>A</persname><ref target="r1">see A</ref></indexentry>
      <indexentry><namegrp><geogname>G</geogname><genreform>F</genreform></namegrp><ref target="r2"/></indexentry></index>`),
    ).toEqual([
      {
        jsonmodel_type: 'note_index',
        label: 'Names',
        content: ['All.'],
        publish: true,
        items: [
          { jsonmodel_type: 'note_index_item', type: 'person', value: 'A', reference: 'r1', reference_text: 'see A' },
          { jsonmodel_type: 'note_index_item', type: 'geographic_name', value: 'G', reference: 'r2' },
          { jsonmodel_type: 'note_index_item', type: 'genre_form', value: 'F', reference: 'r2' },
        ],
      },
    ]);
  });

  test('reports what it cannot place', async () => {
    const { report } = await readDocument({
      notes: '<index><indexentry><ref target="r">lonely</ref></indexentry></index>',
    });
    expect(report.dropped).toMatchObject([{ element: 'ref', text: 'lonely' }]);
  });
});
