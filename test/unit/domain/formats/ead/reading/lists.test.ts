// list and chronlist → sub-notes.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

async function subnotes(xml: string): Promise<unknown> {
  const { resource } = await readDocument({ notes: `<odd>${xml}</odd>` });
  const [note] = Array.isArray(resource['notes']) ? resource['notes'] : [];
  return note?.subnotes;
}

describe('listSubnotes', () => {
  test('reads ordered, simple and marked lists alike, with numeration where it is known', async () => {
    expect(
      await subnotes(
        '<list type="simple"><item>a <emph>b</emph></item><item><list><item>deep</item></list></item><item/></list>',
      ),
    ).toEqual([
      {
        jsonmodel_type: 'note_orderedlist',
        items: ['a <emph>b</emph>', '<list><item>deep</item></list>'],
        publish: true,
      },
    ]);
    const { report } = await readDocument({
      notes: '<odd><list type="ordered" numeration="greek"><item>a</item></list></odd>',
    });
    expect(report.dropped).toMatchObject([{ element: 'list', text: 'greek' }]);
  });

  test('tells of what stands in a list beside its items', async () => {
    const { report } = await readDocument({
      notes: '<odd><list><head>Kept</head>loose <item>a</item><listhead><head01>No.</head01></listhead></list></odd>',
    });
    expect(report.dropped.map(({ text }) => text)).toEqual(['loose', 'No.']);
  });

  test('reads definition lists, with a dash for a missing half', async () => {
    expect(
      await subnotes(
        '<list type="deflist"><listhead><head01>x</head01></listhead><defitem><label>L</label><item>V</item></defitem><defitem><label>M</label></defitem></list>',
      ),
    ).toEqual([
      {
        jsonmodel_type: 'note_definedlist',
        items: [
          { label: 'L', value: 'V' },
          { label: 'M', value: '–' },
        ],
        publish: true,
      },
    ]);
  });

  test('reads chronologies with grouped events', async () => {
    const chronlist = `<chronlist audience="internal"><head>Years</head><listhead><head01>When</head01></listhead>
      <chronitem><date>1900</date><eventgrp><event>A</event><event>B</event></eventgrp></chronitem><chronitem><event>C</event></chronitem></chronlist>`;
    expect(await subnotes(chronlist)).toEqual([
      {
        jsonmodel_type: 'note_chronology',
        title: 'Years',
        items: [{ event_date: '1900', events: ['A', 'B'] }, { events: ['C'] }],
        publish: false,
      },
    ]);
    const { report } = await readDocument({ notes: `<odd>${chronlist}</odd>` });
    expect(report.dropped).toMatchObject([{ element: 'listhead', text: 'When' }]);
  });

  test('takes an event that names a place and nothing else for the place of the others', async () => {
    const place = (events: string): string => `<chronitem><date>1900</date><eventgrp>${events}</eventgrp></chronitem>`;
    const xml = `<chronlist>${place('<event> <geogname>Rome</geogname> </event><event>Lived</event>')}${place(
      '<event><geogname>Rome</geogname> fell</event>',
    )}${place('<event><geogname source="tgn">Rome</geogname></event>')}${place(
      `<event><geogname>${'x'.repeat(256)}</geogname></event>`,
    )}</chronlist>`;
    expect(await subnotes(xml)).toMatchObject([
      {
        items: [
          { event_date: '1900', place: 'Rome', events: ['Lived'] },
          { events: ['<geogname>Rome</geogname> fell'] },
          { events: ['<geogname source="tgn">Rome</geogname>'] },
          { events: [`<geogname>${'x'.repeat(256)}</geogname>`] },
        ],
      },
    ]);
  });

  test('makes nothing of a list that says nothing', async () => {
    const { resource } = await readDocument({
      notes:
        '<odd><list><item/></list></odd><odd><list type="deflist"><defitem><label/><item/></defitem></list></odd><odd><chronlist><chronitem><date/><event/></chronitem></chronlist></odd>',
    });
    expect(resource['notes']).toBeUndefined();
  });
});
