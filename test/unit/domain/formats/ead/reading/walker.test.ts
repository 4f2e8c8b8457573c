// The path through a document: what is refused, what is passed over.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

describe('createWalker', () => {
  test('reads a document as EAD3 by its namespace or its control element', async () => {
    const body = `<archdesc level="fonds"><did><unittitle>T</unittitle><unitid>1</unitid><unitdatestructured><datesingle standarddate="1900">1900</datesingle></unitdatestructured>
      <physdescstructured coverage="whole" physdescstructuredtype="carrier"><quantity>2</quantity><unittype>volumes</unittype></physdescstructured></did></archdesc>`;
    for (const document of [
      `<ead xmlns="http://ead3.archivists.org/schema/"><control><recordid>e1</recordid></control>${body}</ead>`,
      `<ead><control><recordid>e1</recordid></control>${body}</ead>`,
    ]) {
      expect((await readDocument(document)).resource).toMatchObject({
        ead_id: 'e1',
        dates: [{ begin: '1900', date_type: 'single' }],
        extents: [{ number: '2', extent_type: 'volumes' }],
      });
    }
  });

  test('refuses another root element, two descriptions, and none', async () => {
    await expect(readDocument('<eac-cpf/>')).rejects.toThrow(/not EAD: its root element is eac-cpf/);
    await expect(readDocument('<ead><archdesc/><archdesc/></ead>')).rejects.toThrow(/more than one archdesc/);
    await expect(readDocument('<ead><eadheader/></ead>')).rejects.toThrow(/no archdesc/);
  });

  test('passes over the title page and reports it once', async () => {
    const document = `<ead><eadheader/><frontmatter><titlepage><titleproper>T</titleproper></titlepage></frontmatter><archdesc level="fonds"><did>
      <unittitle>T</unittitle><unitid>1</unitid><unitdate>1</unitdate><physdesc><extent>1 volumes</extent></physdesc></did></archdesc></ead>`;
    expect((await readDocument(document)).report.dropped).toMatchObject([
      { element: 'frontmatter', line: 1, text: 'T' },
    ]);
  });

  test('reports unknown elements and stray text where they stand', async () => {
    const { report } = await readDocument({
      dsc: '<head>Contents</head>loose<c level="file"><did><unittitle>T</unittitle></did><thing>x</thing></c>',
    });
    expect(report.dropped.map((part) => [part.element, part.text])).toEqual([
      ['head', 'Contents'],
      ['dsc', 'loose'],
      ['thing', 'x'],
    ]);
  });

  test('reads descgrp, and description without any namespace or under a prefix', async () => {
    const { resource } = await readDocument({
      notes: '<descgrp><head>Admin</head><prefercite><p>Cite</p></prefercite></descgrp>',
    });
    expect(resource['notes']).toMatchObject([{ type: 'prefercite' }]);
    const prefixed = `<e:ead xmlns:e="urn:isbn:1-931666-22-9"><e:archdesc level="fonds"><e:did><e:unittitle>T</e:unittitle><e:unitid>1</e:unitid>
      <e:unitdate>1</e:unitdate><e:physdesc><e:extent>1 volumes</e:extent></e:physdesc></e:did></e:archdesc></e:ead>`;
    expect((await readDocument(prefixed)).resource['title']).toBe('T');
  });

  test('finds the documents in an envelope, one resource for each', async () => {
    const one = (
      id: string,
    ): string => `<ead><eadheader><eadid>${id}</eadid></eadheader><archdesc level="fonds"><did><unittitle>${id}</unittitle><unitid>${id}</unitid>
      <unitdate>1</unitdate><physdesc><extent>1 volumes</extent></physdesc><container type="box">1</container></did><dsc><c level="file"><did><unittitle>Part</unittitle><container type="box">1</container></did></c></dsc></archdesc></ead>`;
    const { of } = await readDocument(`<answer><date>today</date>${one('a')}<more>${one('b')}</more></answer>`);
    expect(of('resource')).toMatchObject([
      { ead_id: 'a', title: 'a' },
      { ead_id: 'b', title: 'b' },
    ]);
    // Box 1 of one collection is not that of the other.
    expect(of('top_container')).toHaveLength(2);
    expect(of('archival_object').map((part) => part['resource'])).toEqual(
      of('resource').map(({ uri }) => ({ ref: uri })),
    );
    await expect(readDocument('<answer><error>none</error></answer>')).rejects.toThrow(
      /not EAD: its root element is answer/,
    );
  });

  test('makes the paragraphs of a group a general note under its head', async () => {
    const { resource, report } = await readDocument({
      notes:
        '<descgrp><head>History</head><p>One</p><p>Two</p><custodhist><p>Given</p></custodhist><p>Three</p></descgrp><descgrp><head>Alone</head></descgrp>',
      dsc: '<head>Contents</head><list><item>A</item></list><c level="file"><did><unittitle>T</unittitle></did></c>',
    });
    expect(resource['notes']).toMatchObject([
      { type: 'odd', label: 'History', subnotes: [{ content: 'One\n\nTwo' }] },
      { type: 'custodhist' },
      { type: 'odd', subnotes: [{ content: 'Three' }] },
      { type: 'odd', label: 'Contents', subnotes: [{ jsonmodel_type: 'note_orderedlist', items: ['A'] }] },
    ]);
    expect(report.dropped).toMatchObject([{ element: 'head', text: 'Alone' }]);
  });

  test('publishes nothing that stands in something internal', async () => {
    const { resource, components, of } = await readDocument({
      did: '<origination audience="internal"><persname>Donor</persname></origination>',
      notes: `<descgrp audience="internal"><p>One</p><descgrp><custodhist audience="external"><p>Two</p></custodhist></descgrp></descgrp>
        <odd audience="internal"><p>Three</p><bibliography><p>Four</p><bibliography><p>Five</p></bibliography></bibliography></odd><odd><p>Six</p></odd>`,
      dsc: '<dsc audience="internal"><c level="file"><did audience="internal"><unittitle>T</unittitle><abstract>A</abstract></did></c></dsc>',
    });
    expect(resource['notes']).toMatchObject([false, false, false, false, false, true].map((publish) => ({ publish })));
    expect(components).toMatchObject([{ publish: false, notes: [{ publish: false }] }]);
    expect(of('agent_person')).toMatchObject([{ publish: false }]);
  });

  test('reads what EAD 1.0 says in its own way', async () => {
    const { resource, components } = await readDocument({
      archdesc: 'level="fonds" langmaterial="fre ger"',
      notes: '<organization><p>By year</p></organization>',
      dsc: '<c level="file" langmaterial="mostly Latin"><did><unittitle>T</unittitle></did></c>',
    });
    expect(resource['lang_materials']).toMatchObject([
      { language_and_script: { language: 'fre' } },
      { language_and_script: { language: 'ger' } },
    ]);
    expect(resource['notes']).toMatchObject([{ type: 'arrangement', subnotes: [{ content: 'By year' }] }]);
    expect(components).toMatchObject([{ lang_materials: [{ notes: [{ content: ['mostly Latin'] }] }] }]);
  });
});
