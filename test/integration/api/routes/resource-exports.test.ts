// Documents made from resources, over HTTP: what is in them, and that nobody works for a client who has gone.
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { idOf } from '#test/support/api.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { exportedResources } from '#test/support/exported-resources.ts';
import { abstract, note } from '#test/support/make/notes.ts';
import { resourceBody } from '#test/support/records.ts';

const { api, repoId, at, component } = await exportedResources();

describe('a finding aid', () => {
  test('has the elements of the contract in their order', async () => {
    const root = await api.create(
      `${at}/resources`,
      resourceBody('MS', {
        id_1: '7',
        publish: true,
        title: 'Papers',
        ead_id: 'ms7',
        finding_aid_date: '2001',
      }),
    );
    const box = await api.create(`${at}/top_containers`, { type: 'box', indicator: '4', barcode: '39' });
    const uri = await component(root, 'Letters to <emph render="italic">Anna</emph> & Co', {
      ref_id: 'ref12',
      component_id: '2.1',
      dates: [{ date_type: 'inclusive', label: 'creation', begin: '1901', end: '1910' }],
      extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet', container_summary: '1 carton' }],
      instances: [
        {
          instance_type: 'mixed_materials',
          sub_container: { top_container: { ref: box }, type_2: 'folder', indicator_2: '2' },
        },
      ],
      notes: [
        { ...abstract('Family letters.'), persistent_id: 'a1', label: 'Summary' },
        { ...note('scopecontent', 'First paragraph.\n\nSecond.'), persistent_id: 's1' },
      ],
      lang_materials: [{ language_and_script: { language: 'ger' } }],
    });
    const reply = await api.get(`${at}/resource_descriptions/${idOf(root)}.xml`);
    expect(reply.headers.get('content-type')).toBe('application/xml');
    expect(reply.text.slice(reply.text.indexOf('<c '))).toBe(
      `<c id="aspace_ref12" level="file"><did><unittitle>Letters to <emph render="italic">Anna</emph> &amp; Co</unittitle><unitid>2.1</unitid><unitid type="aspace_uri">${uri}</unitid>` +
        '<physdesc altrender="whole"><extent altrender="materialtype spaceoccupied">2 Linear Feet</extent><extent altrender="carrier">1 carton</extent></physdesc>' +
        '<unitdate type="inclusive" normal="1901/1910" datechar="creation">1901-1910</unitdate><abstract id="aspace_a1" label="Summary">Family letters.</abstract>' +
        '<langmaterial><language langcode="ger">German</language></langmaterial>' +
        `<container id="aspace_archival_objects_${idOf(uri)}_1_1" type="box" label="Mixed Materials [39]">4</container>` +
        `<container id="aspace_archival_objects_${idOf(uri)}_1_2" parent="aspace_archival_objects_${idOf(uri)}_1_1" type="folder">2</container></did>` +
        '<scopecontent id="aspace_s1"><head>Scope and Contents</head><p>First paragraph.</p><p>Second.</p></scopecontent></c></dsc></archdesc></ead>\n',
    );
    expect(exportFaults('EAD 2002', reply.text)).toEqual([]);
    expect((await api.get(`${at}/resource_descriptions/${idOf(root)}.xml/metadata`)).json).toEqual({
      filename: expect.stringMatching(/^MS\.7_\d{8}_\d{6}_UTC__ead\.xml$/),
      mimetype: 'application/xml',
    });
    expect((await api.get(`${at}/resource_descriptions/${idOf(root)}.pdf/metadata`)).json.mimetype).toBe(
      'application/pdf',
    );
    expect((await api.get(`${at}/resource_labels/${idOf(root)}.tsv/metadata`)).json).toEqual({
      filename: expect.stringMatching(/__labels\.tsv$/),
      mimetype: 'text/tab-separated-values',
    });
    expect((await api.get(`${at}/resource_labels/${idOf(root)}.tsv`)).text.split('\n')[1]).toBe(
      'Repository EXP\tPapers\tMS-7\t\tLetters to Anna & Co\t\tbox: 4\t39\tfolder:2\t\t'.replace(
        'Repository EXP',
        (await api.get(at)).json.name,
      ),
    );
  });

  test('stays well-formed and valid whatever notes hold, and loses no text', async () => {
    const texts = [
      'a < b & c &amp; d &nbsp;e',
      '<p>open',
      'x</emph>y',
      '<script>alert(1)</script>',
      '<emph render="nonsense">e</emph>',
      '<list><item>one</item></list>',
      'tail <list>loose</list>',
      '<table><tr><td>cell</td></tr></table>',
      '<extref href="http://a b/c d" show="NEW">link</extref>',
      '\u0007control',
      'שלום עולם',
      '漢字 😀',
      '<a href="https://example.org/?a=1&b=2">html</a><br>',
      '<p>one</p><blockquote>quoted</blockquote>',
      '<ref target="ref1">here</ref>',
      '<unknown>kept</unknown>',
      '<title>t</title><persname source="a b">P</persname>',
      '<![CDATA[<raw>]]>',
      '<!-- gone -->shown',
      ']]>',
      '<head>Own head</head>body',
    ];
    const root = await api.create(
      `${at}/resources`,
      resourceBody('MIX', {
        publish: true,
        notes: texts.flatMap((each) => [note('odd', each), abstract(each), note('legalstatus', each)]),
        title: texts.join(' ').replaceAll('\u0000', ''),
      }),
    );
    for (const each of texts)
      await component(root, `T ${each}`.replaceAll('\u0000', ''), {
        notes: [
          { jsonmodel_type: 'note_bibliography', publish: true, content: [each], items: [each] },
          {
            jsonmodel_type: 'note_multipart',
            type: 'odd',
            publish: true,
            subnotes: [
              { jsonmodel_type: 'note_orderedlist', items: [each], publish: true },
              { jsonmodel_type: 'note_definedlist', items: [{ label: each, value: each }], publish: true },
              {
                jsonmodel_type: 'note_chronology',
                items: [{ event_date: each, place: each, events: [each] }],
                publish: true,
              },
            ],
          },
        ],
      });
    const { text: xml } = await api.get(`${at}/resource_descriptions/${idOf(root)}.xml`);
    expect(exportFaults('EAD 2002', xml)).toEqual([]);
    const { text: ead3 } = await api.get(`${at}/resource_descriptions/${idOf(root)}.xml?ead3=true`);
    expect(exportFaults('EAD3', ead3)).toEqual([]);
    expect(ead3).toContain('<geogname><part>שלום עולם</part></geogname>');
    for (const words of [
      'a &lt; b &amp; c &amp; d',
      'open',
      'alert(1)',
      'one',
      'loose',
      'cell',
      'link',
      'control',
      'שלום עולם',
      '漢字 😀',
      'html',
      'quoted',
      'kept',
      '&lt;raw&gt;',
      '<head>Own head</head><p>body</p>',
    ])
      expect(xml).toContain(words);
  });

  test('of nobody is told as not found, and needs view_repository', async () => {
    expect(await api.get(`${at}/resource_descriptions/99999.xml`)).toMatchObject({
      status: 404,
      json: { error: 'Resource not found' },
    });
    expect((await api.get(`${at}/resource_descriptions/1.xml`, await api.userWith([], repoId))).status).toBe(403);
    expect((await api.get(`${at}/resource_descriptions/1.xml?ead3=perhaps`)).status).toBe(400);
  });
});

