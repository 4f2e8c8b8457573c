// What people do on the screens of the incumbent's staff interface, in the requests that it sends for them: parameters as forms (also empty ones), records as
// text/json with what a form adds to them, paths that end in a question mark. Reads are those with which a screen is drawn anew afterwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTrees } from '#store/trees/invariants.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';
import { startIndexer, untilIndexed } from '#test/support/indexer.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { resourceBody } from '#test/support/records.ts';

let api: TestApi;
let n = 0;
const R = '/repositories/2';
beforeAll(async () => {
  // One of all these asks what is indexed, and has an indexer for itself.
  api = await startTestApi({ worker: 'jobs' });
  expect(await api.repository('ONE')).toBe(2);
  await api.repository('TWO');
});
afterAll(async () => {
  expect(await checkTrees(api.database.reader)).toEqual([]);
  await api[Symbol.asyncDispose]();
});

type Fields = readonly (readonly [string, string])[];
const form = (path: string, fields: Fields = [], session = api.session): Promise<Reply> =>
  api.ask(path, {
    method: 'POST',
    form: new URLSearchParams(fields.map(([key, value]): [string, string] => [key, value])),
    session,
  });
const json = (path: string, body: object, session = api.session): Promise<Reply> =>
  api.ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'text/json' }, session });

const resource = (more: object = {}): Promise<string> =>
  api.create(`${R}/resources`, resourceBody(`W${(n += 1)}`, { publish: true, ...more }));
const component = (root: string, title: string, more: object = {}): Promise<string> =>
  api.create(`${R}/archival_objects`, { title, level: 'file', resource: { ref: root }, ...more });
const box = (indicator: string, more: object = {}): Promise<string> =>
  api.create(`${R}/top_containers`, { indicator, type: 'box', ...more });
const person = (name: string): Promise<string> =>
  api.create('/agents/people', {
    names: [{ primary_name: name, sort_name: name, name_order: 'direct', source: 'local' }],
  });

/** The titles of a level as the tree of a screen has them: its root first, then what is behind it. */
async function shownBelow(root: string, parent?: string): Promise<string[]> {
  const at =
    parent === undefined
      ? ok(await api.get(`${root}/tree/root?`))
      : ok(await api.get(`${root}/tree/node?node_uri=${encodeURIComponent(parent)}`));
  const slices = await Promise.all(
    Array.from({ length: at.waypoints }, (_, offset) => {
      const of = parent === undefined ? 'parent_node' : `parent_node=${encodeURIComponent(parent)}`;
      return api.get(`${root}/tree/waypoint?${of}&offset=${offset}`);
    }),
  );
  const titles = slices.flatMap((slice) => ok(slice).map(({ title }: { title: string }) => title));
  expect(titles).toHaveLength(at.child_count);
  return titles;
}
const pathTo = async (root: string, node: string): Promise<any> =>
  ok(await api.get(`${root}/tree/node_from_root?node_ids%5B%5D=${idOf(node)}`))[String(idOf(node))];

/** Makes a job as its form does, and waits for its end. */
async function run(job: { readonly job_type: string }, session = api.session) {
  const reply = await json(
    `${R}/jobs`,
    {
      ...{ job_type: job.job_type, job: { ...job, jsonmodel_type: job.job_type }, job_params: 'null' },
      ...{ jsonmodel_type: 'job', status: 'queued', has_modified_records: false, inactive_record: false },
    },
    session,
  );
  return endOfJob(api, ok(reply).uri);
}

