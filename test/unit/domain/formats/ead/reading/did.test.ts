// did → title, identifiers, languages, and what is left out of it.
import { describe, expect, test } from 'vitest';
import { readComponent, readDocument } from '#test/support/ead-document.ts';

describe('unittitle', () => {
  test('keeps markup, escapes text, drops dates with the comma before them', async () => {
    const { component } = await readComponent(
      '<did><unittitle><title>Faust</title> &amp; co.,\n  <emph><unitdate normal="1901">1901</unitdate></emph></unittitle></did>',
    );
    expect(component['title']).toBe('<title>Faust</title> &amp; co.');
    expect(component['dates']).toEqual([
      { jsonmodel_type: 'date', date_type: 'single', label: 'creation', expression: '1901', begin: '1901' },
    ]);
  });

  test('keeps words apart where only the date between them held a blank', async () => {
    const { resource } = await readDocument({
      did: '<unittitle>Letters.<unitdate> 1901. </unitdate>Bound<unitdate>1902</unitdate></unittitle>',
    });
    expect(resource['title']).toBe('Letters. Bound');
  });

  test('keeps a comma of its own, turns lb into a blank, and keeps further titles as notes', async () => {
    const { component, report } = await readComponent(
      '<did><unittitle>Letters,<lb/>drafts,</unittitle><unittitle>Other</unittitle><unittitle label="Parallel title" audience="internal">Lettres</unittitle></did>',
    );
    expect(component['title']).toBe('Letters, drafts,');
    expect(component['notes']).toMatchObject([
      {
        jsonmodel_type: 'note_multipart',
        type: 'odd',
        label: 'Title',
        subnotes: [{ content: 'Other' }],
        publish: true,
      },
      { type: 'odd', label: 'Parallel title', subnotes: [{ content: 'Lettres' }], publish: false },
    ]);
    expect(report.dropped).toEqual([]);
  });
});

