// Jobs as the contract has them (trees-and-jobs 3), sentence by sentence where no other test says it: the table of types and their permissions,
// lists, logs, files, and what becomes of old types.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '../support/api.ts';
import { idOf, ok, startTestApi } from '../support/api.ts';
import { endOfJob } from '../support/api-jobs.ts';
import { resourceBody } from '../support/records.ts';

let api: TestApi;
let repoId = 0;
let R = '';
// Without a worker what is queued stays so; the tests that need an end have a service of their own.
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  repoId = await api.repository();
  R = `/repositories/${repoId}`;
});
afterAll(() => api[Symbol.asyncDispose]());

// Many types ask for the same permissions.
const sessions = new Map<string, Promise<string>>();
/** A session of a user who has these permissions in the repository. */
function sessionWith(...permissions: readonly string[]): Promise<string> {
  const key = permissions.toSorted().join(' ');
  const session = sessions.get(key) ?? api.userWith(permissions, repoId);
  sessions.set(key, session);
  return session;
}

const body = (type: string, given: object = {}, more: object = {}): object => ({
  jsonmodel_type: 'job',
  job: { jsonmodel_type: type, ...given },
  ...more,
});
const sheet = { resource_id: '1', filename: 'a.csv', content_type: 'csv' };

/** Section 3.4: permissions on top of create_job and cancel_job, and parameters; the required ones first. */
const types: readonly {
  readonly type: string;
  readonly create: readonly string[];
  readonly cancel: readonly string[];
  readonly hidden?: true;
  readonly required: object;
  readonly optional?: object;
}[] = [
  {
    type: 'import_job',
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    required: { filenames: ['a.xml'], import_type: 'ead_xml' },
    optional: { import_events: '1', import_subjects: '1', import_repository: '1' },
  },
  {
    type: 'bulk_import_job',
    create: ['import_records'],
    cancel: ['cancel_importer_job'],
    required: { ...sheet, load_type: 'ao', format: 'csv' },
    optional: { only_validate: 'true' },
  },
  {
    type: 'top_container_linker_job',
    create: [],
    cancel: [],
    hidden: true,
    required: sheet,
    optional: { load_type: 'ao', only_validate: 'true' },
  },
  {
    type: 'find_and_replace_job',
    create: ['manage_repository'],
    cancel: ['manage_repository'],
    required: {
      find: 'a',
      replace: 'b',
      record_type: 'resource',
      property: 'title',
      base_record_uri: '/repositories/2/resources/1',
    },
  },
  {
    type: 'print_to_pdf_job',
    create: [],
    cancel: [],
    required: { source: '/repositories/2/resources/1' },
    optional: { include_unpublished: true },
  },
  {
    type: 'container_labels_job',
    create: [],
    cancel: [],
    required: { source: '/repositories/2/resources/1' },
    optional: { format: 'tsv' },
  },
  { type: 'report_job', create: [], cancel: [], required: { report_type: 'accession_report', format: 'csv' } },
  { type: 'trim_whitespace_job', create: [], cancel: [], required: {} },
  { type: 'generate_slugs_job', create: ['administer_system'], cancel: ['administer_system'], required: {} },
  { type: 'generate_arks_job', create: ['administer_system'], cancel: ['administer_system'], required: {} },
  {
    type: 'ns2_remover_job',
    create: ['administer_system'],
    cancel: ['administer_system'],
    required: {},
    optional: { dry_run: true },
  },
  {
    type: 'bulk_archival_object_updater_job',
    create: ['update_resource_record'],
    cancel: [],
    required: {},
    optional: { create_missing_top_containers: true },
  },
  {
    type: 'resource_duplicate_job',
    create: [],
    cancel: [],
    hidden: true,
    required: { source: '/repositories/2/resources/1' },
  },
];