describe('a tree on the screen', () => {
  it('shows what was suppressed with its number, and what is left after a transfer and a delete', async () => {
    const root = await resource();
    const other = await resource();
    const series = await component(root, 'Series');
    const [a = '', b = '', c = ''] = await Promise.all(
      ['A', 'B', 'C'].map((title) => component(root, title, { parent: { ref: series } })),
    );
    ok(await form(`${a}/suppressed`, [['suppressed', 'true']]));
    expect((await shownBelow(root, series)).toSorted()).toEqual(['A', 'B', 'C']);
    const slice = ok(await api.get(`${root}/tree/waypoint?parent_node=${encodeURIComponent(series)}&offset=0`));
    expect(slice).toContainEqual(expect.objectContaining({ uri: a, suppressed: 1 }));
    ok(await form(`${a}/suppressed`, [['suppressed', 'false']]));
    const moved = [
      ['target_resource', other],
      ['component', b],
    ] as const;
    expect(ok(await form(`${R}/component_transfers`, moved))).toMatchObject({ component: b, resource: other });
    expect((await shownBelow(root, series)).toSorted()).toEqual(['A', 'C']);
    expect(await shownBelow(other)).toEqual(['B']);
    expect(await pathTo(other, b)).toEqual([expect.objectContaining({ node: null, root_record_uri: other })]);
    expect((await api.get(`${root}/tree/node?node_uri=${encodeURIComponent(b)}`)).status).toBeGreaterThanOrEqual(400);
    ok(await api.del(`${c}?`));
    expect(await shownBelow(root, series)).toEqual(['A']);
    ok(await api.del(series));
    expect(await shownBelow(root)).toEqual([]);
    expect(ok(await api.get(`${root}/tree/root`))).toMatchObject({ child_count: 0, waypoints: 0 });
  });

  it('follows what is dragged: within a level, below another node, and back to the top', async () => {
    const root = await resource();
    const nodes = new Map<string, string>();
    for (const title of ['A', 'B', 'C', 'D']) nodes.set(title, await component(root, title));
    const of = (title: string): string => nodes.get(title) ?? '';
    const drag = (target: string, position: number, ...titles: readonly string[]): Promise<Reply> =>
      form(`${target}/accept_children`, [
        ...titles.map((title) => ['children[]', of(title)] as const),
        ['position', String(position)],
      ]);
    expect(ok(await drag(root, 0, 'C', 'D'))).toMatchObject({ status: 'Updated', id: idOf(root) });
    expect(await shownBelow(root)).toEqual(['C', 'D', 'A', 'B']);
    expect(ok(await drag(of('A'), 0, 'C', 'B'))).toMatchObject({ status: 'Updated', id: idOf(of('A')) });
    expect(await shownBelow(root)).toEqual(['D', 'A']);
    expect(await shownBelow(root, of('A'))).toEqual(['C', 'B']);
    expect(await pathTo(root, of('B'))).toEqual([
      expect.objectContaining({ node: null }),
      expect.objectContaining({ node: of('A') }),
    ]);
    expect((await drag(of('B'), 0, 'A')).json).toEqual({ error: "Can't make a parent into its own child" });
    ok(await drag(root, 1, 'B'));
    expect(await shownBelow(root)).toEqual(['D', 'B', 'A']);
  });
});

describe('rapid data entry', () => {
  const row = (title: string, more: object = {}): object => ({
    ...{ jsonmodel_type: 'archival_object', title, level: 'file', publish: false, restrictions_apply: false },
    ...{ is_slug_auto: false, has_unpublished_ancestor: false, external_ids: [], subjects: [], notes: [] },
    ...{ linked_agents: [], instances: [], ancestors: [], resource: { ref: `${R}/resources/1` }, ...more },
  });
  const rows = (...children: readonly object[]): object => ({ jsonmodel_type: 'archival_record_children', children });

  it('makes its rows below a resource or a component, or tells which row is wrong in what and makes none', async () => {
    const root = await resource();
    const date = { dates: [{ label: 'creation', date_type: 'single', begin: '1901' }] };
    const reply = ok(await json(`${root}/children`, rows(row('First', date), row('Second'))));
    expect(reply).toMatchObject({ status: 'Updated', id: idOf(root) });
    expect(await shownBelow(root)).toEqual(['First', 'Second']);
    const first = ok(await api.get(`${root}/tree/waypoint?parent_node&offset=0`))[0].uri;
    ok(await json(`${first}/children`, rows(row('Third'))));
    expect(await shownBelow(root, first)).toEqual(['Third']);
    const wrong = await json(`${root}/children`, rows(row('Fourth'), row('', { level: 'otherlevel' })));
    expect([wrong.status, Object.keys(wrong.json.error)]).toEqual([
      400,
      expect.arrayContaining(['children/1/other_level']),
    ]);
    expect(await shownBelow(root)).toEqual(['First', 'Second']);
  });

  it('keeps its templates', async () => {
    const body = {
      ...{ name: 'Letters', record_type: 'archival_object', order: ['colLevel', 'colTitle'], visible: ['colTitle'] },
      ...{ defaults: { colLevel: 'file' }, jsonmodel_type: 'rde_template' },
    };
    const { uri } = ok(await json(`${R}/rde_templates`, body));
    expect(ok(await api.get(`${R}/rde_templates?`))).toEqual([expect.objectContaining({ name: 'Letters', uri })]);
    expect(ok(await api.get(uri)).defaults).toEqual({ colLevel: 'file' });
    ok(await form('/batch_delete', [['record_uris[]', uri]]));
    expect((await api.get(uri)).status).toBe(404);
  });

  it('makes components of digital objects', async () => {
    const object = await api.create(`${R}/digital_objects`, { title: 'Scans', digital_object_id: `w${(n += 1)}` });
    const children = ['Page 1', 'Page 2'].map((title) => ({
      ...{ jsonmodel_type: 'digital_object_component', title, digital_object: { ref: object }, file_versions: [] },
    }));
    ok(await json(`${object}/children`, { jsonmodel_type: 'digital_record_children', children }));
    expect(await shownBelow(object)).toEqual(['Page 1', 'Page 2']);
  });
});

