// Batch imports as the contract has them (trees-and-jobs 2), sentence by sentence where no other test says it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../support/api.ts';
import { ok, startTestApi } from '../support/api.ts';
import { holding } from '../support/held-table.ts';
import { personBody, resourceBody } from '../support/records.ts';

let api: TestApi;
let repoId = 0;
let R = '';
let made = 0;
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
});
afterAll(() => api[Symbol.asyncDispose]());

type Item = { readonly [property: string]: unknown };
const next = (): string => `I${(made += 1)}`;
const temporary = (path: string): string => `${path.startsWith('/') ? '' : `${R}/`}${path}/import_${(made += 1)}`;
const last = async (records: readonly Item[] | string, query = ''): Promise<any> =>
  (
    await api.ask(`${R}/batch_imports${query}`, {
      method: 'POST',
      body: typeof records === 'string' ? records : JSON.stringify(records),
    })
  ).json.at(-1);
/** Imports, and gives real uris by temporary ones; fails where the import does. */
async function saved(records: readonly Item[], query = ''): Promise<ReadonlyMap<string, string>> {
  const outcome = await last(records, query);
  expect(outcome.errors).toBeUndefined();
  return new Map(Object.entries<[string, number]>(outcome.saved).map(([uri, [real]]) => [uri, real]));
}
const refused = async (records: readonly Item[]): Promise<string> => {
  const outcome = await last(records);
  expect(outcome).toMatchObject({ saved: [], errors: [expect.stringMatching(/^Server error: /)] });
  return outcome.errors[0];
};
const resource = (uri: string, more: Item = {}): Item => ({
  jsonmodel_type: 'resource',
  uri,
  ...resourceBody(next()),
  ...more,
});
const component = (root: string, more: Item = {}): Item => ({
  jsonmodel_type: 'archival_object',
  uri: temporary('archival_objects'),
  title: `T${(made += 1)}`,
  level: 'file',
  resource: { ref: root },
  ...more,
});
const read = async (uri: string | undefined): Promise<any> => ok(await api.get(uri ?? 'no uri'));

