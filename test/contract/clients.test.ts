// Requests as public client programs really send them, row by row of the contract's clients.md, against the whole service: header
// names, missing and wrong content types, spellings of booleans, arrays in brackets, template bodies with unknown fields.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import type { TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { httpRecords } from '#test/support/make/http-records.ts';

let api: TestApi;
let records: HttpRecords;
let at = '';
beforeAll(async () => {
  api = await startTestApi();
  records = await httpRecords(api);
  at = `/repositories/${records.repoId}`;
});
afterAll(async () => api[Symbol.asyncDispose]());

const bytes = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));

describe('logging in', () => {
  it('takes a form with expiring=False', async () => {
    const reply = await api.ask('/users/admin/login', {
      form: new URLSearchParams({ password: 'admin', expiring: 'False' }),
      session: null,
    });
    expect(ok(reply)).toMatchObject({
      session: expect.stringMatching(/^[0-9a-f]{64}$/),
      expire_after_seconds: 604_800,
      user: { username: 'admin' },
    });
  });

  it('takes password and expiring=false in the query, without a body', async () => {
    const reply = await api.ask('/users/admin/login?password=admin&expiring=false', { method: 'POST', session: null });
    expect(ok(reply).session).toMatch(/^[0-9a-f]{64}$/);
  });

  it('takes the user name in upper case and with blanks around', async () => {
    expect(
      ok(await api.ask('/users/%20ADMIN%20/login?password=admin', { method: 'POST', session: null })).user.username,
    ).toBe('admin');
  });

  it('does not take a JSON body', async () => {
    const reply = await api.ask('/users/admin/login', { json: { password: 'admin' }, session: null });
    expect([reply.status, reply.json]).toEqual([
      400,
      { error: { password: ['Parameter required but no value provided'] } },
    ]);
  });

  it.each(['X-ArchivesSpace-Session', 'x-archivesspace-session', 'X-Service-Session'])(
    'accepts the token in %s',
    async (header) => {
      const reply = await api.ask('/users/current-user', { session: null, headers: { [header]: api.session } });
      expect(ok(reply).username).toBe('admin');
    },
  );

  it('answers a dead token with 412 and a code, on login too', async () => {
    for (const path of ['/users/current-user', '/version', '/users/admin/login?password=admin']) {
      const reply = await api.ask(path, { method: path.includes('login') ? 'POST' : 'GET', session: 'dead' });
      expect([reply.status, reply.text]).toEqual([412, '{"code":"SESSION_GONE","error":"No session found for dead"}']);
    }
  });

  it('ends a session, after which its token is gone', async () => {
    const session = await api.login('admin', 'admin');
    expect(ok(await api.ask('/logout', { method: 'POST', session }))).toEqual({ status: 'session_logged_out' });
    expect((await api.get('/users/current-user', session)).status).toBe(412);
  });

  it('becomes another user', async () => {
    ok(await api.post('/users?password=pw', { username: 'other-user', name: 'Other' }));
    const session = await api.login('admin', 'admin');
    const became = ok(await api.ask('/users/other-user/become-user', { method: 'POST', session }));
    expect(became.user.username).toBe('other-user');
    expect(ok(await api.get('/users/current-user', became.session)).username).toBe('other-user');
  });
});

it('tells its version in parentheses, without a session', async () => {
  const reply = await api.get('/version', null);
  expect(reply.headers.get('content-type')).toBe('text/html;charset=utf-8');
  expect(/\(v(\d+\.\d+\.\d+)\)/.exec(reply.text)?.[1]).toBeDefined();
});