it('default values are stored as the form has them, and replaced with their version', async () => {
  const path = `${R}/default_values/archival_object`;
  const body = (title: string, version: number): object => ({
    ...{ record_type: 'archival_object', lock_version: String(version), jsonmodel_type: 'default_values' },
    ...{ defaults: { title, notes: [{ jsonmodel_type: 'note_multipart' }] } },
  });
  expect(ok(await json(path, body('One', 0)))).toMatchObject({ status: 'Updated', id: '2_archival_object' });
  const { lock_version: version, defaults } = ok(await api.get(`${path}?`));
  expect(defaults).toMatchObject({ title: 'One', notes: [{ jsonmodel_type: 'note_multipart' }] });
  ok(await json(path, body('Two', version)));
  expect((await json(path, body('Late', version))).status).toBe(409);
});

describe('container management', () => {
  it('finds containers and changes those that are ticked, one way after the other', async () => {
    const [one, two] = [await box('w1', { barcode: 'bw1' }), await box('w2')];
    const place = await api.create('/locations', { building: 'W', barcode: 'pw' });
    const ids: Fields = [one, two].map((uri) => ['ids[]', String(idOf(uri))]);
    expect(ok(await form(`${R}/top_containers/batch/ils_holding_id`, [...ids, ['ils_holding_id', 'h1']]))).toEqual({
      records_updated: 2,
    });
    ok(await form(`${R}/top_containers/batch/location`, [...ids, ['location_uri', place]]));
    ok(await form(`${R}/top_containers/batch/container_profile`, [...ids, ['container_profile_uri', '']]));
    expect(ok(await json(`${R}/top_containers/bulk/barcodes`, { [one]: 'bw2', [two]: 'bw1' })).updated).toHaveLength(2);
    ok(await json(`${R}/top_containers/bulk/indicators`, { [one]: 'w10', [two]: null }));
    ok(await json(`${R}/top_containers/bulk/locations`, { [one]: place }));
    expect(ok(await api.get(`${one}?resolve%5B%5D=container_locations`))).toMatchObject({
      ...{ barcode: 'bw2', indicator: 'w10', ils_holding_id: 'h1' },
      container_locations: [{ ref: place, status: 'current' }],
    });
    const clash = await json(`${R}/top_containers/bulk/barcodes`, { [one]: 'bw1', [two]: 'bw1' });
    expect([clash.status, Object.keys(clash.json.error)]).toEqual([400, ['barcode']]);
    await using _indexer = await startIndexer(api.database);
    await untilIndexed(api.database);
    const found = ok(await api.get(`${R}/top_containers/search?q=w10&page=1&type%5B%5D=top_container`));
    expect([found.response.docs.map(({ id }: { id: string }) => id), found.responseHeader.params.rows]).toEqual([
      [one],
      expect.any(String),
    ]);
    const none = await form(`${R}/top_containers/batch/location`, [...ids, ['location_uri', '/locations/9999']]);
    expect([none.status, none.json.error]).toEqual([200, 'Location not found: /locations/9999']);
  });

  it('merges containers, and deletes what is ticked', async () => {
    const [stays, goes] = [await box('m1'), await box('m2')];
    const root = await resource();
    const held = await component(root, 'Held', {
      instances: [{ instance_type: 'text', sub_container: { top_container: { ref: goes } } }],
    });
    ok(await json('/merge_requests/top_container?repo_id=2', merging('top_container', stays, goes)));
    expect(ok(await api.get(held)).instances[0].sub_container.top_container.ref).toBe(stays);
    ok(await form('/batch_delete', [['record_uris[]', stays]]));
    expect(ok(await api.get(held)).instances).toEqual([]);
  });
});