describe('what comes in', () => {
  it('may be of any kind of record that a client can make', async () => {
    const [root, box, agent, scan, scheme] = [
      temporary('resources'),
      temporary('top_containers'),
      temporary('/agents/corporate_entities'),
      temporary('digital_objects'),
      temporary('classifications'),
    ];
    const records: readonly Item[] = [
      resource(root, { linked_agents: [{ ref: agent, role: 'creator' }] }),
      component(root, {
        instances: [
          { instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } },
          { instance_type: 'digital_object', digital_object: { ref: scan } },
        ],
      }),
      { jsonmodel_type: 'top_container', uri: box, indicator: '1', type: 'box' },
      {
        jsonmodel_type: 'container_profile',
        uri: temporary('/container_profiles'),
        name: next(),
        extent_dimension: 'height',
        height: '1',
        width: '1',
        depth: '1',
        dimension_units: 'inches',
      },
      { jsonmodel_type: 'location', uri: temporary('/locations'), building: 'Main', barcode: next() },
      { jsonmodel_type: 'accession', uri: temporary('accessions'), id_0: next(), accession_date: '2020-01-01' },
      { jsonmodel_type: 'digital_object', uri: scan, title: 'Scan', digital_object_id: next() },
      {
        jsonmodel_type: 'digital_object_component',
        uri: temporary('digital_object_components'),
        title: 'Page',
        digital_object: { ref: scan },
      },
      { jsonmodel_type: 'classification', uri: scheme, title: 'Scheme', identifier: next() },
      {
        jsonmodel_type: 'classification_term',
        uri: temporary('classification_terms'),
        title: 'Term',
        identifier: next(),
        classification: { ref: scheme },
      },
      {
        jsonmodel_type: 'event',
        uri: temporary('events'),
        event_type: 'ingestion',
        date: { date_type: 'single', label: 'event', begin: '2020-01-01' },
        linked_agents: [{ ref: agent, role: 'implementer' }],
        linked_records: [{ ref: root, role: 'source' }],
      },
      {
        jsonmodel_type: 'subject',
        uri: temporary('/subjects'),
        vocabulary: '/vocabularies/1',
        source: 'local',
        terms: [{ term: next(), term_type: 'topical', vocabulary: '/vocabularies/1' }],
      },
      {
        jsonmodel_type: 'agent_corporate_entity',
        uri: agent,
        names: [{ primary_name: next(), source: 'local', sort_name_auto_generate: true }],
      },
      {
        jsonmodel_type: 'agent_family',
        uri: temporary('/agents/families'),
        names: [{ family_name: next(), source: 'local', sort_name_auto_generate: true }],
      },
      {
        jsonmodel_type: 'agent_software',
        uri: temporary('/agents/software'),
        names: [{ software_name: next(), source: 'local', sort_name_auto_generate: true }],
      },
      { jsonmodel_type: 'agent_person', uri: temporary('/agents/people'), ...personBody(next()) },
    ];
    const real = await saved(records);
    expect(real.size).toBe(records.length);
    for (const { uri, jsonmodel_type } of records)
      expect(await read(real.get(String(uri)))).toMatchObject({ jsonmodel_type });
    expect(await read(real.get(String(records[1]?.['uri'])))).toMatchObject({
      resource: { ref: real.get(root) },
      instances: [
        { sub_container: { top_container: { ref: real.get(box) } } },
        { digital_object: { ref: real.get(scan) } },
      ],
    });
  });

  it('goes into the repository of the request, whatever repository its temporary uris name', async () => {
    const root = '/repositories/987/resources/import_far';
    const real = await saved([
      resource(root),
      component(root, { uri: '/repositories/986/archival_objects/import_far' }),
    ]);
    expect([...real.values()].every((uri) => uri.startsWith(`${R}/`))).toBe(true);
    expect((await read(real.get('/repositories/986/archival_objects/import_far'))).resource.ref).toBe(real.get(root));
  });

  it('is dropped where clients may not write it: versions, users, times', async () => {
    const root = temporary('resources');
    const real = await saved([
      resource(root, {
        lock_version: 7,
        created_by: 'nobody',
        last_modified_by: 'nobody',
        create_time: '1999-01-01T00:00:00Z',
        system_mtime: '1999-01-01T00:00:00Z',
        repository: { ref: '/repositories/1' },
        tree: { ref: '/x' },
      }),
    ]);
    expect(await read(real.get(root))).toMatchObject({
      lock_version: 0,
      created_by: 'admin',
      last_modified_by: 'admin',
      create_time: expect.not.stringMatching(/^1999/),
      repository: { ref: R },
    });
  });

  it('may carry what its refs resolve to, which is not read', async () => {
    const root = temporary('resources');
    const one = component(root, {
      resource: {
        ref: root,
        _resolved: {
          jsonmodel_type: 'resource',
          title: 5,
          uri: '/repositories/2/resources/import_nowhere',
          classifications: [{ ref: '/repositories/2/classifications/import_nowhere' }],
        },
      },
    });
    const real = await saved([resource(root), one]);
    expect((await read(real.get(String(one['uri'])))).resource).toEqual({ ref: real.get(root) });
  });

  it('names others of the batch in any text that is nothing but their uri, which is the real one afterwards', async () => {
    const root = temporary('resources');
    const note = { jsonmodel_type: 'note_singlepart', type: 'abstract', content: [root, `See ${root}`] };
    const one = component(root, { notes: [note], external_documents: [{ title: 'Guide', location: root }] });
    const real = await saved([one, resource(root)]);
    expect(await read(real.get(String(one['uri'])))).toMatchObject({
      notes: [{ content: [real.get(root), `See ${root}`] }],
      external_documents: [{ location: real.get(root) }],
    });
  });

  it('is nothing at all in a body of two bytes or fewer, whatever they are', async () => {
    for (const body of ['[]', '{}', '', ' ']) expect(await last(body)).toEqual({ saved: {} });
    expect(await last('[]', '?skip_results=true')).toEqual({ saved: [] });
  });
});

describe('places among siblings', () => {
  it('are those of `position`, of each parent by itself; a record that could have none is refused', async () => {
    const root = temporary('resources');
    const parent = component(root, { position: 40 });
    const records = [
      resource(root),
      component(root, { title: 'Last', position: 50 }),
      parent,
      component(root, { title: 'First', position: 3 }),
      component(root, { title: 'Below, last', position: 9, parent: { ref: parent['uri'] } }),
      component(root, { title: 'Below, first', position: 0, parent: { ref: parent['uri'] } }),
    ];
    for (const query of ['', '?migration=', '?migration=true']) {
      const real = await saved(
        records.map((record) => (record['jsonmodel_type'] === 'resource' ? resource(root) : record)),
        query,
      );
      const rootUri = real.get(root);
      const titles = async (query = ''): Promise<readonly string[]> =>
        (await read(`${rootUri}/tree/waypoint?offset=0${query}`)).map(({ title }: { readonly title: string }) => title);
      expect(await titles()).toEqual(['First', parent['title'], 'Last']);
      expect(await titles(`&parent_node=${real.get(String(parent['uri']))}`)).toEqual(['Below, first', 'Below, last']);
    }
    expect(
      await refused([
        {
          jsonmodel_type: 'archival_object',
          uri: temporary('archival_objects'),
          title: 'Nowhere',
          level: 'file',
          position: 1,
        },
      ]),
    ).toContain('resource');
  });
});