test('a page holds nothing that could run, and shows markup as markup', async () => {
  const root = await api.create(
    `${at}/resources`,
    resourceBody('PAGE', {
      publish: true,
      title: 'P <script>alert(1)</script><emph render="bold">b</emph>',
      notes: [
        note(
          'odd',
          '<a href="javascript:alert(2)">x</a><img src=x onerror=alert(3)><a href="https://example.org/">y</a>\n\n<list type="ordered"><item>one</item></list>',
        ),
      ],
    }),
  );
  const reply = await api.get(`${at}/resource_descriptions/${idOf(root)}.html`);
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.text).not.toMatch(/<script|javascript:|<img/);
  expect(reply.text).toContain('<strong>b</strong>');
  expect(reply.text).toContain('<a href="https://example.org/">y</a></p><ol><li>one</li></ol>');
});

describe('the records of a collection as lines', () => {
  test('go on after the last one that a client has', async () => {
    const root = await api.create(`${at}/resources`, resourceBody('LINES', { publish: true }));
    const made: number[] = [];
    for (const title of ['a', 'b', 'c']) made.push(idOf(await component(root, title)));
    const ids = async (query: string): Promise<readonly string[]> =>
      (await api.get(`${at}/resources/${idOf(root)}/records.ndjson${query}`)).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title);
    expect(await ids('')).toEqual(['Resource LINES', 'a', 'b', 'c']);
    expect(await ids(`?after=${made[0]}`)).toEqual(['b', 'c']);
    expect((await api.get(`${at}/resources/${idOf(root)}/records.ndjson?after=123456`)).status).toBe(400);
  });
});

test('a client that goes away stops the work', async () => {
  const root = await api.create(`${at}/resources`, resourceBody('GONE', { publish: true }));
  const big = 'word '.repeat(8000);
  for (let n = 0; n < 60; n++) await component(root, `c${n}`, { notes: [note('odd', big), note('bioghist', big)] });
  const received = await new Promise<number>((resolve, reject) => {
    const call = request(
      `${api.url}${at}/resource_descriptions/${idOf(root)}.xml`,
      { headers: { 'x-service-session': api.session } },
      (reply) => {
        reply.once('data', (chunk: Buffer) => {
          call.destroy();
          resolve(chunk.length);
        });
      },
    );
    call.on('error', (error) => (received === undefined ? reject(error) : undefined));
    call.end();
  });
  expect(received).toBeGreaterThan(0);
  // Nothing is left that waits for the client: all connections of the pool are idle again.
  await expect.poll(() => api.database.poolUse.total - api.database.poolUse.idle).toBe(0);
  expect((await api.get('/')).status).toBe(200);
});
