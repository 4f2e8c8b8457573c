// EAD3 documents through the whole reader: what differs from EAD 2002 lands where its EAD 2002 form would.
import { describe, expect, test } from 'vitest';
import { readDocument } from '#test/support/ead-document.ts';

const whole = (parts: {
  readonly control?: string;
  readonly did?: string;
  readonly more?: string;
}): string => `<ead xmlns="http://ead3.archivists.org/schema/">
  <control><recordid instanceurl="http://example.org/e">e3</recordid>${parts.control ?? ''}</control>
  <archdesc level="collection"><did><unittitle>Papers</unittitle><unitid>MS 1</unitid>${parts.did ?? '<unitdate>undated</unitdate><physdesc>3 boxes</physdesc>'}</did>${parts.more ?? ''}</archdesc></ead>`;
const extent = '<physdesc>3 boxes</physdesc>';

describe('EAD3 dates', () => {
  test('a range takes its standard form, a set gives a date each', async () => {
    const { resource } = await readDocument(
      whole({
        did: `${extent}<unitdatestructured unitdatetype="bulk" certainty="approximate"><daterange><fromdate standarddate="1909-02">Feb 1909</fromdate><todate standarddate="1935">1935</todate></daterange></unitdatestructured>
      <unitdatestructured><dateset><datesingle standarddate="1940">1940</datesingle><datesingle notbefore="1950" notafter="1952">about 1951</datesingle></dateset></unitdatestructured>`,
      }),
    );
    expect(resource['dates']).toMatchObject([
      { date_type: 'bulk', expression: 'Feb 1909-1935', begin: '1909-02', end: '1935', certainty: 'approximate' },
      { date_type: 'single', expression: '1940', begin: '1940' },
      { date_type: 'inclusive', expression: 'about 1951', begin: '1950', end: '1952' },
    ]);
  });

  test('a local type of a date is no type of it', async () => {
    const { resource } = await readDocument(
      whole({
        did: `${extent}<unitdate unitdatetype="bulk" localtype="created">1914</unitdate><unitdate localtype="copied">1950</unitdate>`,
      }),
    );
    expect(resource['dates']).toMatchObject([{ date_type: 'bulk' }, { date_type: 'single' }]);
  });

  test('a structured date that says to be of another sort than the text before it is a date of its own', async () => {
    const bulk = (kind: string): string =>
      `<unitdatestructured ${kind}><daterange><fromdate>1910</fromdate><todate>1920</todate></daterange></unitdatestructured>`;
    const datesOf = async (plain: string, structured: string) => {
      const did = `${extent}<unitdate ${plain}>1900-1950 (bulk 1910-1920)</unitdate>${bulk(structured)}`;
      return (await readDocument(whole({ did }))).resource['dates'];
    };
    const both = [
      { date_type: 'inclusive', expression: '1900-1950 (bulk 1910-1920)' },
      { date_type: 'bulk', begin: '1910', end: '1920' },
    ];
    expect(await datesOf('unitdatetype="inclusive"', 'unitdatetype="bulk"')).toMatchObject(both);
    expect(await datesOf('datechar="creation"', 'datechar="publication"')).toHaveLength(2);
    expect(await datesOf('', 'unitdatetype="bulk"')).toHaveLength(1);
  });

  test('a date given as text and structured right after it is one date', async () => {
    const { resource } = await readDocument(
      whole({
        did: `${extent}<unitdate>1914, 1931-2004</unitdate><unitdatestructured><daterange><fromdate>1914</fromdate><todate>2004</todate></daterange></unitdatestructured>`,
      }),
    );
    expect(resource['dates']).toEqual([
      {
        jsonmodel_type: 'date',
        date_type: 'inclusive',
        label: 'creation',
        expression: '1914, 1931-2004',
        begin: '1914',
        end: '2004',
      },
    ]);
  });

  test('a range and the plain date that own exports write after it are one date, whatever the words', async () => {
    const attributes = 'era="ce" datechar="creation" unitdatetype="inclusive"';
    const range = `<unitdatestructured ${attributes}><daterange><fromdate standarddate="1200">1200</fromdate><todate standarddate="1899">1899</todate></daterange></unitdatestructured>`;
    const dates = async (after: string): Promise<unknown> =>
      (await readDocument(whole({ did: `${extent}${range}${after}` }))).resource['dates'];
    expect(await dates(`<unitdate ${attributes}>thirteenth century on</unitdate>`)).toMatchObject([
      { expression: 'thirteenth century on', begin: '1200', end: '1899', date_type: 'inclusive', era: 'ce' },
    ]);
    expect(await dates('<unitdate datechar="copied">thirteenth century on</unitdate>')).toHaveLength(2);
    expect(await dates(`<unitdate ${attributes}>undated</unitdate>`)).toHaveLength(2);
  });

  test('a range of which only one end is known keeps that end and the words of both', async () => {
    const range = (ends: string): string => `<unitdatestructured><daterange>${ends}</daterange></unitdatestructured>`;
    const { resource, report } = await readDocument(
      whole({
        did: `${extent}${range('<todate standarddate="1850"/>')}${range('<todate standarddate="1851">before 1852</todate>')}${range(
          '<fromdate>unknown</fromdate><todate standarddate="1960"/>',
        )}${range('<fromdate/><todate>1970</todate>')}${range('<fromdate>1980</fromdate><todate>now</todate>')}`,
      }),
    );
    expect(resource['dates']).toMatchObject([
      { date_type: 'inclusive', end: '1850' },
      { date_type: 'inclusive', end: '1851', expression: 'before 1852' },
      { date_type: 'inclusive', end: '1960', expression: 'unknown-1960' },
      { date_type: 'inclusive', end: '1970' },
      { date_type: 'single', begin: '1980', expression: '1980-now' },
    ]);
    expect(report.dropped).toEqual([]);
  });

  test('what stands beside the dates of a structured one is told', async () => {
    const { resource, report } = await readDocument(
      whole({
        did: `${extent}<unitdatestructured>about <datesingle>1900</datesingle><container>12</container><dateset><daterange><fromdate>1910</fromdate> or <todate>1920</todate><note>?</note></daterange><subject>War</subject></dateset></unitdatestructured>
          <unitdate>1930-1931</unitdate><unitdatestructured>yes<daterange><fromdate>1930</fromdate><todate>1931</todate></daterange></unitdatestructured>`,
      }),
    );
    expect(resource['dates']).toMatchObject([
      { begin: '1900' },
      { begin: '1910', end: '1920' },
      { begin: '1930', end: '1931' },
    ]);
    expect(report.dropped.map(({ element, text }) => [element, text]).toSorted()).toEqual([
      ['container', '12'],
      ['daterange', 'or'],
      ['note', '?'],
      ['subject', 'War'],
      ['unitdatestructured', 'about'],
      ['unitdatestructured', 'yes'],
    ]);
  });

  test('a range whose words are its standard form has no expression', async () => {
    const { resource } = await readDocument(
      whole({
        did: `${extent}<unitdatestructured><daterange><fromdate standarddate="1900">1900</fromdate><todate standarddate="1910">1910</todate></daterange></unitdatestructured>`,
      }),
    );
    expect(resource['dates']).toEqual([
      { jsonmodel_type: 'date', date_type: 'inclusive', label: 'creation', begin: '1900', end: '1910' },
    ]);
  });
});