describe('records that there are already', () => {
  it('are used for equal agents and subjects as they are, and reported like the others', async () => {
    const [word, name] = [next(), next()];
    const subject = {
      source: 'local',
      vocabulary: '/vocabularies/1',
      terms: [{ term: word, term_type: 'topical', vocabulary: '/vocabularies/1' }],
    };
    const [there, person] = [
      await api.create('/subjects', subject),
      await api.create('/agents/people', personBody(name)),
    ];
    const before = [await read(there), await read(person)];
    const [one, two, who] = [temporary('/subjects'), temporary('/subjects'), temporary('/agents/people')];
    const real = await saved([
      { jsonmodel_type: 'subject', uri: one, ...subject, scope_note: 'Another note' },
      { jsonmodel_type: 'subject', uri: two, ...subject },
      { jsonmodel_type: 'agent_person', uri: who, ...personBody(name) },
    ]);
    expect([real.get(one), real.get(two), real.get(who)]).toEqual([there, there, person]);
    expect([await read(there), await read(person)]).toEqual(before);
  });

  it.each([
    ['top_container', () => [`${R}/top_containers`, { indicator: '1', type: 'box', barcode: next() }]],
    [
      'container_profile',
      () => [
        '/container_profiles',
        { name: next(), extent_dimension: 'height', height: '1', width: '1', depth: '1', dimension_units: 'inches' },
      ],
    ],
    ['accession', () => [`${R}/accessions`, { id_0: next(), accession_date: '2020-01-01' }]],
    ['digital_object', () => [`${R}/digital_objects`, { title: 'D', digital_object_id: next() }]],
  ] as const)('refuse another %s, and with it the whole import', async (kind, make) => {
    const [path, body] = make();
    await api.create(String(path), Object(body));
    const other = temporary('resources');
    const own = resource(other);
    await refused([own, { jsonmodel_type: kind, uri: temporary(String(path)), ...Object(body) }]);
    expect((await saved([own])).size).toBe(1);
  });
});

describe('the reply', () => {
  it('is lines of one array: phases with running numbers, ticks with totals, and the outcome alone in the last', async () => {
    const root = temporary('resources');
    const reply = await api.ask(`${R}/batch_imports`, {
      method: 'POST',
      body: JSON.stringify([resource(root), component(root)]),
    });
    const lines = reply.text.split('\n');
    expect([lines[0], lines.slice(-3)]).toEqual(['[', ['', ']', '']]);
    const objects = lines.slice(1, -3);
    expect(objects.slice(0, -1).every((line) => line.endsWith('},'))).toBe(true);
    expect(objects.at(-1)).toMatch(/^\{"saved":\{.*\}\}$/);
    for (const line of objects.slice(0, -1))
      expect(line).toMatch(
        /^\{"status":\[(\{"id":\d+,"label":"[^"]+","type":"(started|done)"\},?)+\]\},$|^\{"ticks":\d+,"total":(\d+|null)\},$/,
      );
    expect(objects.filter((line) => line.startsWith('{"ticks"')).length).toBeGreaterThan(0);
  });

  it('is not needed: who goes away leaves the import to its end', async () => {
    const root = temporary('resources');
    const { id_0, ...rest } = resource(root);
    await holding(api.database, { table: 'change', against: 'writers' }, async (isMet) => {
      const leaving = new AbortController();
      const asked = fetch(`${api.url}${R}/batch_imports`, {
        method: 'POST',
        headers: { 'x-service-session': api.session },
        body: JSON.stringify([{ id_0, ...rest }]),
        signal: leaving.signal,
      })
        .then((reply) => reply.text())
        .catch(() => 'gone');
      await isMet();
      leaving.abort();
      expect(await asked).toBe('gone');
    });
    await expect
      .poll(
        async () =>
          ok(
            await api.get(
              `/find_by_id/resources?identifier[]=${encodeURIComponent(JSON.stringify([id_0]))}`.replace(
                '/find_by_id',
                `${R}/find_by_id`,
              ),
            ),
          ).resources.length,
      )
      .toBe(1);
  });

  it('is refused before it begins without a session, a right, a repository or right parameters', async () => {
    const ask = (path: string, session?: string | null) =>
      api.ask(path, { method: 'POST', body: '[]', ...(session === undefined ? {} : { session }) });
    expect((await ask(`${R}/batch_imports`, null)).status).toBe(403);
    expect(
      (await ask(`${R}/batch_imports`, await api.userWith(['view_repository', 'update_resource_record'], repoId))).json,
    ).toEqual({ error: 'Access denied' });
    expect((await ask(`${R}/batch_imports?skip_results=maybe`)).status).toBe(400);
    expect((await ask('/repositories/99999/batch_imports')).status).toBe(400);
  });
});