describe('bodies', () => {
  const body = (n: string): JsonObject => ({
    id_0: `B${n}`,
    title: 'Sent as clients do',
    accession_date: '2020-01-01',
  });
  it.each([
    ['no content type', {}],
    ['the form type', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text/json', { 'content-type': 'text/json' }],
    ['application/json with a charset', { 'content-type': 'application/json; charset=utf-8' }],
    ['text/plain', { 'content-type': 'text/plain' }],
    ['an unknown type', { 'content-type': 'application/x-nonsense' }],
  ] as const)('are read as JSON under %s', async (name, headers) => {
    const made = ok(await api.ask(`${at}/accessions`, { method: 'POST', body: bytes(body(name)), headers }));
    expect(ok(await api.get(made.uri)).title).toBe('Sent as clients do');
  });

  it('may be in Latin-1 where the content type says so', async () => {
    const latin = Uint8Array.from(Buffer.from(JSON.stringify({ ...body('latin'), title: 'Übersicht é' }), 'latin1'));
    const made = ok(
      await api.ask(`${at}/accessions`, {
        method: 'POST',
        body: latin,
        headers: { 'content-type': 'application/json; charset=iso-8859-1' },
      }),
    );
    expect(ok(await api.get(made.uri)).title).toBe('Übersicht é');
  });

  it('may carry a byte order mark', async () => {
    const made = ok(
      await api.ask(`${at}/accessions`, {
        method: 'POST',
        body: Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes(body('bom'))]),
      }),
    );
    expect(made.status).toBe('Created');
  });

  it('lose what no schema knows, and what is empty', async () => {
    const made = ok(
      await api.post(`${at}/accessions`, {
        ...body('unknown'),
        surprise: { deep: [1] },
        content_description: '',
        extents: [{}],
        user_defined: {},
        jsonmodel_type: 'resource',
        uri: '/repositories/99/accessions/7',
        dates: [null, ''],
      }),
    );
    const record = ok(await api.get(made.uri));
    expect(record).toMatchObject({ jsonmodel_type: 'accession', extents: [], dates: [], uri: made.uri });
    for (const property of ['surprise', 'content_description', 'user_defined'])
      expect(record).not.toHaveProperty(property);
  });

  it('accept digits as lock_version', async () => {
    const uri = await records.make('accession');
    const record = ok(await api.get(uri));
    expect(ok(await api.post(uri, { ...record, lock_version: '0' })).lock_version).toBe(1);
  });
});

describe('parameters', () => {
  it('are booleans in any case, never 1 or yes', async () => {
    const uri = await records.one('resource');
    for (const [value, status] of [
      ['true', 200],
      ['True', 200],
      ['FALSE', 200],
      ['1', 400],
      ['yes', 400],
      ['', 400],
    ] as const) {
      expect((await api.get(`${uri}/tree/root?published_only=${value}`)).status, value).toBe(status);
    }
    expect((await api.get(`${uri}/tree/root?published_only=1`)).json).toEqual({
      error: { published_only: ["Wanted type RESTHelpers::BooleanParam but got '1'"] },
    });
  });

  it('that nobody declared are ignored', async () => {
    expect((await api.get(`${at}/accessions?page=1&type[]=x&foo=bar&_=12345`)).status).toBe(200);
    expect((await api.get(`${await records.one('accession')}?page=1&include=everything`)).status).toBe(200);
  });

  it('in brackets are arrays, with and without indexes; a bare one is told how', async () => {
    const uri = await records.make('archival_object');
    for (const query of [
      'resolve[]=resource',
      'resolve%5B%5D=resource',
      'resolve[0]=resource',
      'resolve[]=&resolve[]=resource',
    ])
      expect(ok(await api.get(`${uri}?${query}`)).resource._resolved.jsonmodel_type, query).toBe('resource');
    expect((await api.get(`${uri}?resolve=resource`)).json).toEqual({
      error: {
        resolve: [
          "Wanted type [String] but got 'resource'.  Perhaps you meant to specify an array like: resolve[]=resource",
        ],
      },
    });
  });

  it('may be an empty resolve[]=', async () => {
    const uri = await records.make('archival_object');
    expect(ok(await api.get(`${uri}?resolve[]=`)).resource).not.toHaveProperty('_resolved');
  });
});

