// Finding aids as PDF, over HTTP with a real worker: the GET, the job of clients, what is left out; a job run twice, and killed before its commit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printFindingAid } from '#domain/jobs/print-finding-aid.ts';
import { readCaller } from '#store/access/grants.ts';
import { AnyRow } from '#test/support/rows.ts';
import { sql } from '#store/connection/sql.ts';
import type { JobContext } from '../../../../apps/worker/handler.ts';
import { handler } from '../../../../apps/worker/jobs/print-finding-aid.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { endOfJob } from '#test/support/api-jobs.ts';
import type { ReadPdf } from '#test/support/pdf-text.ts';
import { readPdf } from '#test/support/pdf-text.ts';
import { resourceBody } from '#test/support/records.ts';
import { startPictures } from '#test/support/pictures.ts';
import { killedOnce, runHandler } from '#test/support/run-handler.ts';
import { sharedThreads } from '#test/support/threads.ts';

const note = (content: string, publish = true): object => ({
  jsonmodel_type: 'note_multipart',
  type: 'scopecontent',
  publish,
  subnotes: [{ jsonmodel_type: 'note_text', content, publish }],
});

type Made = { readonly R: string; readonly uri: string; readonly id: number };

/** A resource with a series, a file below it, and parts that nobody may see unasked. */
async function collection(
  api: TestApi,
  repoId: number,
  { suppresses = true, ...more }: { readonly suppresses?: boolean; readonly [property: string]: unknown } = {},
): Promise<Made> {
  const R = `/repositories/${repoId}`;
  const uri = await api.create(
    `${R}/resources`,
    resourceBody(`P${Math.random()}`, {
      title: 'Papers of <emph>Łukasz</emph>',
      publish: true,
      notes: [note('Letters and maps.'), note('LEAK-note', false)],
      ...more,
    } as never),
  );
  const id = Number(uri.split('/').at(-1));
  const component = (title: string, body: object): Promise<string> =>
    api.create(`${R}/archival_objects`, { title, publish: true, resource: { ref: uri }, ...body });
  const series = await component('Series One', { level: 'series', notes: [note('LEAK-series-note', false)] });
  await component('File A', {
    level: 'file',
    parent: { ref: series },
    dates: [{ label: 'creation', date_type: 'single', expression: 'May 1900' }],
  });
  await component('LEAK-file', { level: 'file', publish: false });
  // A job does it, so there must be a worker.
  if (!suppresses) return { R, uri, id };
  const suppressed = await component('SUPPRESSED', { level: 'file' });
  expect((await api.post(`${suppressed}/suppressed?suppressed=true`)).status).toBe(200);
  return { R, uri, id };
}

