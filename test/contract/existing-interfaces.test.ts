// The requests that the incumbent's staff and public interfaces send (data/interface-requests.jsonl), as they are, on records like those they
// were sent for: none is answered worse than recorded. See docs/guides/existing-interfaces.md.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '#domain/json.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { idOf, ok, startTestApi } from '#test/support/api.ts';

type Recorded = {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
  readonly status: number;
};

const recorded: readonly Recorded[] = readFileSync(new URL('data/interface-requests.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

// What was recorded as a refusal that the interfaces had to work around.
const mended: readonly string[] = ['/repositories/2/resources/marc21/11.xml?include_unpublished_marc'];

/** The addresses that records had when the requests were recorded, of those that the requests themselves made. */
const madeOnTheWay: { readonly [collection: string]: string } = {
  '/repositories/with_agent': '/repositories/with_agent/7',
  '/repositories/2/accessions': '/repositories/2/accessions/5',
  '/repositories/2/resources': '/repositories/2/resources/17',
  '/repositories/2/archival_objects': '/repositories/2/archival_objects/5032',
  '/agents/people': '/agents/people/101',
  '/locations': '/locations/15',
  '/repositories/2/assessments': '/repositories/2/assessments/3',
};

let api: TestApi;
const addresses = new Map<string, string>();

beforeAll(async () => {
  api = await startTestApi({
    environment: {
      MUNIMENT_PUBLIC_USER_PASSWORD: 'secret',
      MUNIMENT_STAFF_USER_PASSWORD: 'secret',
      MUNIMENT_SEARCH_USER_PASSWORD: 'secret',
    },
  });
  const repo = await api.repository('ONE');
  await api.repository('TWO');
  expect(repo).toBe(2);
  await makeRecords();
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** Records at the recorded addresses, by addresses of their own. */
async function makeRecords(): Promise<void> {
  const make = async (at: string, path: string, body: object): Promise<string> => {
    const uri = await api.create(path, body);
    addresses.set(at, uri);
    return uri;
  };
  const described = {
    level: 'collection',
    lang_materials: [{ language_and_script: { language: 'eng' } }],
    dates: [{ label: 'creation', date_type: 'single', begin: '1900' }],
    extents: [{ portion: 'whole', number: '1', extent_type: 'cubic_feet' }],
    finding_aid_language: 'eng',
    finding_aid_script: 'Latn',
    publish: true,
  };
  const profile = await make('/container_profiles/1', '/container_profiles', {
    name: 'Box',
    dimension_units: 'inches',
    extent_dimension: 'width',
    depth: '1',
    height: '1',
    width: '1',
  });
  const box = await make('/repositories/2/top_containers/137', '/repositories/2/top_containers', {
    indicator: '900',
    container_profile: { ref: profile },
  });
  const instances = [{ instance_type: 'mixed_materials', sub_container: { top_container: { ref: box } } }];
  const resource = await make('/repositories/2/resources/11', '/repositories/2/resources', {
    title: 'Harbour',
    id_0: 'H11',
    ...described,
    instances,
  });
  await make('/repositories/2/resources/1', '/repositories/2/resources', { title: 'Other', id_0: 'H1', ...described });
  for (const id of [1647, 1648, 1650, 1651, 1652])
    await make(`/repositories/2/archival_objects/${id}`, '/repositories/2/archival_objects', {
      title: `File ${id}`,
      level: 'file',
      resource: { ref: resource },
    });
  await make('/repositories/2/digital_objects/34', '/repositories/2/digital_objects', {
    title: 'D',
    digital_object_id: 'd34',
  });
  await make('/repositories/2/accessions/1', '/repositories/2/accessions', {
    title: 'A',
    id_0: 'A1',
    accession_date: '2020-01-01',
  });
  await make('/repositories/2/classifications/1', '/repositories/2/classifications', { identifier: 'C1', title: 'C' });
  await make('/agents/people/88', '/agents/people', {
    names: [{ primary_name: 'P', sort_name: 'P', name_order: 'direct', source: 'local' }],
  });
  await make('/subjects/97', '/subjects', {
    vocabulary: '/vocabularies/1',
    source: 'local',
    terms: [{ vocabulary: '/vocabularies/1', term: 'Tides', term_type: 'topical' }],
  });
  for (const id of [1, 2]) await make(`/locations/${id}`, '/locations', { building: 'Main', barcode: `b${id}` });
  await make('/repositories/2/preferences/2', '/repositories/2/preferences', { defaults: { publish: false } });
  ok(await api.post('/repositories/2/default_values/accession', { record_type: 'accession', defaults: {} }));
  await make('/repositories/2/jobs/48', '/repositories/2/jobs', {
    job_type: 'report_job',
    job: { jsonmodel_type: 'report_job', report_type: 'accession_report', format: 'csv' },
  });
}

/** A text with the addresses and ids that records have here. */
function moved(text: string): string {
  const written = [(uri: string) => uri, encodeURIComponent];
  const whole = [...addresses].flatMap(([was, is]) => written.map((write) => [write(was), write(is)] as const));
  const renamed = whole.reduce((changed, [was, is]) => changed.replaceAll(new RegExp(`${was}(?!\\d)`, 'g'), is), text);
  return renamed.replace(/(?<=\/)\d+(?=\.xml)|(?<=node_ids%5B%5D=)\d+/g, (id) => {
    const found = [...addresses].find(([was]) => was.endsWith(`/${id}`));
    return found === undefined ? id : String(idOf(found[1]));
  });
}

/** A body as the form was filled from the record that is here, whose version is another. */
async function ofThisVersion(path: string, body: string): Promise<string> {
  const record: unknown = JSON.parse(body);
  if (!isObject(record as never) || !/\/\d+(?:\?|$)/.test(path)) return body;
  const { json } = await api.get(path);
  return JSON.stringify({ ...(record as object), lock_version: String(json.lock_version) });
}

async function sendRecorded({ method, path, type, body }: Recorded): Promise<Reply> {
  const to = moved(path);
  const isJson = type === 'text/json' && body !== undefined;
  const sent = body === undefined ? undefined : isJson ? await ofThisVersion(to, moved(body)) : moved(body);
  const reply = await api.ask(to, {
    method,
    ...(sent === undefined ? {} : { body: sent }),
    headers: type === undefined ? {} : { 'content-type': type },
  });
  const at = method === 'POST' && reply.status === 200 ? madeOnTheWay[path.split('?')[0] ?? ''] : undefined;
  if (at !== undefined && !addresses.has(at)) addresses.set(at, at.replace(/\d+$/, String(idOf(reply.json.uri))));
  return reply;
}

it('are answered as they were recorded, one after another', async () => {
  const worse: string[] = [];
  for (const request of recorded) {
    const { status, text } = await sendRecorded(request);
    const wanted = mended.includes(request.path) ? 200 : request.status;
    if (status !== wanted && (status >= 500 || wanted < 400))
      worse.push(`${request.method} ${request.path}: ${status}, was ${wanted}: ${text.slice(0, 200)}`);
  }
  expect(worse).toEqual([]);
});

describe('logging in', () => {
  it.each(['public_anonymous', 'staff_system', 'search_indexer'])(
    'works for %s with its configured password',
    async (name) => {
      const form = new URLSearchParams({ password: 'secret', expiring: 'false' });
      expect((await api.ask(`/users/${name}/login`, { form, session: null })).status).toBe(200);
    },
  );

  it('works with the whole path as one encoded segment', async () => {
    const form = new URLSearchParams({ password: 'admin' });
    expect(ok(await api.ask('/users/admin%2Flogin', { form, session: null }))).toMatchObject({
      session: expect.any(String),
    });
    expect((await api.get('/config/enumerations/%2Fnames%2Farchival_record_level')).json).toMatchObject({
      name: 'archival_record_level',
    });
  });
});
