// What CONTRIBUTING promises: an addition that names only the files of its recipe is all there, on the wire too. The files in
// test/fixtures/additions are laid over a copy of the tree, which is generated, type-checked and started.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyTree } from '../support/copied-tree.ts';
import { createDatabase } from '../support/database.ts';
import { isLong } from '../support/long.ts';
import { resourceBody } from '../support/records.ts';
import type { Service } from '../support/service.ts';
import { ask, login, makeDataDir, startService } from '../support/service.ts';

const additions = fileURLToPath(new URL('../fixtures/additions', import.meta.url));

const opened = new AsyncDisposableStack();
let service: Service;
let session = '';
let R = '';

beforeAll(async () => {
  const tree = opened.use(copyTree(additions));
  expect(tree.generate()).toMatchObject({ status: 0 });
  // As long as all the rest; in every commit the same declarations are checked without the additions (npm run check).
  if (isLong) expect(tree.checkTypes()).toEqual({ status: 0, output: '' });
  const database = opened.use(await createDatabase());
  const data = opened.use(makeDataDir());
  const variables = {
    DATABASE_URL: database.url,
    MUNIMENT_DATA_DIR: data.path,
    MUNIMENT_ADMIN_PASSWORD: 'admin',
    MUNIMENT_WORKER_THREADS: '1',
  };
  service = opened.use(await startService(variables, 'apps/main.ts', tree.root));
  session = await login(service, 'admin');
  const { body } = await ask(service, '/repositories', session, { repo_code: 'NEW', name: 'Newcomers' });
  R = String(body['uri']);
});
afterAll(() => opened.disposeAsync());

/** The text of a reply that is no JSON. */
const textAt = async (path: string): Promise<string> =>
  (await fetch(`${service.url}${path}`, { headers: { 'x-service-session': session } })).text();

describe('a kind', () => {
  const agreements = (): string => `${R}/deposit_agreements`;
  const found = async (query: string): Promise<unknown> => {
    const { body } = await ask(service, `${R}/search?q=${query}&type[]=deposit_agreement&page=1`, session);
    return Array.isArray(body['results']) ? body['results'].map((one: Record<string, unknown>) => one['title']) : body;
  };

  it('is created, unique as it says, changed, listed, and described', async () => {
    const resource = await ask(service, `${R}/resources`, session, resourceBody('K1', { title: 'Pilots' }));
    const refs = { resources: [{ ref: String(resource.body['uri']) }] };
    const body = { number: 'D1', title: 'Harbour authority', depositor: 'City of Bergen', ...refs };
    const made = await ask(service, agreements(), session, body);
    expect(made).toMatchObject({ status: 200, body: { status: 'Created', uri: `${agreements()}/1` } });
    expect((await ask(service, agreements(), session, { ...body, title: 'Another' })).body).toEqual({
      error: { number: ['That number is already in use'] },
    });
    expect((await ask(service, agreements(), session, { title: 'Without' })).status).toBe(400);
    const read = await ask(service, `${agreements()}/1?resolve[]=resources`, session);
    expect(read.body).toMatchObject({ ...body, resources: [{ ...refs.resources[0], _resolved: { title: 'Pilots' } }] });
    const changed = await ask(service, `${agreements()}/1`, session, {
      ...read.body,
      terms_of_use: 'Ask for lampreys',
    });
    expect(changed).toMatchObject({ status: 200, body: { status: 'Updated' } });
    expect((await ask(service, `${agreements()}?page=1`, session)).body).toMatchObject({ total: 1 });
    expect((await ask(service, `${agreements()}/1`)).status).toBe(403);
    expect(await textAt('/openapi.json')).toContain('deposit_agreements/{id}');
  });

  it('is found by its title, its texts, its identifier and its own field, and no more where it is suppressed or gone', async () => {
    await expect.poll(() => found('lampreys')).toEqual(['Harbour authority']);
    for (const query of ['harbour', 'identifier:D1', 'depositor_u_sstr:"City of Bergen"'])
      expect([query, await found(query)]).toEqual([query, ['Harbour authority']]);
    const suppress = (value: boolean) => ask(service, `${agreements()}/1/suppressed?suppressed=${value}`, session, {});
    expect(await suppress(true)).toMatchObject({ status: 200, body: { status: 'Suppressed' } });
    await ask(service, '/users?password=secret', session, { username: 'ben', name: 'Ben' });
    await ask(service, `${R}/groups`, session, {
      group_code: 'readers',
      description: 'may read',
      member_usernames: ['ben'],
      grants_permissions: ['view_repository'],
    });
    const ben = String((await ask(service, '/users/ben/login?password=secret', '', {})).body['session']);
    expect((await ask(service, `${R}/search?q=lampreys&page=1`, ben)).body).toMatchObject({ total_hits: 0 });
    expect((await ask(service, `${agreements()}/1`, ben)).status).toBe(404);
    await suppress(false);
    const again = async () => (await ask(service, `${R}/search?q=lampreys&page=1`, ben)).body;
    await expect.poll(again).toMatchObject({ total_hits: 1 });
    const headers = { 'x-service-session': session };
    const gone = await fetch(`${service.url}${agreements()}/1`, { method: 'DELETE', headers });
    expect(gone.status).toBe(200);
    await expect.poll(() => found('lampreys')).toEqual([]);
  });
});