describe('paths', () => {
  it('may hold slashes too many, as behind an address that ends in one', async () => {
    const uri = await records.one('accession');
    for (const path of [
      `/${uri}`,
      uri.replace('/accessions', '//accessions'),
      `//${uri}?resolve[]=repository`,
      `${uri}/`,
    ])
      expect(ok(await api.get(path)).uri, path).toBe(uri);
    expect(ok(await api.get(`/${at}/accessions?all_ids=true`))).toContain(idOf(uri));
    expect(ok(await api.ask('//users/admin/login?password=admin', { method: 'POST', session: null })).session).toMatch(
      /^[0-9a-f]{64}$/,
    );
    expect(ok(await api.post(`/${uri}`, ok(await api.get(uri)))).status).toBe('Updated');
  });

  it('keep the slashes of what is asked for', async () => {
    expect(ok(await api.get(`${at}/search?page=1&q=${encodeURIComponent('"//agents//people"')}`)).total_hits).toBe(0);
    expect((await api.get(`/by-external-id?eid=${encodeURIComponent('a//b')}`)).status).toBe(404);
  });
});

describe('lists', () => {
  const lists = ['resources', 'archival_objects', 'accessions', 'digital_objects', 'top_containers'] as const;
  const kinds = {
    resources: 'resource',
    archival_objects: 'archival_object',
    accessions: 'accession',
    digital_objects: 'digital_object',
    top_containers: 'top_container',
  } as const;

  it.each(lists)('of %s answer all_ids, True too, pages to 250, ids in both forms, and a time', async (plural) => {
    const uri = await records.make(kinds[plural]);
    const id = idOf(uri);
    for (const value of ['true', 'True', 'false', ''])
      expect(ok(await api.get(`${at}/${plural}?all_ids=${value}`))).toContain(id);
    expect(
      ok(await api.get(`${at}/${plural}?page=1&page_size=250`)).results.map((record: JsonObject) => record['uri']),
    ).toContain(uri);
    expect(
      ok(await api.get(`${at}/${plural}?page=1&page_size=2000`)).results.map((record: JsonObject) => record['uri']),
    ).toContain(uri);
    expect(ok(await api.get(`${at}/${plural}?id_set=${id}`))).toHaveLength(1);
    expect(ok(await api.get(`${at}/${plural}?id_set[]=${id}&id_set[]=${id}`))).toHaveLength(1);
    expect(
      ok(await api.get(`${at}/${plural}?all_ids=true&modified_since=${Math.floor(Date.now() / 1000) - 600}`)),
    ).toContain(id);
    expect(ok(await api.get(`${at}/${plural}?all_ids=true&modified_since=4102444800`))).toEqual([]);
  });

  it('let page win over all_ids', async () => {
    expect(ok(await api.get(`${at}/accessions?all_ids=true&page=1`))).toHaveProperty('results');
    expect(ok(await api.get(`${at}/accessions?page=1&id_set=1&page_size=3`))).toMatchObject({ this_page: 1 });
  });

  it('go down as well as up', async () => {
    const ids = ok(await api.get(`${at}/accessions?all_ids=true`));
    const page = ok(await api.get(`${at}/accessions?page=1&sort_direction=desc`));
    expect(idOf(page.results[0].uri)).toBe(ids.at(-1));
    expect((await api.get(`${at}/accessions?page=1&sort_direction=sideways`)).json).toEqual({
      error: { sort_direction: ["Failed validation -- must be either 'asc' or 'desc' but given: sideways"] },
    });
  });

  it.each(['people', 'corporate_entities', 'families', 'software'])(
    'of agents (%s) resolve inside an id set',
    async (plural) => {
      expect((await api.get(`/agents/${plural}?id_set=1,2&resolve[]=related_agents`)).status).toBe(200);
      expect((await api.get(`/agents/${plural}?page=1`, null)).status).toBe(200);
    },
  );

  it('of users come in pages, and one by one', async () => {
    const page = ok(await api.get('/users?page=1&page_size=5', null));
    expect(page.results[0]).toMatchObject({ jsonmodel_type: 'user', groups: [] });
    expect(ok(await api.get(page.results[0].uri)).permissions).toBeDefined();
  });

  it('tell administrators where an agent is used, others nothing', async () => {
    const agent = await records.make('agent_person');
    await records.make('accession', { linked_agents: [{ ref: agent, role: 'source' }] });
    expect(ok(await api.get(agent)).used_within_repositories).toEqual([at]);
    expect(ok(await api.get(`/agents/people?id_set=${idOf(agent)}`))[0]).toMatchObject({
      used_within_repositories: [at],
      used_within_published_repositories: [],
    });
    expect(ok(await api.get(agent, null)).used_within_repositories).toEqual([]);
  });

  it('of repositories are plain arrays without the global one, read by everybody', async () => {
    const list = ok(await api.get('/repositories', null));
    expect(list.map((record: JsonObject) => record['uri'])).not.toContain('/repositories/1');
    expect(ok(await api.get('/repositories/1', null)).uri).toBe('/repositories/1');
  });
});