describe('EAD3 extents', () => {
  test('quantity and unit are an extent, several statements are several', async () => {
    const { resource, report } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate><physdescset><physdescstructured coverage="part" physdescstructuredtype="carrier"><quantity>4</quantity><unittype>boxes</unittype><physfacet>steel</physfacet><descriptivenote><p>and an oversize one</p></descriptivenote></physdescstructured>
      <physdescstructured coverage="whole" physdescstructuredtype="spaceoccupied"><quantity approximate="true">6</quantity><unittype>Linear Feet</unittype></physdescstructured></physdescset>`,
      }),
    );
    expect(report.dropped).toMatchObject([{ element: 'quantity', text: '6' }]);
    expect(resource['extents']).toMatchObject([
      {
        portion: 'part',
        number: '4',
        extent_type: 'boxes',
        physical_details: 'steel',
        container_summary: 'and an oversize one',
      },
      { portion: 'whole', number: '6', extent_type: 'linear_feet' },
    ]);
  });

  test('what own exports write beside an extent goes back to where it was', async () => {
    const { resource } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate><physdescstructured coverage="whole" physdescstructuredtype="spaceoccupied"><quantity>6</quantity><unittype>boxes</unittype></physdescstructured>
      <physdesc localtype="container_summary">five large</physdesc><physdesc localtype="dimensions">30 cm</physdesc><physdesc localtype="physfacet">gilt</physdesc>`,
      }),
    );
    expect(resource['extents']).toMatchObject([{ number: '6', extent_type: 'boxes', container_summary: 'five large' }]);
    expect(resource['notes']).toMatchObject([
      { type: 'dimensions', subnotes: [{ content: '30 cm' }] },
      { type: 'physfacet', content: ['gilt'] },
    ]);
  });

  test('a description that counts nothing is the collection itself, and is reported', async () => {
    const { resource, report } = await readDocument(
      whole({ did: '<unitdate>1</unitdate><physdesc>some boxes</physdesc>' }),
    );
    expect(resource['extents']).toMatchObject([{ number: '1', extent_type: 'collection' }]);
    expect(resource['notes']).toMatchObject([{ type: 'physdesc', content: ['some boxes'] }]);
    expect(report.dropped).toMatchObject([{ element: 'archdesc', reason: expect.stringContaining('stands in') }]);
  });
});

