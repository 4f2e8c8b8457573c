// Documents made from resources, over HTTP: what is not published is in none of them, but where it is asked for.
import { beforeAll, describe, expect, test } from 'vitest';
import { idOf } from '#test/support/api.ts';
import { exportFaults } from '#test/support/export-faults.ts';
import { exportedResources } from '#test/support/exported-resources.ts';
import { abstract, note, text } from '#test/support/make/notes.ts';
import { resourceBody } from '#test/support/records.ts';

const { api, at, component } = await exportedResources();
const person = (name: string, publish: boolean): Promise<string> =>
  api.create('/agents/people', {
    publish,
    names: [{ primary_name: name, name_order: 'inverted', sort_name_auto_generate: true, source: 'local' }],
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
    const subject = await api.create('/subjects', {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: 'Shown subject', term_type: 'topical', vocabulary: '/vocabularies/1' }],
    });
    const object = (title: string, publish: boolean, files: readonly object[]): Promise<string> =>
      api.create(`${at}/digital_objects`, {
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
    const instances = [hiddenObject, shownObject].map((uri) => ({
      instance_type: 'digital_object',
      digital_object: { ref: uri },
    }));
    const linked_agents = [hidden, shown].flatMap((uri) =>
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
      subjects: [{ ref: subject }],
      external_ids: [{ external_id: 'LEAK-external', source: 'old' }],
    };
    const root = await api.create(
      `${at}/resources`,
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
      }),
    );
    id = idOf(root);
    const series = await component(root, 'Shown series', { level: 'series', ...parts });
    const closed = await component(root, 'LEAK-component', { publish: false });
    const below = await component(root, 'LEAK-below', { parent: { ref: closed } });
    await component(root, 'LEAK-deep', { parent: { ref: below } });
    const suppressed = await component(root, 'LEAK-suppressed', { parent: { ref: series } });
    await component(root, 'LEAK-under-suppressed', { parent: { ref: suppressed } });
    await component(root, 'Shown file', { parent: { ref: series } });
    expect((await api.post(`${suppressed}/suppressed?suppressed=true`)).status).toBe(200);
  });

  test.each(formats)('is in no document: %s', async (format) => {
    const reply = await api.get(`${at}/resource_descriptions/${id}${format}`);
    expect(reply.status).toBe(200);
    expect(reply.text).toContain('Shown series');
    expect(reply.text).toContain('Shown file');
    expect(reply.text).toContain('Shown text');
    expect(reply.text.match(/LEAK-[\w-]*/g)).toBeNull();
    expect(reply.text).not.toContain('completed');
  });

  test('is in no line of the records', async () => {
    const reply = await api.get(`${at}/resources/${id}/records.ndjson`);
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
      `${at}/resource_descriptions/${id}.xml?include_unpublished=true&include_daos=true`,
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
    expect(exportFaults('EAD 2002', xml)).toEqual([]);
    expect(
      exportFaults(
        'EAD3',
        (await api.get(`${at}/resource_descriptions/${id}.xml?ead3=true&include_unpublished=true&include_daos=true`))
          .text,
      ),
    ).toEqual([]);
  });
});