describe('whole records back', () => {
  it('are accepted with everything resolved inside', async () => {
    const container = await records.make('top_container');
    const agent = await records.make('agent_person');
    const subject = await records.make('subject');
    const parent = await records.make('archival_object');
    const resource = (await api.get(parent)).json.resource;
    const uri = await records.make('archival_object', {
      resource,
      parent: { ref: parent },
      subjects: [{ ref: subject }],
      linked_agents: [{ ref: agent, role: 'creator' }],
      dates: [{ date_type: 'single', label: 'creation', begin: '1900' }],
      instances: [
        {
          instance_type: 'mixed_materials',
          sub_container: { top_container: { ref: container }, type_2: 'folder', indicator_2: '4' },
        },
      ],
      notes: [
        {
          jsonmodel_type: 'note_multipart',
          type: 'scopecontent',
          subnotes: [{ jsonmodel_type: 'note_text', content: 'Letters' }],
        },
      ],
    });
    const names = [
      'ancestors',
      'ancestors::linked_agents',
      'instances::top_container',
      'top_container',
      'top_container::container_locations',
      'linked_agents',
      'subjects',
      'repository',
      'related_accessions',
      '',
    ];
    const record = ok(await api.get(`${uri}?${names.map((name) => `resolve[]=${name}`).join('&')}`));
    expect(record.instances[0].sub_container.top_container._resolved.indicator).toBe('1');
    expect(record.ancestors.map((ancestor: any) => ancestor._resolved.uri)).toEqual([parent, resource.ref]);
    const plain = ok(await api.get(uri));
    ok(await api.post(uri, { ...record, title: 'Edited' }));
    const after = ok(await api.get(uri));
    expect(after.title).toBe('Edited');
    expect({
      instances: after.instances.length,
      subjects: after.subjects,
      ancestors: after.ancestors,
      notes: after.notes,
      position: after.position,
    }).toEqual({
      instances: plain.instances.length,
      subjects: plain.subjects,
      ancestors: plain.ancestors,
      notes: plain.notes,
      position: plain.position,
    });
  });

  it('keep the members of a group', async () => {
    ok(await api.post('/users?password=pw', { username: 'member1', name: 'Member' }));
    const made = ok(
      await api.post(`${at}/groups`, {
        group_code: 'whole',
        description: 'd',
        member_usernames: ['member1'],
        grants_permissions: ['view_repository'],
      }),
    );
    const group = ok(await api.get(made.uri));
    expect(group).toMatchObject({ member_usernames: ['member1'], grants_permissions: ['view_repository'] });
    ok(await api.post(made.uri, { ...group, description: 'changed' }));
    expect(ok(await api.get(made.uri))).toMatchObject({ member_usernames: ['member1'], description: 'changed' });
  });

  it('make a repository with its agent from a template with blanks and unknown fields', async () => {
    const body = {
      repository: {
        repo_code: 'TEMPLATE',
        name: 'From a template',
        org_code: '',
        country: null,
        parent_institution_name: '',
        url: '',
        unknown_field: 'x',
      },
      agent_representation: {
        names: [{ primary_name: 'Template', sort_name: 'Template', source: 'local', rules: '' }],
        agent_contacts: [{ name: 'Desk', telephones: [{ number: '1' }], fax: '' }],
        nonsense: true,
      },
    };
    const made = ok(await api.post('/repositories/with_agent', body));
    expect(made.uri).toBe(`/repositories/with_agent/${made.id}`);
    expect(ok(await api.get(made.uri))).toMatchObject({
      repository: { uri: `/repositories/${made.id}`, repo_code: 'TEMPLATE' },
    });
    const repository = ok(await api.get(`/repositories/${made.id}`));
    expect(ok(await api.get(repository.agent_representation.ref)).title).toBe('Template');
  });

  it('make subjects whose new terms carry their vocabulary', async () => {
    expect(ok(await api.get('/vocabularies/1', null)).jsonmodel_type).toBe('vocabulary');
    const term = { term: 'Newfound', term_type: 'topical', vocabulary: '/vocabularies/1' };
    const made = ok(
      await api.post('/subjects', {
        source: 'local',
        vocabulary: '/vocabularies/1',
        terms: [term, { ...term, term: 'Second' }],
      }),
    );
    const subject = ok(await api.get(made.uri));
    expect(subject.title).toBe('Newfound -- Second');
    expect(subject.terms[0]).toMatchObject({
      ...term,
      jsonmodel_type: 'term',
      uri: expect.stringMatching(/^\/terms\/\d+$/),
    });
    const sent = ok(await api.post(made.uri, subject));
    expect(sent.lock_version).toBe(1);
    expect(ok(await api.get('/vocabularies/1/terms', null)).map((one: JsonObject) => one['term'])).toContain(
      'Newfound',
    );
    expect(ok(await api.get('/subjects?all_ids=true', null))).toContain(made.id);
  });
});