describe('unitid', () => {
  test('gives the resource its identifier whole, and a component its component_id', async () => {
    expect((await readDocument({ did: '<unitid>MS.1/2-3</unitid>' })).resource).toMatchObject({ id_0: 'MS.1/2-3' });
    const { component } = await readComponent(
      '<did><unittitle>T</unittitle><unitid type="call number">1.2</unitid><unitid type="old">x</unitid></did>',
    );
    expect(component['component_id']).toBe('1.2');
    expect(component['external_ids']).toEqual([
      { jsonmodel_type: 'external_id', source: 'call number', external_id: '1.2' },
      { jsonmodel_type: 'external_id', source: 'old', external_id: 'x' },
    ]);
  });

  test('keeps further ones without a type as external ids, by their label', async () => {
    const { component, report } = await readComponent(
      '<did><unittitle>T</unittitle><unitid label="No.">1</unitid><unitid>2</unitid><unitid label="Old number:">3</unitid></did>',
    );
    expect(component['component_id']).toBe('1');
    expect(component['external_ids']).toMatchObject([
      { source: 'unitid', external_id: '2' },
      { source: 'Old number', external_id: '3' },
    ]);
    expect(report.dropped).toMatchObject([{ element: 'unitid', text: 'No.', reason: 'label of unitid' }]);
  });

  test('reads a label with a gap of any length in it', async () => {
    const gap = ' '.repeat(1_000_000);
    const { component } = await readComponent(
      `<did><unittitle>T</unittitle><unitid>1</unitid><unitid label="Old${gap}number :">2</unitid></did>`,
    );
    expect(component['external_ids']).toMatchObject([{ external_id: '2' }]);
  });

  test('reports an address that stands in an identifier without words', async () => {
    const { resource, report } = await readDocument({ did: '<unitid><extptr xlink:href="http://a/1"/>MS 1</unitid>' });
    expect(resource['id_0']).toBe('MS 1');
    expect(report.dropped).toMatchObject([{ element: 'extptr', text: 'http://a/1' }]);
  });

  test('of an internal one is an external id, as long as the record can do without it', async () => {
    const internal = '<unitid audience="internal" type="old" identifier="x1">x1</unitid>';
    const { component } = await readComponent(`<did>${internal}<unittitle>T</unittitle></did>`);
    expect(component['component_id']).toBeUndefined();
    expect(component['external_ids']).toMatchObject([{ source: 'old', external_id: 'x1' }]);
    const idsOf = async (ids: string) => {
      const { id_0: id, external_ids: others } = (await readDocument({ did: ids })).resource;
      return { id, others };
    };
    expect(await idsOf(`${internal}<unitid>MS 1</unitid>`)).toMatchObject({ id: 'MS 1', others: [{ source: 'old' }] });
    expect(await idsOf(internal)).toMatchObject({ id: 'x1', others: [{ source: 'old' }] });
  });

  test('tells of internal dates, containers and extents, which have no mark for it', async () => {
    const did = `<did><unittitle>T</unittitle><unitdate audience="internal">1901</unitdate><unitdate>1902</unitdate>
      <container audience="internal" type="box">7</container><physdesc audience="internal"><extent>2 volumes</extent></physdesc><physdesc audience="internal">large</physdesc></did>`;
    const { report } = await readComponent(did);
    expect(report.dropped.map(({ element, text }) => `${element}: ${text}`)).toEqual([
      'unitdate: 1901',
      'container: 7',
      'physdesc: 2 volumes',
    ]);
    expect((await readDocument({ dsc: `<c level="file" audience="internal">${did}</c>` })).report.dropped).toEqual([]);
  });

  test('never takes the URI an export wrote for an identifier', async () => {
    const { component } = await readComponent(
      '<did><unittitle>T</unittitle><unitid type="aspace_uri">/repositories/2/archival_objects/9</unitid></did>',
    );
    expect(component['component_id']).toBeUndefined();
    expect(component['external_ids']).toMatchObject([{ source: 'aspace_uri' }]);
  });

  test('reads current and previous ARKs from the address in them', async () => {
    const ark = (type: string, href: string) =>
      `<unitid type="${type}"><extref xlink:href="${href}">Archival Resource Key</extref></unitid>`;
    const { resource } = await readDocument({
      did: `<unitid>MS 1</unitid>${ark('ark', 'http://h/ark:/1/a')}${ark('ark-superseded', 'http://h/ark:/1/b')}`,
    });
    expect(resource).toMatchObject({
      id_0: 'MS 1',
      import_current_ark: 'http://h/ark:/1/a',
      import_previous_arks: ['http://h/ark:/1/b'],
    });
    expect(resource['external_ids']).toBeUndefined();
  });

  test('takes no ARK from where none is', async () => {
    const { resource } = await readDocument({
      did: '<unitid>MS 1</unitid><unitid type="ark"> </unitid><unitid type="ark-superseded"/>',
    });
    expect(Object.keys(resource).filter((name) => name.includes('ark'))).toEqual([]);
  });
});

describe('langmaterial', () => {
  test('gives one entry per coded language and the whole text as a note', async () => {
    const { component } =
      await readComponent(`<did><unittitle>T</unittitle><langmaterial id="l1">In <language langcode="ger" scriptcode="Latn">German</language>
      and <language langcode="fre">French</language></langmaterial></did>`);
    expect(component['lang_materials']).toEqual([
      {
        jsonmodel_type: 'lang_material',
        language_and_script: { jsonmodel_type: 'language_and_script', language: 'ger', script: 'Latn' },
      },
      {
        jsonmodel_type: 'lang_material',
        language_and_script: { jsonmodel_type: 'language_and_script', language: 'fre' },
      },
      {
        jsonmodel_type: 'lang_material',
        notes: [
          {
            jsonmodel_type: 'note_langmaterial',
            type: 'langmaterial',
            content: [
              'In <language langcode="ger" scriptcode="Latn">German</language> and <language langcode="fre">French</language>',
            ],
            publish: true,
            persistent_id: 'l1',
          },
        ],
      },
    ]);
  });

  test('gives a resource without a coded language und, and a component nothing', async () => {
    const { resource, components } = await readDocument({
      did: '<langmaterial>English</langmaterial>',
      dsc: '<c level="file"><did><unittitle>T</unittitle></did></c>',
    });
    expect(resource['lang_materials']).toMatchObject([
      { language_and_script: { language: 'und' } },
      { notes: [{ content: ['English'] }] },
    ]);
    expect(components[0]?.['lang_materials']).toBeUndefined();
  });
});