describe('the types', () => {
  it.each(types)(
    '$type takes its parameters, asks for the required ones by name, and drops others',
    async ({ type, required, optional = {} }) => {
      const { uri } = ok(await api.post(`${R}/jobs`, body(type, { ...required, ...optional, nobody_knows: 1 })));
      expect(ok(await api.get(uri)).job).toMatchObject({ jsonmodel_type: type, ...required, ...optional });
      expect(ok(await api.get(uri)).job).not.toHaveProperty('nobody_knows');
      const names = Object.keys(required);
      if (names.length === 0) return;
      const refused = await api.post(`${R}/jobs`, body(type));
      expect([refused.status, Object.keys(refused.json.error).toSorted()]).toEqual([400, names.toSorted()]);
      for (const messages of Object.values(refused.json.error))
        expect(messages).toEqual(['Property is required but was missing']);
    },
  );

  it.each(types)(
    '$type asks for its permissions to be made and canceled, and for cancel_job alone to be deleted',
    async ({ type, create, cancel, required }) => {
      const isForAdministrators = create.includes('administer_system');
      const maker = isForAdministrators ? api.session : await sessionWith('create_job', 'view_repository', ...create);
      const uri = await api.create(`${R}/jobs`, body(type, required), maker);
      for (const missing of create) {
        const others = create.filter((code) => code !== missing && code !== 'administer_system');
        const session = await sessionWith('create_job', 'view_repository', ...others);
        expect((await api.post(`${R}/jobs`, body(type, required), session)).status).toBe(403);
      }
      const canceler = await sessionWith('cancel_job', 'view_repository');
      expect((await api.post(`${R}/jobs`, body(type, required), canceler)).status).toBe(403);
      expect((await api.post(`${uri}/cancel`, undefined, maker)).status).toBe(isForAdministrators ? 200 : 403);
      expect((await api.post(`${uri}/cancel`, undefined, canceler)).status).toBe(cancel.length === 0 ? 200 : 403);
      if (cancel.length > 0 && !isForAdministrators) {
        const full = await sessionWith('cancel_job', ...cancel);
        expect(ok(await api.post(`${uri}/cancel`, undefined, full))).toEqual({
          status: 'Updated',
          id: idOf(uri),
          lock_version: 1,
          stale: null,
        });
      }
      expect(ok(await api.get(uri)).status).toBe('canceled');
      expect((await api.del(uri, maker)).status).toBe(isForAdministrators ? 200 : 403);
      if (!isForAdministrators) expect(ok(await api.del(uri, canceler))).toEqual({ status: 'Deleted', id: idOf(uri) });
      expect((await api.get(uri)).json).toEqual({ error: 'Job not found' });
    },
  );

  it('are listed for everybody, hidden ones left out; so are the formats of imports, of a repository that there is', async () => {
    const listed = ok(await api.get('/job_types', null));
    expect(listed).toEqual(
      Object.fromEntries(
        types
          .filter(({ hidden }) => hidden !== true)
          .map(({ type, create, cancel }) => [type, { create_permissions: create, cancel_permissions: cancel }]),
      ),
    );
    const formats = ok(await api.get(`${R}/jobs/import_types`, null));
    for (const format of formats)
      expect(format).toEqual({ name: expect.any(String), description: expect.stringMatching(/^Import /) });
    expect(formats.map(({ name }: { readonly name: string }) => name).toSorted()).toEqual([
      'accession_csv',
      'assessment_csv',
      'atom_accession_csv',
      'atom_authority_csv',
      'atom_description_csv',
      'digital_object_csv',
      'eac_xml',
      'ead_xml',
      'location_csv',
      'marcxml',
      'marcxml_accession',
      'marcxml_auth_agent',
      'marcxml_subjects_and_agents',
      'subject_csv',
    ]);
    expect((await api.get('/repositories/99999/jobs/import_types', null)).status).toBe(400);
  });

  it('that are no longer there are shown by name, as inactive', async () => {
    const uri = await api.create(`${R}/jobs`, body('trim_whitespace_job'));
    await api.database.transaction((tx) =>
      tx.run(
        sql`UPDATE job SET body = replace(body::text, 'trim_whitespace_job', 'gone_job')::json WHERE id = ${idOf(uri)}`,
      ),
    );
    expect(ok(await api.get(uri))).toMatchObject({ job_type: 'gone_job', job: 'gone_job', inactive_record: true });
  });
});