/** A request to merge as the form sends it. */
const merging = (of: string, into: string, ...others: readonly string[]): object => ({
  ...{ jsonmodel_type: 'merge_request', uri: `merge_requests/${of}`, merge_destination: { ref: into } },
  merge_candidates: others.map((ref) => ({ ref })),
});

describe('merging', () => {
  it('of agents, shown before it is done', async () => {
    const [stays, goes] = [await person('Stays'), await person('Goes')];
    const detailed = {
      ...{ jsonmodel_type: 'merge_request_detail', uri: 'merge_requests/agent_detail' },
      ...{ merge_destination: { ref: stays }, merge_candidates: [{ ref: goes }] },
      selections: { names: [{ primary_name: 'REPLACE', position: '0' }] },
    };
    expect(ok(await json('/merge_requests/agent_detail?dry_run=true', detailed)).result.names[0].primary_name).toBe(
      'Goes',
    );
    expect((await api.get(goes)).status).toBe(200);
    expect(ok(await json('/merge_requests/agent_detail', detailed))).toMatchObject({
      ...{ id: idOf(stays), merge_destination_uri: stays, deleted_uris: [goes] },
    });
    expect(ok(await api.get(stays)).names[0].primary_name).toBe('Goes');
  });

  it('of subjects, resources and digital objects', async () => {
    const subject = (term: string): Promise<string> =>
      api.create('/subjects', {
        ...{ vocabulary: '/vocabularies/1', source: 'local' },
        terms: [{ vocabulary: '/vocabularies/1', term, term_type: 'topical' }],
      });
    const object = (title: string): Promise<string> =>
      api.create(`${R}/digital_objects`, { title, digital_object_id: `m${(n += 1)}` });
    const [tides, waves] = [await subject('Tides'), await subject('Waves')];
    const [stays, goes] = [
      await resource({ subjects: [{ ref: tides }] }),
      await resource({ subjects: [{ ref: waves }] }),
    ];
    await component(goes, 'Of the other');
    const [kept, gone] = [await object('Kept'), await object('Gone')];
    ok(await json('/merge_requests/subject', merging('subject', tides, waves)));
    ok(await json('/merge_requests/resource?repo_id=2', merging('resource', stays, goes)));
    ok(await json('/merge_requests/digital_object?repo_id=2', merging('digital_object', kept, gone)));
    expect(ok(await api.get(stays)).subjects).toEqual([expect.objectContaining({ ref: tides })]);
    expect(await shownBelow(stays)).toEqual(['Of the other']);
    expect((await api.get(gone)).status).toBe(404);
  });
});

describe('what is done in the background', () => {
  it('copies a resource, replaces in its records and prints it', async () => {
    const root = await resource({ title: 'Łódź papers' });
    await component(root, 'Letter 1');
    await component(root, 'Letter 2', { publish: false });
    const copied = await run({ job_type: 'resource_duplicate_job', ...{ source: root } });
    expect([copied.status, copied.records.length], copied.log).toEqual(['completed', 1]);
    const copy = copied.records[0] ?? '';
    expect(ok(await api.get(copy)).title).toBe('[Duplicated] Łódź papers');
    const replaced = await run({
      ...{ job_type: 'find_and_replace_job', base_record_uri: copy, record_type: 'archival_object' },
      ...{ property: 'title', find: 'Letter', replace: 'Brief' },
    });
    expect([replaced.status, replaced.records.length], replaced.log).toEqual(['completed', 2]);
    expect(await shownBelow(copy)).toEqual(['Brief 1', 'Brief 2']);
    const printed = await run({ job_type: 'print_to_pdf_job', ...{ source: root, include_unpublished: false } });
    expect(printed.status, printed.log).toBe('completed');
    const [file] = ok(await api.get(`${printed.uri}/output_files?`));
    const bytes = await fetch(`${api.url}${printed.uri}/output_files/${file}`, {
      headers: { 'x-service-session': api.session },
    });
    const { text } = readPdf(new Uint8Array(await bytes.arrayBuffer()));
    expect(text).toContain('Łódź papers');
    expect(text).not.toContain('Letter 2');
  });
});