describe('with a worker', () => {
  let api: TestApi;
  let made: Made;
  beforeAll(async () => {
    api = await startTestApi({ worker: 'jobs', environment: { MUNIMENT_RELEASE: 'R-A' } });
    made = await collection(api, await api.repository('PDF'));
  });
  afterAll(() => api[Symbol.asyncDispose]());

  const fetched = async (path: string): Promise<{ readonly reply: Response; readonly pdf: ReadPdf }> => {
    const reply = await fetch(`${api.url}${path}`, { headers: { 'x-service-session': api.session } });
    return { reply, pdf: readPdf(new Uint8Array(await reply.arrayBuffer())) };
  };
  const document = (query = ''): string => `${made.R}/resource_descriptions/${made.id}.pdf${query}`;
  const output = async (uri: string): Promise<ReadPdf> => {
    const files = (await api.get(`${uri}/output_files`)).json;
    expect(files).toHaveLength(1);
    return (await fetched(`${uri}/output_files/${files[0]}`)).pdf;
  };
  const print = async (job: object, session = api.session): Promise<string> => {
    const reply = await api.post(
      `${made.R}/jobs`,
      { jsonmodel_type: 'job', job: { jsonmodel_type: 'print_to_pdf_job', ...job } },
      session,
    );
    expect(reply.status, reply.text).toBe(200);
    return reply.json.uri;
  };

  test('a GET answers the published finding aid', async () => {
    const { reply, pdf } = await fetched(document());
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(pdf.pages).toBeGreaterThanOrEqual(2);
    for (const text of ['Papers of Łukasz', 'Letters and maps.', 'Series One', 'File A', 'Dates: May 1900'])
      expect(pdf.text.split('\n')).toContain(text);
    expect(pdf.text).not.toMatch(/LEAK|SUPPRESSED/);
    expect(pdf.bookmarks.map(({ title }) => title)).toEqual(['Summary', 'Notes', 'Inventory', 'Series One']);
    expect(pdf.lines.filter(({ page }) => page === 2).map(({ text }) => text)).toContain('Series One1');
    expect((await api.get(`${made.R}/jobs?page=1`)).json.results).toEqual([]);
  });

  test('a GET shows what is not published, marked, where that is asked for, but nothing suppressed', async () => {
    const { pdf } = await fetched(document('?include_unpublished=true'));
    for (const text of ['LEAK-note', 'LEAK-series-note', 'LEAK-file [not published]'])
      expect(pdf.text.split('\n')).toContain(text);
    expect(pdf.text).not.toContain('SUPPRESSED');
  });

  test('a GET needs no right to make jobs, and is refused like its twins', async () => {
    const reader = await api.userWith(['view_repository'], Number(made.R.split('/').at(-1)));
    const reply = await fetch(`${api.url}${document()}`, { headers: { 'x-service-session': reader } });
    expect([
      reply.status,
      Buffer.from(await reply.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ]).toEqual([200, '%PDF-']);
    expect((await api.get(document(), await api.userWith([], Number(made.R.split('/').at(-1))))).status).toBe(403);
    const missing = await api.get(`${made.R}/resource_descriptions/99999.pdf`);
    expect([missing.status, missing.json]).toEqual([404, { error: 'Resource not found' }]);
  });

  test('a client that does not wait finds the document at the job', async () => {
    const reply = await api.ask(document(), { headers: { prefer: 'respond-async' } });
    expect(reply.status).toBe(202);
    expect(await endOfJob(api, reply.json.uri)).toMatchObject({ status: 'completed' });
    expect((await output(reply.json.uri)).text).toContain('Series One');
  });

  test('print_pdf leads from the XML to the PDF in release R-A alone', async () => {
    const reply = await api.get(
      `${made.R}/resource_descriptions/${made.id}.xml?print_pdf=true&include_unpublished=true`,
    );
    expect([reply.status, reply.headers.get('location')]).toEqual([
      302,
      document('?print_pdf=true&include_unpublished=true'),
    ]);
  });

  test('a job prints, warns of an unpublished resource, and refuses other sources', async () => {
    const uri = await print({ source: made.uri });
    const { status, log } = await endOfJob(api, uri);
    expect([status, log]).toEqual(['completed', expect.not.stringContaining('Warning')]);
    const pdf = await output(uri);
    expect(pdf.text).toContain('File A');
    expect(pdf.text).not.toContain('LEAK');
    const { uri: closed } = await collection(api, Number(made.R.split('/').at(-1)), { publish: false });
    const other = await print({ source: closed, include_unpublished: true });
    expect(await endOfJob(api, other)).toMatchObject({
      status: 'completed',
      log: expect.stringContaining('Warning: the resource is not published'),
    });
    expect((await output(other)).text).toContain('LEAK-file [not published]');
    // Whoever views the repository reads what was printed, but not of what is suppressed since.
    const viewer = await api.userWith(['view_repository'], Number(made.R.split('/').at(-1)));
    const [file] = (await api.get(`${other}/output_files`)).json;
    expect((await api.get(`${other}/output_files/${file}`, viewer)).status).toBe(200);
    expect((await api.post(`${closed}/suppressed?suppressed=true`)).status).toBe(200);
    const hidden = await api.get(`${other}/output_files/${file}`, viewer);
    expect([hidden.status, hidden.json]).toEqual([404, { error: 'Resource not found' }]);
    expect((await api.get(`${other}/output_files/${file}`)).status).toBe(200);
    expect((await endOfJob(api, await print({ source: '/repositories/999/resources/1' }))).status).toBe('failed');
    expect((await endOfJob(api, await print({ source: `${made.R}/resources/99999` }))).status).toBe('failed');
  });

  test('any script is printed, and what no font has is told in the log', async () => {
    const contacts = { jsonmodel_type: 'agent_contact', name: 'Archiwum', city: 'Łódź', email: 'a@example.org' };
    const repository = await api.repository();
    const stored = (await api.get(`/repositories/${repository}`)).json;
    const agent = (await api.get(stored.agent_representation.ref)).json;
    expect((await api.post(agent.uri, { ...agent, agent_contacts: [contacts] })).status).toBe(200);
    const { uri } = await collection(api, repository, {
      suppresses: false,
      title: 'ניירות, أوراق, Αρχεία, Архив, हिन्दी',
      finding_aid_language: 'heb',
      notes: [note('日本 <extref href="https://example.org/map">Map</extref>')],
    });
    const job = { jsonmodel_type: 'job', job: { jsonmodel_type: 'print_to_pdf_job', source: uri } };
    const reply = await api.post(`/repositories/${repository}/jobs`, job);
    const { status, log } = await endOfJob(api, reply.json.uri);
    expect([status, log]).toEqual([
      'completed',
      expect.stringContaining(
        'no font is installed for 2 characters (script Han), which are shown as boxes; the package @expo-google-fonts/noto-sans-jp has them',
      ),
    ]);
    const pdf = await output(reply.json.uri);
    const [title = ''] = pdf.lines.filter(({ text }) => text.includes('हिन्दी')).map(({ text }) => text);
    for (const word of ['ניירות', 'أوراق', 'Αρχεία', 'Архив']) expect(title).toContain(word);
    for (const line of ['Łódź', 'a@example.org', '日本 Map (https://example.org/map)'])
      expect(pdf.text.split('\n')).toContain(line);
    expect(pdf.catalog).toContain('/Lang (he)');
    expect(pdf.links).toContainEqual({ page: 3, address: 'https://example.org/map' });
    expect(pdf.text).not.toContain('?');

    // Whoever views the repository finds the job, and what is printed for somebody else shows what that one sees.
    expect((await api.get(reply.json.uri)).json.result).toMatchObject({ contacts: true });
    const viewer = await api.userWith(['view_repository', 'create_job'], repository);
    const [file] = (await api.get(`${reply.json.uri}/output_files`, viewer)).json;
    const refused = await api.get(`${reply.json.uri}/output_files/${file}`, viewer);
    expect([refused.status, refused.json]).toEqual([403, { error: 'Access denied' }]);
    // Agents belong to no repository, so that the permission counts wherever it is held.
    const elsewhere = await api.repository();
    const both = await api.userWith(['view_repository'], repository);
    const { username } = (await api.get('/users/current-user', both)).json;
    await api.create(`/repositories/${elsewhere}/groups`, {
      group_code: 'contacts',
      description: 'Contacts',
      member_usernames: [username],
      grants_permissions: ['view_agent_contact_record'],
    });
    expect((await api.get(`${reply.json.uri}/output_files/${file}`, both)).status).toBe(200);
    const own = await api.post(`/repositories/${repository}/jobs`, job, viewer);
    expect((await endOfJob(api, own.json.uri)).status).toBe('completed');
    const [plain] = (await api.get(`${own.json.uri}/output_files`, viewer)).json;
    const mine = await fetch(`${api.url}${own.json.uri}/output_files/${plain}`, {
      headers: { 'x-service-session': viewer },
    });
    const { text } = readPdf(new Uint8Array(await mine.arrayBuffer()));
    expect(text).toContain('Map');
    expect(text).not.toContain('a@example.org');
  });

  test('a job of a client needs rights of its owner, whatever it says of itself', async () => {
    const refused = await print(
      { source: made.uri, of_request: true },
      await api.userWith(['create_job'], Number(made.R.split('/').at(-1))),
    );
    expect(await endOfJob(api, refused)).toMatchObject({
      status: 'failed',
      log: expect.stringContaining('view_repository'),
    });
    // Otherwise a client could pass for a GET.
    expect((await api.get(refused)).json.job).toEqual({ jsonmodel_type: 'print_to_pdf_job', source: made.uri });
  });
});

test('a job that is killed before its commit leaves no file of a job, and run again, or twice, it prints the same and tells how far it is', async () => {
  await using quiet = await startTestApi({ worker: false });
  const { uri } = await collection(quiet, await quiet.repository(), { suppresses: false });
  const xml = await quiet.get(`${uri.replace('/resources/', '/resource_descriptions/')}.xml?print_pdf=true`);
  expect([xml.status, xml.headers.get('content-type')], 'R-B knows no print_pdf').toEqual([
    200,
    expect.stringContaining('application/xml'),
  ]);
  const caller = await readCaller(quiet.database.reader, 'admin');
  const threads = await sharedThreads();
  const payload = {
    repoId: Number(uri.split('/')[2]),
    actor: 'admin',
    job: { jsonmodel_type: 'print_to_pdf_job', source: uri },
    params: {},
  };
  const files = () => quiet.database.reader.any(sql.type(AnyRow)`SELECT job_id FROM job_file`);
  await expect(killedOnce(quiet.database, printFindingAid, handler, payload, { caller, threads })).rejects.toThrow(
    'killed',
  );
  expect(await files()).toHaveLength(0);
  const told: unknown[] = [];
  const progress: JobContext['progress'] = (far) => void told.push(far);
  const first = await runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads, progress });
  expect(told.at(-1)).toEqual({ label: 'Printing', done: 2, total: 2 });
  const second = await runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads });
  expect([first, second]).toEqual([
    { pages: 3, components: 2 },
    { pages: 3, components: 2 },
  ]);
  expect(await files()).toHaveLength(2);
  // A client that has gone: the thread is free for the next one.
  await expect(
    runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads, signal: AbortSignal.abort() }),
  ).rejects.toThrow();
  expect(await runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads })).toEqual(first);
  // The logo of the repository, from its address, which may be a private one only where the operator says so.
  await using pictures = await startPictures();
  const place = `/repositories/${payload.repoId}`;
  const stored = (await quiet.get(place)).json;
  expect((await quiet.post(place, { ...stored, image_url: `${pictures.url}/logo.png` })).status).toBe(200);
  const logs: string[] = [];
  const log = (line: string): void => void logs.push(line);
  const allowed = {
    importFaults: 1,
    eadAgents: 'external',
    customReports: false,
    diskReserveBytes: 0,
    allowPrivate: true,
  } as const;
  await runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads, log, options: allowed });
  expect([logs.filter((line) => line.includes('logo')), pictures.asked]).toEqual([[], 1]);
  await runHandler(quiet.database, printFindingAid, handler, payload, { caller, threads, log });
  expect(logs.filter((line) => line.includes('logo'))).toEqual([expect.stringContaining('private network')]);
  expect(pictures.asked).toBe(1);
});