describe('lists', () => {
  it('go by status as text and then id, whatever order is asked for', async () => {
    const own = `/repositories/${await api.repository()}`;
    const uris = [];
    for (let n = 0; n < 4; n++) uris.push(await api.create(`${own}/jobs`, body('trim_whitespace_job')));
    const [one = '', two = '', three = '', four = ''] = uris;
    await api.database.transaction(async (tx) => {
      await tx.run(sql`UPDATE job SET status = 'running', time_started = now() WHERE id = ${idOf(one)}`);
      await tx.run(sql`UPDATE job SET status = 'completed', time_finished = now() WHERE id = ${idOf(three)}`);
    });
    await api.post(`${four}/cancel`);
    for (const order of [
      '',
      '&sort_field=create_time&sort_direction=desc',
      '&sort_field=user_mtime&sort_direction=asc',
    ]) {
      const { results } = ok(await api.get(`${own}/jobs?page=1${order}`));
      expect(results.map((job: { readonly uri: string; readonly status: string }) => [job.status, job.uri])).toEqual([
        ['canceled', four],
        ['completed', three],
        ['queued', two],
        ['running', one],
      ]);
    }
    expect(ok(await api.get(`${own}/jobs/active`)).map(({ uri }: { readonly uri: string }) => uri)).toEqual([one, two]);
    for (const path of ['active', 'archived?page=1', two.split('/').at(-1)]) {
      const reply = ok(
        await api.get(`${own}/jobs/${path}${String(path).includes('?') ? '&' : '?'}resolve[]=repository`),
      );
      for (const job of [reply.results ?? reply].flat()) expect(job.repository._resolved).toMatchObject({ uri: own });
    }
    await api.database.transaction((tx) =>
      tx.run(sql`UPDATE job SET status = 'completed', time_finished = now() WHERE id = ${idOf(one)}`),
    );
  });

  it('tell how many jobs of any repository wait before one', async () => {
    const [here, there] = [`/repositories/${await api.repository()}`, `/repositories/${await api.repository()}`];
    const first = await api.create(`${here}/jobs`, body('trim_whitespace_job'));
    const second = await api.create(`${there}/jobs`, body('trim_whitespace_job'));
    const before = ok(await api.get(first)).queue_position;
    expect(ok(await api.get(second)).queue_position).toBe(before + 1);
    await api.post(`${first}/cancel`);
    expect(ok(await api.get(second)).queue_position).toBe(before);
    expect(ok(await api.get(first))).not.toHaveProperty('queue_position');
  });

  it.each([
    '?page=1',
    '/active',
    '/archived?page=1',
    '/1',
    '/1/log',
    '/1/output_files',
    '/1/output_files/1',
    '/1/records?page=1',
  ])('GET …/jobs%s is for those who may view the repository', async (path) => {
    const session = await sessionWith('create_job', 'cancel_job');
    expect((await api.get(`${R}/jobs${path}`, session)).status).toBe(403);
  });
});