describe('other parts of did', () => {
  test('become notes or are reported, never silently lost', async () => {
    const { component, report } =
      await readComponent(`<did><head>Unit</head><unittitle>T</unittitle><physloc id="p">Shelf <emph>9</emph></physloc>
      <abstract label="Summary"><head>H</head>About</abstract><note><p>See also</p></note><repository><corpname>Lib</corpname></repository>stray</did>`);
    expect(component['notes']).toEqual([
      {
        jsonmodel_type: 'note_singlepart',
        type: 'physloc',
        content: ['Shelf <emph>9</emph>'],
        publish: true,
        persistent_id: 'p',
      },
      { jsonmodel_type: 'note_singlepart', type: 'abstract', label: 'Summary', content: ['About'], publish: true },
      {
        jsonmodel_type: 'note_multipart',
        type: 'odd',
        subnotes: [{ jsonmodel_type: 'note_text', content: 'See also', publish: true }],
        publish: true,
      },
    ]);
    expect(report.dropped.map((part) => [part.element, part.text])).toEqual([
      ['head', 'Unit'],
      ['head', 'H'],
      ['repository', 'Lib'],
      ['did', 'stray'],
    ]);
  });

  test('keep their labels where they become notes; of others each label is told once', async () => {
    const dsc = (n: number) =>
      `<c level="file"><did><unittitle label="Title">T${n}</unittitle><unitdate label="Dates">190${n}</unitdate>
        <langmaterial label="Languages">Latin</langmaterial><physdesc label="Size">large</physdesc><physdesc label="Amount"><extent>2 volumes</extent></physdesc>
        <physdesc label="Look"><physfacet>blue</physfacet></physdesc>
        <origination label="Author"><persname>A</persname></origination><origination label="Creator:"><persname>B</persname></origination></did></c>`;
    const { components, report } = await readDocument({ dsc: dsc(1) + dsc(2) });
    expect(components[0]).toMatchObject({
      notes: [
        { type: 'physdesc', label: 'Size', content: ['large'] },
        { type: 'physfacet', label: 'Look', content: ['blue'] },
      ],
      lang_materials: [{ notes: [{ label: 'Languages', content: ['Latin'] }] }],
    });
    expect(report.dropped.map(({ element, text }) => [element, text])).toEqual([
      ['unittitle', 'Title'],
      ['unitdate', 'Dates'],
      ['physdesc', 'Amount'],
      ['origination', 'Author'],
    ]);
  });
});

test.each([
  ['an identifier', '<unitid/><unitid type="old"> </unitid>'],
  ['a date', '<unitdate/><unitdate> </unitdate>'],
  [
    'an extent',
    '<physdesc/><physdesc><extent/></physdesc><physdesc><extent> </extent><physfacet/><dimensions/></physdesc>',
  ],
  [
    'a creator',
    '<origination/><origination><persname/></origination><origination><corpname> </corpname></origination>',
  ],
  ['a language', '<langmaterial/><langmaterial><language/></langmaterial>'],
  ['a container', '<container/><container type="box"> </container>'],
  ['a note', '<abstract/><physloc> </physloc><materialspec/><note/><note><p> </p></note>'],
  ['a repository', '<repository/><repository><corpname/></repository>'],
])('%s without words is none', async (_, elements) => {
  const title = '<unittitle>T</unittitle>';
  const [blank, bare] = [`${title}${elements}`, title].map((did) => readComponent(`<did>${did}</did>`));
  expect((await blank)?.component).toEqual((await bare)?.component);
});
