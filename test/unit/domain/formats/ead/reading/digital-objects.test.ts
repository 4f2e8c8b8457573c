// dao and daogrp → digital objects with instances.
import { describe, expect, test } from 'vitest';
import { readComponent, readDocument, testOptions } from '#test/support/ead-document.ts';

describe('readDigitalObjects', () => {
  test('makes a digital object with one file version of a dao, in the did or after it', async () => {
    const { component, of } =
      await readComponent(`<did><dao xlink:href="http://x/1" xlink:title="Scan" xlink:actuate="onrequest" xlink:show="new" xlink:role="image-service"
      audience="internal"><daodesc><p>A scan</p></daodesc></dao><unittitle>T</unittitle></did><dao href="http://x/2"/>`);
    const [first, second] = of('digital_object');
    expect(first).toEqual({
      jsonmodel_type: 'digital_object',
      uri: first?.uri,
      digital_object_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
      title: 'Scan',
      publish: false,
      file_versions: [
        {
          jsonmodel_type: 'file_version',
          file_uri: 'http://x/1',
          publish: false,
          use_statement: 'image-service',
          xlink_actuate_attribute: 'onRequest',
          xlink_show_attribute: 'new',
        },
      ],
      notes: [{ jsonmodel_type: 'note_digital_object', type: 'note', content: ['A scan'], publish: true }],
    });
    expect(second).toMatchObject({ title: 'T Digital Object', publish: true });
    expect(component['instances']).toEqual(
      [first, second].map((object) => ({
        jsonmodel_type: 'instance',
        instance_type: 'digital_object',
        digital_object: { ref: object?.uri },
      })),
    );
  });

  test('makes nothing of an empty dao or daogrp without attributes, and says so', async () => {
    const { component, of, report } = await readComponent(
      '<did audience="internal"><unittitle>T</unittitle><dao/><daogrp></daogrp></did><dao/><dao title="Scan"/>',
    );
    expect(of('digital_object')).toMatchObject([{ title: 'Scan' }]);
    expect(component['instances']).toHaveLength(1);
    expect(report.dropped.map((part) => part.element)).toEqual(['dao', 'daogrp', 'dao', 'dao']);
  });

  test('merges arcs into the locations of a group', async () => {
    const { of } =
      await readComponent(`<did><unittitle>T</unittitle><unitdate>1900</unitdate><daogrp><daodesc><p>Pages</p></daodesc>
      <daoloc xlink:label="a" xlink:href="http://x/1" xlink:title="Page 1" audience="internal"/><daoloc xlink:label="b" xlink:href="http://x/2"/>
      <arc xlink:to="b" xlink:show="embed" xlink:actuate="onload"/></daogrp></did>`);
    expect(of('digital_object')).toMatchObject([
      {
        title: 'T, 1900 Digital Object',
        file_versions: [
          { file_uri: 'http://x/1', caption: 'Page 1', publish: false },
          { file_uri: 'http://x/2', publish: true, xlink_show_attribute: 'embed', xlink_actuate_attribute: 'onLoad' },
        ],
        notes: [{ content: ['Pages'] }],
      },
    ]);
  });

  test('keeps what is said of the files of a group: captions of files, heads of notes', async () => {
    const { of, report } = await readComponent(`<did><unittitle>T</unittitle><daogrp>
      <daodesc><head>About</head><p>All pages</p></daodesc>
      <daoloc href="http://x/1"><daodesc><p>Page <emph>1</emph></p></daodesc></daoloc>
      <daoloc href="http://x/2" title="Page 2"><daodesc><p>The second</p></daodesc></daoloc></daogrp></did>`);
    expect(of('digital_object')).toMatchObject([
      {
        file_versions: [{ caption: 'Page 1' }, { caption: 'Page 2' }],
        notes: [
          { label: 'About', content: ['All pages'] },
          { content: ['Page <emph>1</emph>'] },
          { content: ['The second'] },
        ],
      },
    ]);
    expect(report.dropped).toEqual([]);
  });

  test('recognises the mark exports put on the representative instance', async () => {
    const { component, of } = await readComponent(
      '<did><unittitle>T</unittitle><dao href="u" role="image-service representative"/></did>',
    );
    expect(component['instances']).toMatchObject([{ is_representative: true }]);
    expect(of('digital_object')).toMatchObject([{ file_versions: [{ use_statement: 'image-service' }] }]);
  });

  test('has the type that exports of EAD3 write with its files', async () => {
    const isEnumerationValue = (list: string, value: string): boolean =>
      list === 'digital_object_digital_object_type'
        ? value === 'still_image'
        : testOptions.isEnumerationValue(list, value);
    const { of, report } = await readComponent(
      `<did><unittitle>T</unittitle><dao href="u" daotype="otherdaotype" otherdaotype="still_image"/>
      <daogrp><daoloc href="v" otherdaotype="still_image"/><daoloc href="w" otherdaotype="still_image"/></daogrp><dao href="x" otherdaotype="pamphlet"/></did>`,
      { isEnumerationValue },
    );
    expect(of('digital_object').map((object) => object['digital_object_type'])).toEqual([
      'still_image',
      'still_image',
      undefined,
    ]);
    expect(report.dropped).toMatchObject([{ element: 'dao', text: 'pamphlet' }]);
  });

  test('reports a missing address and unknown link behaviour', async () => {
    const { report, of } = await readComponent(
      '<did><unittitle>T</unittitle><dao entityref="logo"/><dao href="u" show="sideways"/></did>',
    );
    expect(report.dropped.map((part) => part.reason)).toEqual([
      'digital object without an address',
      expect.stringContaining('show is not in the list'),
    ]);
    expect(of('digital_object')).toHaveLength(2);
  });

  test('reports what stands in it and is no description', async () => {
    const { report } = await readComponent(
      '<did><unittitle>T</unittitle><dao href="u">Loose<title>Strange</title></dao><daogrp><resource label="a">Start</resource><daoloc href="v"/><ptr/>More</daogrp></did>',
    );
    expect(report.dropped.map(({ element, text, reason }) => `${element}: ${text}: ${reason}`)).toEqual([
      'dao: Loose: text of dao outside a daodesc',
      'title: Strange: not imported inside dao',
      'resource: Start: not imported inside daogrp',
      'daogrp: More: text of daogrp outside a daodesc',
    ]);
  });

  test('gives the same identifiers in every reading of the same import, and others in another', async () => {
    const read = async (importId: string) =>
      (await readDocument({ notes: '<dao href="u"/>' }, { importId }))
        .of('digital_object')
        .map((object) => object['digital_object_id']);
    expect(await read('ab')).toEqual(await read('ab'));
    expect(await read('ab')).not.toEqual(await read('ac'));
  });
});
