// eadheader → finding-aid properties of the resource.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

describe('readHeader', () => {
  test('keeps several authors, and reports titles and dates that others take the place of', async () => {
    const { resource, report } = await readDocument({
      header:
        '<filedesc><titlestmt><titleproper>A</titleproper><titleproper>B</titleproper><author>One</author><author>Two</author></titlestmt><publicationstmt><date>2001</date><date>2002</date></publicationstmt></filedesc>',
    });
    expect(resource).toMatchObject({
      finding_aid_title: 'B',
      finding_aid_author: 'One; Two',
      finding_aid_date: '2002',
    });
    expect(report.dropped.map((part) => part.text)).toEqual(['A', '2001']);
  });

  test('maps every part the contract names', async () => {
    const header = `<eadid url="https://example.org/1">ms1</eadid>
      <filedesc><titlestmt><titleproper>Guide to the <emph>Papers</emph></titleproper><titleproper type="filing">Papers</titleproper>
      <subtitle>Sub</subtitle><author>A. Author</author><sponsor>S &amp; S</sponsor></titlestmt>
      <editionstmt><edition>2nd</edition></editionstmt><publicationstmt><publisher>Lib</publisher><p><date>2001</date></p></publicationstmt>
      <seriesstmt><p>Series 5</p></seriesstmt><notestmt><note><p>One</p></note><note><p>Two</p></note></notestmt></filedesc>
      <profiledesc><creation>by hand</creation><langusage>In <language langcode="eng" scriptcode="Latn">English</language></langusage>
      <descrules>DACS</descrules></profiledesc>`;
    const { resource, report } = await readDocument(eadWith(header, 'findaidstatus="completed"'));
    expect(resource).toMatchObject({
      ead_id: 'ms1',
      ead_location: 'https://example.org/1',
      finding_aid_title: 'Guide to the <emph>Papers</emph>',
      finding_aid_filing_title: 'Papers',
      finding_aid_subtitle: 'Sub',
      finding_aid_author: 'A. Author',
      finding_aid_sponsor: 'S &amp; S',
      finding_aid_edition_statement: '<edition>2nd</edition>',
      finding_aid_date: '2001',
      finding_aid_series_statement: 'Series 5',
      finding_aid_note: 'One\n\nTwo',
      finding_aid_language: 'eng',
      finding_aid_script: 'Latn',
      finding_aid_language_note: 'In <language langcode="eng" scriptcode="Latn">English</language>',
      finding_aid_description_rules: 'dacs',
      finding_aid_status: 'completed',
    });
    expect(report.dropped.map((part) => part.element)).toEqual(['publisher', 'creation']);
  });

  test('gives language und and script Zyyy without langusage, also for a code that is none', async () => {
    expect((await readDocument({})).resource).toMatchObject({
      finding_aid_language: 'und',
      finding_aid_script: 'Zyyy',
    });
    const { resource, report } = await readDocument({
      header: '<eadid>1</eadid><profiledesc><langusage><language langcode="xx1">X</language></langusage></profiledesc>',
    });
    expect(resource['finding_aid_language']).toBe('und');
    expect(report.dropped).toContainEqual(expect.objectContaining({ element: 'language', text: 'xx1' }));
  });

  test('keeps a num in the title unless it is the identifier an export added', async () => {
    const title = (num: string) =>
      `<eadid>1</eadid><filedesc><titlestmt><titleproper>Guide<num>${num}</num></titleproper></titlestmt></filedesc>`;
    expect((await readDocument({ header: title('42') })).resource['finding_aid_title']).toBe('Guide<num>42</num>');
    expect((await readDocument({ header: title('MS 1') })).resource['finding_aid_title']).toBe('Guide');
  });

  test('makes revision statements, with something in both required halves', async () => {
    const header = `<eadid>1</eadid><revisiondesc><change audience="internal"><date>2001</date><item>A <emph>new</emph> list</item></change>
      <change><item>Undated change</item></change><list><item>Listed</item></list></revisiondesc>`;
    expect((await readDocument({ header })).resource['revision_statements']).toEqual([
      { jsonmodel_type: 'revision_statement', date: '2001', description: 'A <emph>new</emph> list', publish: false },
      { jsonmodel_type: 'revision_statement', date: 'undated', description: 'Undated change', publish: true },
      { jsonmodel_type: 'revision_statement', date: 'undated', description: 'Listed', publish: true },
    ]);
  });

  test('takes the code in brackets of free-text rules, and else the text as a new value', async () => {
    const rules = async (text: string) =>
      (await readDocument({ header: `<profiledesc><descrules>${text}</descrules></profiledesc>` })).resource[
        'finding_aid_description_rules'
      ];
    expect(await rules('Prepared using Describing Archives (DACS)')).toBe('dacs');
    expect(await rules('House rules')).toBe('House rules');
  });
});

function eadWith(header: string, attributes: string): string {
  return `<ead><eadheader ${attributes}>${header}</eadheader><archdesc level="collection"><did><unittitle>P</unittitle><unitid>1</unitid>
    <unitdate>1900</unitdate><physdesc><extent>1 volumes</extent></physdesc></did></archdesc></ead>`;
}