describe('the log and the files', () => {
  it('of a job that has not begun are an empty text and no files; what is wrong with an offset is a 400', async () => {
    const uri = await api.create(`${R}/jobs`, body('trim_whitespace_job'));
    const log = await api.get(`${uri}/log`);
    expect([log.status, log.text, log.headers.get('content-length')]).toEqual([200, '', '0']);
    expect(log.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    for (const offset of ['-1', 'x', '1.5'])
      expect((await api.get(`${uri}/log?offset=${offset}`)).status, offset).toBe(400);
    expect(ok(await api.get(`${uri}/output_files`))).toEqual([]);
    expect((await api.get(`${uri}/output_files/1`)).status).toBe(404);
    expect((await api.get(`${uri}/records`)).status).toBe(400);
    expect(ok(await api.get(`${uri}/records?page=1`))).toEqual({
      first_page: 1,
      last_page: 1,
      this_page: 1,
      total: 0,
      results: [],
    });
    for (const path of ['', '/log', '/output_files', '/records?page=1'])
      expect((await api.get(`${R}/jobs/99999${path}`)).json).toEqual({ error: 'Job not found' });
    expect((await api.post(`${R}/jobs/99999/cancel`)).json).toEqual({ error: 'Job not found' });
  });

  it('files of a form with numbers come in the order of those as text', async () => {
    const form = new FormData();
    form.set('job', JSON.stringify(body('import_job', { filenames: ['a', 'b', 'c'], import_type: 'ead_xml' })));
    for (const n of [2, 10, 1]) form.append(`files[${n}]`, new Blob([`file ${n}`]), `${n}.xml`);
    const { uri } = ok(await api.ask(`${R}/jobs_with_files`, { form }));
    const ids: readonly number[] = ok(await api.get(`${uri}/output_files`));
    const texts = [];
    for (const id of ids) {
      const file = await api.get(`${uri}/output_files/${id}`);
      expect(file.headers.get('content-type')).toBe('application/octect-stream');
      texts.push(file.text);
    }
    expect(texts).toEqual(['file 1', 'file 10', 'file 2']);
  });
});

describe('what only the run can know', () => {
  it('fails the job with a log that says it', async () => {
    await using working = await startTestApi({ worker: 'jobs' });
    const own = `/repositories/${await working.repository()}`;
    const root = await working.create(`${own}/resources`, resourceBody('J'));
    const cases: readonly (readonly [string, object, string])[] = [
      ['container_labels_job', { source: `${own}/resources/99999` }, 'not found'],
      ['print_to_pdf_job', { source: `${own}/accessions/1` }, 'Must be the uri of a resource'],
      ['resource_duplicate_job', { source: '/repositories/1/resources/1' }, 'Must be the uri of a resource'],
      [
        'find_and_replace_job',
        { find: 'a', replace: 'b', record_type: 'resource', property: 'instances', base_record_uri: root },
        'Is no text',
      ],
    ];
    for (const [type, given, says] of cases) {
      const ended = await endOfJob(working, await working.create(`${own}/jobs`, body(type, given)));
      expect([type, ended.status, ended.log]).toEqual([type, 'failed', expect.stringContaining(says)]);
      // It is not tried again, and canceling it changes nothing.
      expect(ok(await working.post(`${ended.uri}/cancel`))).toMatchObject({ status: 'Updated' });
      expect(ok(await working.get(ended.uri)).status).toBe('failed');
    }
    const empty = await endOfJob(
      working,
      await working.create(`${own}/jobs`, body('import_job', { filenames: ['a'], import_type: 'ead_xml' })),
    );
    expect(empty).toMatchObject({ status: 'completed', records: [] });
  });
});

describe('a job for which there is nothing', () => {
  it('is refused when it is made, with what there is instead', async () => {
    const { reports } = ok(await api.get('/reports'));
    const report = await api.post(`${R}/jobs`, body('report_job', { report_type: 'no_report', format: 'csv' }));
    expect([report.status, report.json]).toEqual([
      400,
      { error: { report_type: [`Invalid value 'no_report'.  Must be one of: ${Object.keys(reports).join(', ')}`] } },
    ]);
    const given = { filenames: ['a.xml'], import_type: 'no_type' };
    const imported = await api.post(`${R}/jobs`, body('import_job', given));
    expect([imported.status, Object.keys(imported.json.error)]).toEqual([400, ['import_type']]);
    expect(imported.json.error.import_type[0]).toMatch(/^Invalid value 'no_type'\. {2}Must be one of: .*ead_xml/);
    const form = new FormData();
    form.append('job', JSON.stringify(body('import_job', given)));
    form.append('files[]', new Blob(['<ead/>']), 'a.xml');
    expect((await api.ask(`${R}/jobs_with_files`, { form })).json).toEqual(imported.json);
  });
});