describe('trees', () => {
  it('are read by waypoints, with a stray offset on root and node, and edited by moves in the query', async () => {
    const root = await records.make('resource');
    const nodes: string[] = [];
    for (const title of ['One', 'Two', 'Three'])
      nodes.push(ok(await api.post(`${at}/archival_objects`, { title, level: 'file', resource: { ref: root } })).uri);
    const [one = '', two = '', three = ''] = nodes;
    const titles = async (parent?: string): Promise<readonly string[]> =>
      ok(await api.get(`${root}/tree/waypoint?offset=0${parent === undefined ? '' : `&parent_node=${parent}`}`)).map(
        (entry: JsonObject) => entry['title'],
      );
    expect(ok(await api.get(`${root}/tree/root?offset=0`))).toMatchObject({
      child_count: 3,
      waypoints: 1,
      precomputed_waypoints: { '': { 0: [{ uri: one }, { uri: two }, { uri: three }] } },
    });
    ok(await api.ask(`${one}/accept_children?children[]=${three}&children[]=${two}&position=0`, { method: 'POST' }));
    expect([await titles(), await titles(one)]).toEqual([['One'], ['Three', 'Two']]);
    expect(ok(await api.get(`${root}/tree/node?node_uri=${one}&offset=0`))).toMatchObject({
      child_count: 2,
      position: 1,
    });
    expect(
      ok(await api.get(`${root}/tree/node_from_root?node_ids[]=${idOf(two)}&published_only=False`))[idOf(two)].map(
        (step: JsonObject) => step['node'],
      ),
    ).toEqual([null, one]);
    ok(await api.ask(`${two}/parent?position=0`, { method: 'POST' }));
    expect(await titles()).toEqual(['Two', 'One']);
    ok(await api.ask(`${two}/parent`, { form: new URLSearchParams({ parent: String(idOf(one)), position: '0' }) }));
    expect(await titles(one)).toEqual(['Two', 'Three']);
    expect(ok(await api.get(`${one}/children`)).map((child: JsonObject) => child['uri'])).toEqual([two, three]);
    expect(ok(await api.get(`${three}/previous`)).uri).toBe(two);
  });
});

