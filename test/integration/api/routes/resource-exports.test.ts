// Documents made from resources, over HTTP: what is in them, what must not be, and that nobody works for a client who has gone.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceBody } from '../../../support/records.ts';
import { exportFaults } from '../../../support/export-faults.ts';
import type { TestApi } from '../../../support/api.ts';
import { startTestApi } from '../../../support/api.ts';

let api: TestApi;
let repoId = 0;
const faults3 = (xml: string): readonly string[] => exportFaults('EAD3', xml);
const faults2002 = (xml: string): readonly string[] => exportFaults('EAD 2002', xml);

beforeAll(async () => {
  api = await startTestApi();
  repoId = await api.repository('EXP');
});
afterAll(() => api[Symbol.asyncDispose]());

async function create(path: string, body: object): Promise<{ readonly uri: string; readonly id: number }> {
  const reply = await api.post(path, body);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.text}`);
  return { uri: reply.json.uri, id: Number(reply.json.id) };
}
const inRepository = (path: string): string => `/repositories/${repoId}${path}`;
const text = (content: string, publish = true): object => ({ jsonmodel_type: 'note_text', content, publish });
const note = (type: string, content: string, publish = true): object => ({
  jsonmodel_type: 'note_multipart',
  type,
  publish,
  subnotes: [text(content)],
});
const abstract = (content: string, publish = true): object => ({
  jsonmodel_type: 'note_singlepart',
  type: 'abstract',
  publish,
  content: [content],
});
const person = (name: string, publish: boolean): Promise<{ uri: string }> =>
  create('/agents/people', {
    publish,
    names: [{ primary_name: name, name_order: 'inverted', sort_name_auto_generate: true, source: 'local' }],
  });
const component = (resourceUri: string, title: string, more: object = {}): Promise<{ uri: string; id: number }> =>
  create(inRepository('/archival_objects'), {
    title,
    level: 'file',
    publish: true,
    resource: { ref: resourceUri },
    ...more,
  });

describe('what is not published', () => {
  let id = 0;
  const formats = [
    '.xml',
    '.xml?ead3=true',
    '.xml?include_daos=true&numbered_cs=true',
    '.xml?ead3=true&include_daos=true',
    '.html',
  ];
  beforeAll(async () => {
    const hidden = await person('LEAK-agent', false);
    const shown = await person('Shown agent', true);
    const subject = await create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Shown subject', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const object = (title: string, publish: boolean, files: readonly object[]): Promise<{ uri: string }> =>
      create(inRepository('/digital_objects'), {
        title,
        digital_object_id: title,
        publish,
        file_versions: files,
        notes: [
          {
            jsonmodel_type: 'note_digital_object',
            type: 'note',
            content: [`${title}: LEAK-object-note`],
            publish: false,
          },
        ],
      });
    const file = (uri: string, publish: boolean): object => ({ file_uri: uri, publish });
    const hiddenObject = await object('LEAK-object', false, [file('https://example.org/LEAK-file-1', true)]);
    const shownObject = await object('Shown object', true, [
      file('https://example.org/shown', true),
      file('https://example.org/LEAK-file-2', false),
    ]);
    const instances = [hiddenObject, shownObject].map(({ uri }) => ({
      instance_type: 'digital_object',
      digital_object: { ref: uri },
    }));
    const linked_agents = [hidden, shown].flatMap(({ uri }) =>
      ['creator', 'source', 'subject'].map((role) => ({ ref: uri, role })),
    );
    const notes = [
      note('scopecontent', 'LEAK-note', false),
      abstract('LEAK-abstract', false),
      abstract('Shown abstract'),
      {
        jsonmodel_type: 'note_multipart',
        type: 'bioghist',
        publish: true,
        subnotes: [
          text('Shown text'),
          text('LEAK-subnote', false),
          { jsonmodel_type: 'note_orderedlist', publish: false, items: ['LEAK-list'] },
        ],
      },
      {
        jsonmodel_type: 'note_index',
        publish: false,
        items: [{ jsonmodel_type: 'note_index_item', type: 'name', value: 'LEAK-index' }],
      },
      { jsonmodel_type: 'note_bibliography', publish: false, items: ['LEAK-bibliography'] },
    ];
    const parts = {
      linked_agents,
      notes,
      instances,
      subjects: [{ ref: subject.uri }],
      external_ids: [{ external_id: 'LEAK-external', source: 'old' }],
    };
    const root = await create(
      inRepository('/resources'),
      resourceBody('LEAKS', {
        publish: true,
        ...parts,
        repository_processing_note: 'LEAK-processing',
        finding_aid_status: 'completed',
        is_finding_aid_status_published: false,
        revision_statements: [
          { date: '1999', description: 'LEAK-revision', publish: false },
          { date: '2000', description: 'Shown revision', publish: true },
        ],
        lang_materials: [
          { language_and_script: { language: 'eng' } },
          {
            notes: [
              { jsonmodel_type: 'note_langmaterial', type: 'langmaterial', content: ['LEAK-language'], publish: false },
            ],
          },
        ],
      } as never),
    );
    id = root.id;
    const series = await component(root.uri, 'Shown series', { level: 'series', ...parts });
    const closed = await component(root.uri, 'LEAK-component', { publish: false });
    const below = await component(root.uri, 'LEAK-below', { parent: { ref: closed.uri } });
    await component(root.uri, 'LEAK-deep', { parent: { ref: below.uri } });
    const suppressed = await component(root.uri, 'LEAK-suppressed', { parent: { ref: series.uri } });
    await component(root.uri, 'LEAK-under-suppressed', { parent: { ref: suppressed.uri } });
    await component(root.uri, 'Shown file', { parent: { ref: series.uri } });
    expect((await api.post(`${suppressed.uri}/suppressed?suppressed=true`)).status).toBe(200);
  });

  test.each(formats)('is in no document: %s', async (format) => {
    const reply = await api.get(inRepository(`/resource_descriptions/${id}${format}`));
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('Shown series');
    expect(reply.text).toContain('Shown file');
    expect(reply.text).toContain('Shown text');
    expect(reply.text.match(/LEAK-[\w-]*/g)).toBeNull();
    expect(reply.text).not.toContain('completed');
  });

  test('is in no line of the records', async () => {
    const reply = await api.get(inRepository(`/resources/${id}/records.ndjson`));
    expect(
      reply.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title),
    ).toEqual(['Resource LEAKS', 'Shown series', 'Shown file']);
    const leaks = reply.text.match(/LEAK-[\w-]*/g) ?? [];
    // What a reader of the repository may see of the record itself, in any GET; no part of it is one that can be unpublished.
    expect(leaks.filter((leak) => leak !== 'LEAK-external' && leak !== 'LEAK-processing')).toEqual([]);
  });

  test('is there and marked where it is asked for, but nothing suppressed', async () => {
    const { text: xml } = await api.get(
      inRepository(`/resource_descriptions/${id}.xml?include_unpublished=true&include_daos=true`),
    );
    for (const marker of [
      'note',
      'abstract',
      'subnote',
      'list',
      'index',
      'bibliography',
      'agent',
      'object',
      'file-1',
      'file-2',
      'revision',
      'language',
      'component',
      'below',
      'deep',
      'external',
    ])
      expect(xml).toContain(`LEAK-${marker}`);
    expect(xml).not.toMatch(/LEAK-(suppressed|under-suppressed|processing)/);
    expect(xml).toMatch(/<c [^>]*audience="internal"[^>]*><did><unittitle>LEAK-component/);
    expect(faults2002(xml)).toEqual([]);
    expect(
      faults3(
        (
          await api.get(
            inRepository(`/resource_descriptions/${id}.xml?ead3=true&include_unpublished=true&include_daos=true`),
          )
        ).text,
      ),
    ).toEqual([]);
  });
});

describe('a finding aid', () => {
  test('has the elements of the contract in their order', async () => {
    const root = await create(
      inRepository('/resources'),
      resourceBody('MS', {
        id_1: '7',
        publish: true,
        title: 'Papers',
        ead_id: 'ms7',
        finding_aid_date: '2001',
      } as never),
    );
    const box = await create(inRepository('/top_containers'), { type: 'box', indicator: '4', barcode: '39' });
    const { uri } = await component(root.uri, 'Letters to <emph render="italic">Anna</emph> & Co', {
      ref_id: 'ref12',
      component_id: '2.1',
      dates: [{ date_type: 'inclusive', label: 'creation', begin: '1901', end: '1910' }],
      extents: [{ portion: 'whole', number: '2', extent_type: 'linear_feet', container_summary: '1 carton' }],
      instances: [
        {
          instance_type: 'mixed_materials',
          sub_container: { top_container: { ref: box.uri }, type_2: 'folder', indicator_2: '2' },
        },
      ],
      notes: [
        { ...abstract('Family letters.'), persistent_id: 'a1', label: 'Summary' },
        { ...note('scopecontent', 'First paragraph.\n\nSecond.'), persistent_id: 's1' },
      ],
      lang_materials: [{ language_and_script: { language: 'ger' } }],
    });
    const reply = await api.get(inRepository(`/resource_descriptions/${root.id}.xml`));
    expect(reply.headers.get('content-type')).toBe('application/xml');
    expect(reply.text.slice(reply.text.indexOf('<c '))).toBe(
      `<c id="aspace_ref12" level="file"><did><unittitle>Letters to <emph render="italic">Anna</emph> &amp; Co</unittitle><unitid>2.1</unitid><unitid type="aspace_uri">${uri}</unitid>` +
        '<physdesc altrender="whole"><extent altrender="materialtype spaceoccupied">2 Linear Feet</extent><extent altrender="carrier">1 carton</extent></physdesc>' +
        '<unitdate type="inclusive" normal="1901/1910" datechar="creation">1901-1910</unitdate><abstract id="aspace_a1" label="Summary">Family letters.</abstract>' +
        '<langmaterial><language langcode="ger">German</language></langmaterial>' +
        `<container id="aspace_archival_objects_${uri.split('/').at(-1)}_1_1" type="box" label="Mixed Materials [39]">4</container>` +
        `<container id="aspace_archival_objects_${uri.split('/').at(-1)}_1_2" parent="aspace_archival_objects_${uri.split('/').at(-1)}_1_1" type="folder">2</container></did>` +
        '<scopecontent id="aspace_s1"><head>Scope and Contents</head><p>First paragraph.</p><p>Second.</p></scopecontent></c></dsc></archdesc></ead>\n',
    );
    expect(faults2002(reply.text)).toEqual([]);
    expect((await api.get(inRepository(`/resource_descriptions/${root.id}.xml/metadata`))).json).toEqual({
      filename: expect.stringMatching(/^MS\.7_\d{8}_\d{6}_UTC__ead\.xml$/),
      mimetype: 'application/xml',
    });
    expect((await api.get(inRepository(`/resource_descriptions/${root.id}.pdf/metadata`))).json.mimetype).toBe(
      'application/pdf',
    );
    expect((await api.get(inRepository(`/resource_labels/${root.id}.tsv/metadata`))).json).toEqual({
      filename: expect.stringMatching(/__labels\.tsv$/),
      mimetype: 'text/tab-separated-values',
    });
    expect((await api.get(inRepository(`/resource_labels/${root.id}.tsv`))).text.split('\n')[1]).toBe(
      'Repository EXP\tPapers\tMS-7\t\tLetters to Anna & Co\t\tbox: 4\t39\tfolder:2\t\t'.replace(
        'Repository EXP',
        (await api.get(`/repositories/${repoId}`)).json.name,
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
    const root = await create(
      inRepository('/resources'),
      resourceBody('MIX', {
        publish: true,
        notes: texts.flatMap((each) => [note('odd', each), abstract(each), note('legalstatus', each)]),
        title: texts.join(' ').replaceAll('\u0000', ''),
      } as never),
    );
    for (const each of texts)
      await component(root.uri, `T ${each}`.replaceAll('\u0000', ''), {
        notes: [
          { jsonmodel_type: 'note_bibliography', publish: true, content: [each], items: [each] },
          {
            jsonmodel_type: 'note_multipart',
            type: 'odd',
            publish: true,
            subnotes: [
              { jsonmodel_type: 'note_orderedlist', items: [each], publish: true },
              { jsonmodel_type: 'note_definedlist', items: [{ label: each, value: each }], publish: true },
              { jsonmodel_type: 'note_chronology', items: [{ event_date: each, events: [each] }], publish: true },
            ],
          },
        ],
      });
    const { text: xml } = await api.get(inRepository(`/resource_descriptions/${root.id}.xml`));
    expect(faults2002(xml)).toEqual([]);
    expect(faults3((await api.get(inRepository(`/resource_descriptions/${root.id}.xml?ead3=true`))).text)).toEqual([]);
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
    expect(await api.get(inRepository('/resource_descriptions/99999.xml'))).toMatchObject({
      status: 404,
      json: { error: 'Resource not found' },
    });
    expect((await api.get(inRepository('/resource_descriptions/1.xml'), await api.userWith([], repoId))).status).toBe(
      403,
    );
    expect((await api.get(inRepository('/resource_descriptions/1.xml?ead3=perhaps'))).status).toBe(400);
  });
});

test('a page holds nothing that could run, and shows markup as markup', async () => {
  const root = await create(
    inRepository('/resources'),
    resourceBody('PAGE', {
      publish: true,
      title: 'P <script>alert(1)</script><emph render="bold">b</emph>',
      notes: [
        note(
          'odd',
          '<a href="javascript:alert(2)">x</a><img src=x onerror=alert(3)><a href="https://example.org/">y</a>\n\n<list type="ordered"><item>one</item></list>',
        ),
      ],
    } as never),
  );
  const reply = await api.get(inRepository(`/resource_descriptions/${root.id}.html`));
  expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(reply.text).not.toMatch(/<script|javascript:|<img/);
  expect(reply.text).toContain('<strong>b</strong>');
  expect(reply.text).toContain('<a href="https://example.org/">y</a></p><ol><li>one</li></ol>');
});

describe('the records of a collection as lines', () => {
  test('go on after the last one that a client has', async () => {
    const root = await create(inRepository('/resources'), resourceBody('LINES', { publish: true } as never));
    const made: number[] = [];
    for (const title of ['a', 'b', 'c']) made.push((await component(root.uri, title)).id);
    const ids = async (query: string): Promise<readonly string[]> =>
      (await api.get(inRepository(`/resources/${root.id}/records.ndjson${query}`))).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).title);
    expect(await ids('')).toEqual(['Resource LINES', 'a', 'b', 'c']);
    expect(await ids(`?after=${made[0]}`)).toEqual(['b', 'c']);
    expect((await api.get(inRepository(`/resources/${root.id}/records.ndjson?after=123456`))).status).toBe(400);
  });
});

test('a client that goes away stops the work', async () => {
  const root = await create(inRepository('/resources'), resourceBody('GONE', { publish: true } as never));
  const big = 'word '.repeat(8000);
  for (let at = 0; at < 60; at++)
    await component(root.uri, `c${at}`, { notes: [note('odd', big), note('bioghist', big)] });
  const received = await new Promise<number>((resolve, reject) => {
    const call = request(
      `${api.url}${inRepository(`/resource_descriptions/${root.id}.xml`)}`,
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