describe('people without the rights of an administrator', () => {
  const login = async (username: string): Promise<string> =>
    ok(
      await api.ask(`/users/${username}%2Flogin`, {
        form: new URLSearchParams({ password: 'longer-pass-1', expiring: 'false' }),
        session: null,
      }),
    ).session;
  const groupOf = async (code: string, repository = R): Promise<string> => {
    const groups: { group_code: string; uri: string }[] = ok(await api.get(`${repository}/groups?`));
    return groups.find(({ group_code: of }) => of === code)?.uri ?? '';
  };

  it('are made by a form, get their groups by another, and may do what these say', async () => {
    const body = { username: 'clerk', name: 'Clerk', is_system_user: false, is_active_user: false, is_admin: false };
    const { uri } = ok(
      await json('/users?repo_id=2&password=longer-pass-1', { ...body, jsonmodel_type: 'user', groups: [] }),
    );
    ok(
      await form(`${uri}/groups`, [
        ['groups[]', await groupOf('repository-basic-data-entry')],
        ['remove_groups', 'true'],
        ['repo_id', '2'],
      ]),
    );
    const clerk = await login('clerk');
    const { permissions } = ok(await api.get('/users/current-user?repo_id=2', clerk));
    expect(permissions[R]).toEqual(expect.arrayContaining(['view_repository', 'update_resource_record']));
    expect(permissions[R]).not.toContain('delete_archival_record');
    const made = ok(
      await json(`${R}/accessions`, { title: 'A', id_0: `c${(n += 1)}`, accession_date: '2020-01-01' }, clerk),
    );
    expect((await api.del(made.uri, clerk)).status).toBe(403);
    expect((await form(`${made.uri}/suppressed`, [['suppressed', 'true']], clerk)).status).toBe(403);
    expect((await form(`${made.uri}/transfer`, [['target_repo', '/repositories/3']], clerk)).status).toBe(403);
    expect((await form('/batch_delete', [['record_uris[]', made.uri]], clerk)).status).toBe(403);
    expect((await form('/repositories/2/transfer', [['target_repo', '/repositories/3']], clerk)).status).toBe(403);
    expect(
      (await json('/merge_requests/subject', merging('subject', '/subjects/1', '/subjects/2'), clerk)).status,
    ).toBe(403);
    expect((await api.get('/repositories/3/resources?page=1', clerk)).status).toBe(403);
    const { lock_version: version } = ok(await api.get(uri));
    ok(await json(`${uri}?repo_id=2`, { ...body, name: 'Clerk K', lock_version: String(version) }));
    expect(ok(await api.get(uri))).toMatchObject({ name: 'Clerk K', is_active_user: true });
  });

  it('let a manager do the work of managers, in the own repository alone', async () => {
    const { uri } = ok(
      await json('/users?repo_id=2&password=longer-pass-1', {
        username: 'chief',
        name: 'Chief',
        jsonmodel_type: 'user',
      }),
    );
    ok(
      await form(`${uri}/groups`, [
        ['groups[]', await groupOf('repository-managers')],
        ['remove_groups', 'true'],
        ['repo_id', '2'],
      ]),
    );
    const chief = await login('chief');
    const root = ok(await json(`${R}/resources`, resourceBody(`W${(n += 1)}`), chief)).uri;
    const file = ok(
      await json(`${R}/archival_objects`, { title: 'F', level: 'file', resource: { ref: root } }, chief),
    ).uri;
    ok(await form(`${root}/publish`, [], chief));
    ok(await form(`${file}/suppressed`, [['suppressed', 'true']], chief));
    ok(await json(`${R}/default_values/resource`, { record_type: 'resource', lock_version: '0', defaults: {} }, chief));
    expect(
      (await json('/repositories/3/default_values/resource', { record_type: 'resource', defaults: {} }, chief)).status,
    ).toBe(403);
    ok(await api.del(root, chief));
  });
});

it('all records of a repository go to another, whose screens show them', async () => {
  const from = await api.repository('FROM');
  const to = await api.repository('INTO');
  const [F, T] = [`/repositories/${from}`, `/repositories/${to}`];
  const root = await api.create(`${F}/resources`, resourceBody(`W${(n += 1)}`));
  await api.create(`${F}/archival_objects`, { title: 'File', level: 'file', resource: { ref: root } });
  await api.create(`${F}/accessions`, { title: 'A', id_0: `t${(n += 1)}`, accession_date: '2020-01-01' });
  ok(await form(`${F}/transfer`, [['target_repo', T]]));
  expect(ok(await api.get(`${F}/resources?page=1`)).total).toBe(0);
  expect(ok(await api.get(`${T}/accessions?page=1`)).total).toBe(1);
  expect(await shownBelow(root.replace(F, T))).toEqual(['File']);
  ok(await api.del(`${F}?`));
  expect((await api.get(F)).status).toBe(404);
});