describe('EAD3 headings', () => {
  test('parts of a name become its properties', async () => {
    const { records } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate>${extent}<origination><persname source="naf" relator="cre" identifier="n1"><part localtype="surname">Bell</part><part localtype="forename">Richard C.</part><part localtype="existDates">1928-</part></persname>
      <corpname><part localtype="primaryPart">State University</part><part localtype="secondaryPart">Libraries</part></corpname><famname><part>Roe family</part></famname></origination>`,
      }),
    );
    expect(
      records.filter((record) => record.jsonmodel_type.startsWith('agent_')).map((record) => record['names']),
    ).toMatchObject([
      [{ primary_name: 'Bell', rest_of_name: 'Richard C.', dates: '1928-', source: 'naf', authority_id: 'n1' }],
      [{ primary_name: 'State University', subordinate_name_1: 'Libraries' }],
      [{ family_name: 'Roe family' }],
    ]);
  });

  test('parts of a subject are its terms with their types', async () => {
    const { records, resource } = await readDocument(
      whole({
        more: `<controlaccess><subject source="lcsh"><part localtype="a">World War</part><part localtype="z">France.</part></subject><geogname><part>Paris</part></geogname>
      <corpname><part>Army</part><part localtype="x">History</part></corpname></controlaccess>`,
      }),
    );
    expect(
      records.filter((record) => record.jsonmodel_type === 'subject').map((record) => record['terms']),
    ).toMatchObject([
      [
        { term: 'World War', term_type: 'topical' },
        { term: 'France.', term_type: 'geographic' },
      ],
      [{ term: 'Paris', term_type: 'geographic' }],
    ]);
    expect(resource['linked_agents']).toMatchObject([
      { role: 'subject', terms: [{ term: 'History', term_type: 'topical' }] },
    ]);
  });

  test('one part that does not say which it is is the heading as it stands; of parts that are told apart the punctuation between them goes', async () => {
    const { of } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate>${extent}<origination><persname><part>Smith, John, 1900-,</part></persname><corpname><part localtype="a">Bell Company,</part><part localtype="b">Board;</part></corpname>
      <famname><part>Roe family;</part></famname></origination>`,
        more: '<controlaccess><subject><part>Ships:</part></subject><geogname><part>Rome,</part><geographiccoordinates coordinatesystem="x">41,12</geographiccoordinates></geogname><genreform><part> </part></genreform></controlaccess>',
      }),
    );
    expect(of('agent_person')).toMatchObject([{ names: [{ primary_name: 'Smith, John, 1900-,' }] }]);
    expect(of('agent_family')).toMatchObject([{ names: [{ family_name: 'Roe family;' }] }]);
    expect(of('agent_corporate_entity')).toMatchObject([
      { names: [{ primary_name: 'Bell Company', subordinate_name_1: 'Board' }] },
    ]);
    expect(of('subject').map((subject) => subject['terms'])).toMatchObject([[{ term: 'Ships:' }], [{ term: 'Rome,' }]]);
  });

  test('a heading in running text or an index is plain text', async () => {
    const { resource } = await readDocument(
      whole({ more: '<scopecontent><p>Of <persname><part>Roe</part><part>Ann</part></persname>.</p></scopecontent>' }),
    );
    expect(resource['notes']).toMatchObject([
      { type: 'physdesc' },
      { subnotes: [{ content: 'Of <persname>Roe, Ann</persname>.' }] },
    ]);
  });
});