describe('imports', () => {
  it('take an array of records with migration as text or boolean', async () => {
    for (const [index, migration] of ['ead', 'true'].entries()) {
      const uri = `${at}/accessions/import_${index}abc`;
      const reply = await api.ask(`${at}/batch_imports?migration=${migration}`, {
        method: 'POST',
        body: bytes([{ jsonmodel_type: 'accession', uri, id_0: `IMP${index}`, accession_date: '2020-01-01' }]),
      });
      expect(reply.headers.get('content-type')).toMatch(/^text\/plain/);
      const last = JSON.parse(reply.text).at(-1);
      expect(Object.keys(last.saved)).toEqual([uri]);
      expect(ok(await api.get(last.saved[uri][0])).id_0).toBe(`IMP${index}`);
    }
  });
});

describe('controlled lists', () => {
  it('have the ids that clients know', async () => {
    expect(ok(await api.get('/config/enumerations/32', null)).name).toBe('archival_record_level');
    expect(ok(await api.get('/config/enumerations/names/archival_record_level', null)).uri).toBe(
      '/config/enumerations/32',
    );
    expect(ok(await api.get('/config/enumerations', null)).length).toBeGreaterThan(90);
  });

  it('move records from one value to another', async () => {
    const list = ok(await api.get('/config/enumerations/names/container_type'));
    ok(await api.post(list.uri, { ...list, values: [...list.values, 'crate_of_test'] }));
    const uri = await records.make('top_container', { type: 'crate_of_test' });
    ok(await api.post('/config/enumerations/migration', { enum_uri: list.uri, from: 'crate_of_test', to: 'box' }));
    expect(ok(await api.get(uri)).type).toBe('box');
  });
});

describe('small reads', () => {
  it.each([
    `/repositories/2/jobs?page=1`,
    '/repositories/2/jobs/import_types',
    '/job_types',
    '/permissions?level=all',
    '/users/complete?query=ad',
  ])('answer GET %s', async (path) => {
    expect((await api.get(path)).status).toBe(200);
  });

  it('answer HEAD wherever GET does', async () => {
    const reply = await api.ask(`${await records.one('accession')}`, { method: 'HEAD' });
    expect([reply.status, reply.text]).toEqual([200, '']);
  });

  it('end in a newline, are not cached, and have no charset', async () => {
    const reply = await api.get(await records.one('accession'));
    expect(reply.text.endsWith('}\n')).toBe(true);
    expect(reply.headers.get('content-type')).toBe('application/json');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
});

describe('refusals', () => {
  it('name each field of an invalid body, beside the body and its warnings', async () => {
    const reply = await api.post(`${at}/resources`, {});
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.json)).toEqual(['error', 'warning', 'invalid_object']);
  });

  it('come before the question who asks', async () => {
    expect((await api.post(`${at}/accessions`, {}, null)).status).toBe(400);
    expect((await api.get('/repositories/99999999/accessions?page=1', null)).json).toEqual({
      error: { repo_id: ['Failed validation -- The Repository must exist'] },
    });
  });

  it('report all parameters at once', async () => {
    expect((await api.get(`${at}/accessions?page=x&modified_since=y&resolve=z`)).json).toEqual({
      error: {
        page: ["Wanted type Integer but got 'x'"],
        modified_since: ["Wanted type Integer but got 'y'"],
        resolve: ["Wanted type [String] but got 'z'.  Perhaps you meant to specify an array like: resolve[]=z"],
      },
    });
  });
});