describe('a job', () => {
  const job = (parameters: object): object => ({
    jsonmodel_type: 'job',
    job: { jsonmodel_type: 'title_list_job', ...parameters },
  });

  it('is on offer, with its permissions and its place among the others', async () => {
    const { body } = await ask(service, '/job_types');
    expect(body['title_list_job']).toEqual({
      create_permissions: ['update_accession_record'],
      cancel_permissions: [],
    });
    expect(Object.keys(body)).toEqual(Object.keys(body).toSorted());
  });

  it('refuses what its declaration refuses', async () => {
    const refused = async (parameters: object): Promise<unknown> => {
      const { status, body } = await ask(service, `${R}/jobs`, session, job(parameters));
      return [status, body['error']];
    };
    expect(await refused({})).toEqual([400, { heading: ['Property is required but was missing'] }]);
    expect(await refused({ heading: 'A', sorted: 'yes' })).toEqual([
      400,
      { sorted: ['Must be a boolean (you provided a String)'] },
    ]);
    expect(await refused({ heading: 'A\nB' })).toEqual([400, { heading: ['Must be one line'] }]);
    await ask(service, '/users?password=secret', session, { username: 'ann', name: 'Ann' });
    await ask(service, `${R}/groups`, session, {
      group_code: 'makers',
      description: 'may make jobs',
      member_usernames: ['ann'],
      grants_permissions: ['view_repository', 'create_job'],
    });
    const reply = await ask(service, '/users/ann/login?password=secret', '', {});
    const ann = String(reply.body['session']);
    expect((await ask(service, `${R}/jobs`, ann, job({ heading: 'A' }))).status).toBe(403);
  });

  it('runs, and leaves its log, its outcome, its file and its search document', async () => {
    for (const [index, title] of ['Tide tables', 'Charts'].entries())
      await ask(service, `${R}/accessions`, session, { title, id_0: `A${index}`, accession_date: '2020-01-01' });
    const made = await ask(service, `${R}/jobs`, session, job({ heading: 'Titles', sorted: true }));
    expect(made).toMatchObject({ status: 200, body: { status: 'Created' } });
    const uri = String(made.body['uri']);
    await expect.poll(async () => (await ask(service, uri, session)).body['status']).toBe('completed');
    expect((await ask(service, uri, session)).body).toMatchObject({
      job_type: 'title_list_job',
      inactive_record: false,
      job: { jsonmodel_type: 'title_list_job', heading: 'Titles', sorted: true },
      result: { titles: 2 },
    });
    expect(await textAt(`${uri}/log`)).toBe('2 titles\n');
    const [file] = Object.values((await ask(service, `${uri}/output_files`, session)).body);
    expect(await textAt(`${uri}/output_files/${String(file)}`)).toBe('Titles\nCharts\nTide tables\n');
    const search = `${R}/search?q=*&type[]=title_list_job&page=1`;
    await expect
      .poll(async () => (await ask(service, search, session)).body['results'])
      .toMatchObject([{ title: 'Title List', job_type: 'title_list_job' }]);
  });
});

describe('a format', () => {
  it('is exported: the document, its name, and what harvesters get', async () => {
    const { body } = await ask(service, '/repositories', session, {
      repo_code: 'OUT',
      name: 'Outlines',
      publish: true,
    });
    const repository = String(body['uri']);
    const made = await ask(
      service,
      `${repository}/resources`,
      session,
      resourceBody('H1', { title: 'Harbour', publish: true }),
    );
    const resource = { ref: String(made.body['uri']) };
    for (const [title, publish] of [
      ['Minutes', true],
      ['Drafts', false],
    ] as const)
      await ask(service, `${repository}/archival_objects`, session, { title, level: 'series', publish, resource });
    const path = `${repository}/resource_outlines/${resource.ref.split('/').at(-1)}`;
    expect(await textAt(`${path}.txt`)).toBe('Harbour\n  Minutes\n');
    expect(await textAt(`${path}.txt?include_unpublished=true&levels=true`)).toBe(
      'Harbour (collection)\n  Minutes (series)\n  Drafts (series)\n',
    );
    expect((await ask(service, `${path}.txt`)).status).toBe(403);
    expect((await ask(service, `${repository}/resource_outlines/999.txt`, session)).body).toEqual({
      error: 'Resource not found',
    });
    const file = await ask(service, `${path}.txt/metadata`, session);
    expect(file.body).toMatchObject({ mimetype: 'text/plain' });
    expect(file.body['filename']).toMatch(/_UTC__outline\.txt$/);
    expect(await textAt('/oai?verb=ListMetadataFormats')).toMatch(/oai_ead3.*oai_outline/s);
    expect(await textAt('/oai?verb=ListRecords&metadataPrefix=oai_outline')).toContain(
      '<outline xmlns="http://example.org/outline">Harbour\n  Minutes\n</outline>',
    );
    expect(await textAt('/openapi.json')).toContain('resource_outlines/{id}.txt');
  });

  it('is imported: the type is on offer, and a file of it becomes records', async () => {
    expect(await textAt(`${R}/jobs/import_types`)).toMatch(/subject_csv.*outline_text/s);
    const form = new FormData();
    const job = { jsonmodel_type: 'import_job', import_type: 'outline_text', filenames: ['subjects.txt'] };
    form.set('job', JSON.stringify({ jsonmodel_type: 'job', job }));
    form.append('files[]', new Blob(['Lighthouses\nPilots\n']), 'subjects.txt');
    const headers = { 'x-service-session': session };
    await fetch(`${service.url}${R}/jobs_with_files`, { method: 'POST', headers, body: form });
    await expect.poll(async () => (await ask(service, '/subjects?all_ids=true', session)).body).toHaveLength(2);
    expect(await textAt('/subjects?id_set[]=1&id_set[]=2')).toMatch(/Lighthouses.*Pilots/s);
  });
});
