// physdesc → extents and notes.
import { describe, expect, test } from 'vitest';
import { readComponent, readDocument } from '#test/support/ead-document.ts';

async function read(xml: string) {
  return (await readComponent(`<did><unittitle>T</unittitle>${xml}</did>`)).component;
}

describe('readPhysdesc', () => {
  test('makes an extent of the first extent that starts with a number', async () => {
    const component =
      await read(`<physdesc altrender="part"><extent>2.5 Linear Feet</extent><extent>5 boxes</extent><extent>1 roll</extent>
      <physfacet>ink</physfacet><physfacet>pencil</physfacet><dimensions>20 cm</dimensions></physdesc>`);
    expect(component['extents']).toEqual([
      {
        jsonmodel_type: 'extent',
        portion: 'part',
        number: '2.5',
        extent_type: 'linear_feet',
        container_summary: '5 boxes; 1 roll',
        physical_details: 'ink; pencil',
        dimensions: '20 cm',
      },
    ]);
    expect(component['notes']).toBeUndefined();
  });

  test('keeps units of sizes that stand in attributes, and several sizes apart', async () => {
    const sizes =
      '<dimensions unit="cm">20 x 30</dimensions><dimensions unit="cm">5 cm</dimensions><dimensions><dimensions unit="in">10</dimensions><dimensions unit="in">8</dimensions></dimensions>';
    const { extents } = await read(`<physdesc><extent>2 volumes</extent>${sizes}</physdesc>`);
    expect(extents).toMatchObject([{ dimensions: '20 x 30 cm; 5 cm; 10 in 8 in' }]);
    expect((await read('<physdesc><dimensions unit="cm">20 x 30</dimensions></physdesc>'))['notes']).toMatchObject([
      { type: 'dimensions', subnotes: [{ content: '20 x 30 cm' }] },
    ]);
  });

  test('keeps the lines of a text apart', async () => {
    expect((await read('<physdesc label="L">Two albums<lb/>One roll</physdesc>'))['notes']).toMatchObject([
      { label: 'L', content: ['Two albums\n\nOne roll'] },
    ]);
  });

  test.each([
    ['2,5 ml', '2.5', 'ml'],
    ['1 1/2 linear feet', '1.5', 'linear_feet'],
    ['1/2 linear feet', '0.5', 'linear_feet'],
    ['3½ linear feet', '3.5', 'linear_feet'],
    ['1,200.5 volumes', '1200.5', 'volumes'],
    ['1 000 photographs', '1000', 'photographs'],
    ['12\u202f500 photographs', '12500', 'photographs'],
    ["1'000 photographs", '1000', 'photographs'],
  ])('reads the number of %s', async (text, number, type) => {
    expect((await read(`<physdesc><extent>${text}</extent></physdesc>`))['extents']).toMatchObject([
      { number, extent_type: type },
    ]);
  });

  test('takes the unit of a bare number from its attribute, and counts no sizes', async () => {
    expect((await read('<physdesc><extent unit="linear feet">5</extent></physdesc>'))['extents']).toMatchObject([
      { number: '5', extent_type: 'linear_feet' },
    ]);
    expect((await read('<physdesc><extent unit="items">1 000</extent></physdesc>'))['extents']).toMatchObject([
      { number: '1000', extent_type: 'items' },
    ]);
    const sized = await read('<physdesc><extent>5 x 7 inches</extent></physdesc>');
    expect([sized['extents'], sized['notes']]).toMatchObject([undefined, [{ content: ['5 x 7 inches'] }]]);
  });

  test('publishes nothing of an internal statement', async () => {
    const { notes } = await read(
      '<physdesc audience="internal"><dimensions>1 m</dimensions><physfacet>ink</physfacet><extent>few</extent></physdesc>',
    );
    expect(notes).toMatchObject([
      { type: 'physdesc', publish: false },
      { type: 'physfacet', publish: false },
      { type: 'dimensions', publish: false, subnotes: [{ publish: false }] },
    ]);
  });

  test('keeps the unit of a further number in the container summary', async () => {
    const { resource } = await readDocument({
      did: '<physdesc><extent>2 volumes</extent><extent type="digitised">7</extent></physdesc>',
    });
    expect(resource['extents']).toMatchObject([
      { number: '2', extent_type: 'volumes', container_summary: '7 digitised' },
    ]);
  });

  test('keeps an unknown type as it stands and takes separators out of numbers', async () => {
    expect((await read('<physdesc><extent>1,200 glass plates</extent></physdesc>'))['extents']).toMatchObject([
      { number: '1200', extent_type: 'glass plates', portion: 'whole' },
    ]);
  });

  test('makes a note of what is longer than a type of extent can be', async () => {
    const long = `3 boxes ${'of letters '.repeat(25)}`.trim();
    const component = await read(`<physdesc><extent>${long}</extent></physdesc>`);
    expect(component['extents']).toBeUndefined();
    expect(component['notes']).toMatchObject([{ type: 'physdesc', content: [long] }]);
  });

  test('makes notes where no extent starts with a number', async () => {
    const component = await read(
      `<physdesc><extent>several boxes</extent><physfacet label="Tone">sepia</physfacet>
      <dimensions label="Size">large</dimensions></physdesc>`,
    );
    expect(component['extents']).toBeUndefined();
    expect(component['notes']).toMatchObject([
      { jsonmodel_type: 'note_singlepart', type: 'physdesc', content: ['several boxes'] },
      { jsonmodel_type: 'note_singlepart', type: 'physfacet', label: 'Tone', content: ['sepia'] },
      { jsonmodel_type: 'note_multipart', type: 'dimensions', label: 'Size', subnotes: [{ content: 'large' }] },
    ]);
  });

  test('tells of the labels of what becomes part of an extent, which has none', async () => {
    const { report } = await readComponent(
      '<did><unittitle>T</unittitle><physdesc><extent>3 volumes</extent><dimensions label="Size">20 cm</dimensions></physdesc></did>',
    );
    expect(report.dropped).toMatchObject([{ element: 'dimensions', text: 'Size' }]);
  });

  test('makes a note of plain text, of other elements, and of text between the parts', async () => {
    expect((await read('<physdesc id="x" audience="internal">3 folders</physdesc>'))['notes']).toEqual([
      {
        jsonmodel_type: 'note_singlepart',
        type: 'physdesc',
        content: ['3 folders'],
        publish: false,
        persistent_id: 'x',
      },
    ]);
    const component = await read('<physdesc>about <extent>3 volumes</extent><genreform>diaries</genreform></physdesc>');
    expect(component['notes']).toMatchObject([
      { content: ['genreform: diaries'] },
      { content: ['about 3 volumes diaries'] },
    ]);
    expect(component['extents']).toHaveLength(1);
  });

  test.each([
    ['ca. <extent>5 linear feet</extent>', 'ca. 5 linear feet'],
    [
      '<extent>5 linear feet</extent> in <extent>12 boxes</extent>; <extent>3 oversize folders</extent>',
      '5 linear feet in 12 boxes; 3 oversize folders',
    ],
    [
      'Overall <extent>5 linear feet</extent>, including <physfacet>maps &amp; plans</physfacet> and <extent unit="boxes">12</extent>.',
      'Overall 5 linear feet, including maps &amp; plans and 12 boxes.',
    ],
    ['<extent>5 linear feet</extent> (approximately)', '5 linear feet (approximately)'],
    ['<extent>5 linear feet</extent>. Offsite', '5 linear feet. Offsite'],
    ['<extent>5 linear feet</extent>. Stored offsite.', 'Stored offsite.'],
    ['<extent>5 linear feet.</extent><lb/>Stored in X &lt; Y.', 'Stored in X &lt; Y.'],
    ['Total <extent>5 linear feet</extent>. Stored offsite.', 'Total 5 linear feet. Stored offsite.'],
    ['Bound<lb/>and loose: <extent>5 linear feet</extent>', 'Bound and loose: 5 linear feet'],
  ])('makes no note of scraps, but of sentences and the whole: %s', async (xml, note) => {
    const component = await read(`<physdesc>${xml}</physdesc>`);
    expect(component['extents']).toMatchObject([{ number: '5' }]);
    expect(component['notes']).toMatchObject([
      { jsonmodel_type: 'note_singlepart', type: 'physdesc', content: [note] },
    ]);
  });

  test('reports punctuation it leaves out', async () => {
    const { report } = await readComponent(
      '<did><unittitle>T</unittitle><physdesc>(<extent>3 volumes</extent>)</physdesc></did>',
    );
    expect(report.dropped).toMatchObject([{ element: 'physdesc', text: '()' }]);
  });
});

describe('extentFromPlainText', () => {
  test('serves a resource whose physdesc has no markup', async () => {
    const { resource } =
      await readDocument(`<ead><eadheader><eadid>1</eadid></eadheader><archdesc level="collection"><did><unittitle>P</unittitle>
      <unitid>1</unitid><unitdate>1900</unitdate><physdesc>10.2 linear feet (8 boxes)</physdesc></did></archdesc></ead>`);
    expect(resource['extents']).toEqual([
      {
        jsonmodel_type: 'extent',
        portion: 'whole',
        number: '10.2',
        extent_type: 'linear_feet',
        container_summary: '8 boxes',
      },
    ]);
    expect(resource['notes']).toMatchObject([{ type: 'physdesc' }]);
  });
});