describe('EAD3 containers and digital objects', () => {
  test('localtype is the type and containerid the barcode', async () => {
    const { records } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate>${extent}<container localtype="box" containerid="b-7" label="text">7</container><container localtype="folder">2</container>`,
      }),
    );
    expect(records.find((record) => record.jsonmodel_type === 'top_container')).toMatchObject({
      type: 'box',
      indicator: '7',
      barcode: 'b-7',
    });
  });

  test('a dao keeps its note, a daoset is one digital object', async () => {
    const { records } = await readDocument(
      whole({
        did: `<unitdate>1</unitdate>${extent}<dao daotype="derived" href="http://e/1" linktitle="Scan" show="new" actuate="onrequest"><descriptivenote><p>Colour</p></descriptivenote></dao>
      <daoset label="Views"><dao daotype="derived" href="http://e/2"/><dao daotype="derived" href="http://e/3"/></daoset>`,
      }),
    );
    expect(records.filter((record) => record.jsonmodel_type === 'digital_object')).toMatchObject([
      {
        title: 'Scan',
        notes: [{ content: ['Colour'] }],
        file_versions: [{ file_uri: 'http://e/1', xlink_show_attribute: 'new', xlink_actuate_attribute: 'onRequest' }],
      },
      { title: 'Views', file_versions: [{ file_uri: 'http://e/2' }, { file_uri: 'http://e/3' }] },
    ]);
  });
});

describe('EAD3 control', () => {
  test('gives the finding aid its properties, and reports what has no place', async () => {
    const { resource, report } = await readDocument(
      whole({
        control: `<filedesc><titlestmt><titleproper>Guide</titleproper><author>A. Clerk</author></titlestmt><notestmt><controlnote><p>Made by hand.</p></controlnote></notestmt></filedesc>
      <maintenancestatus value="new">new</maintenancestatus><languagedeclaration><language langcode="eng">English</language><script scriptcode="Latn">Latin</script></languagedeclaration>
      <conventiondeclaration><abbr>DACS</abbr><citation>Describing Archives</citation></conventiondeclaration>
      <maintenancehistory><maintenanceevent><eventtype value="created"/><eventdatetime standarddatetime="2014-11-10"/><agenttype value="human"/><agent>B. Clerk</agent><eventdescription>First form</eventdescription></maintenanceevent></maintenancehistory>`,
      }),
    );
    expect(resource).toMatchObject({
      ead_id: 'e3',
      ead_location: 'http://example.org/e',
      finding_aid_title: 'Guide',
      finding_aid_author: 'A. Clerk',
      finding_aid_note: 'Made by hand.',
      finding_aid_language: 'eng',
      finding_aid_script: 'Latn',
      finding_aid_description_rules: 'dacs',
      revision_statements: [{ date: '2014-11-10', description: 'created by B. Clerk: First form' }],
    });
    expect(report.dropped.map((part) => part.element)).toEqual(['citation', 'maintenancestatus']);
  });
});

describe('EAD3 lists and chronologies', () => {
  test('structured dates and sets of events are kept', async () => {
    const { resource } = await readDocument(
      whole({
        more: `<bioghist><chronlist><chronitem><daterange><fromdate>1900</fromdate><todate>1910</todate></daterange><chronitemset><geogname><part>Rome</part></geogname><event>Lived</event></chronitemset></chronitem></chronlist>
      <list listtype="ordered" numeration="decimal"><item>x</item></list></bioghist>`,
      }),
    );
    expect(resource['notes']).toMatchObject([
      { type: 'physdesc' },
      {
        subnotes: [
          { jsonmodel_type: 'note_chronology', items: [{ event_date: '1900-1910', place: 'Rome', events: ['Lived'] }] },
          { jsonmodel_type: 'note_orderedlist', enumeration: 'arabic', items: ['x'] },
        ],
      },
    ]);
  });

  test('of several places of an event each stands among its events', async () => {
    const set = (place: string, event: string): string =>
      `<chronitemset><geogname source="tgn"><part>${place}</part></geogname><event>${event}</event></chronitemset>`;
    const { resource } = await readDocument(
      whole({
        more: `<bioghist><chronlist><chronitem><datesingle>1900</datesingle>${set('Rome', 'Lived')}${set('Ostia', 'Bathed')}</chronitem>
      <chronitem><datesingle>1901</datesingle><geogname source="tgn"><part>Paris</part></geogname><event>Died</event></chronitem></chronlist></bioghist>`,
      }),
    );
    expect(resource['notes']).toMatchObject([
      {},
      {
        subnotes: [
          {
            items: [
              { event_date: '1900', events: ['Rome', 'Lived', 'Ostia', 'Bathed'] },
              { event_date: '1901', place: 'Paris', events: ['Died'] },
            ],
          },
        ],
      },
    ]);
  });
});

test('words beside the parts of a heading in EAD3, where none should be, are kept', async () => {
  const { resource } = await readDocument(
    whole({ more: '<odd><p>By <persname>Mrs <part>Roe</part><part>Ann</part></persname>.</p></odd>' }),
  );
  expect(resource['notes']).toMatchObject([{}, { subnotes: [{ content: 'By <persname>Mrs, Roe, Ann</persname>.' }] }]);
});
