// Data of all sorts in a service of an earlier state: two records of each kind, a tree, versions, what is hidden and deleted, people with
// permissions, jobs. What that state does not know yet is left out, and told.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kinds } from '#domain/kinds/index.ts';
import type { JsonObject } from '#domain/json.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import type { HttpRecords } from '#test/support/make/http-records.ts';
import { projectRoot } from '#test/support/service.ts';
import type { Client } from './client.ts';
import { logIn } from './client.ts';

/** What was put in: people's names with their passwords and sessions, and what could not be made, with why. */
export type Filled = {
  readonly people: readonly { readonly name: string; readonly password: string; readonly session: string }[];
  readonly leftOut: readonly string[];
  readonly made: number;
};

const peoplesPassword = 'a long one for the trial';

/** Fills a service that is empty. */
export async function fill(client: Client): Promise<Filled> {
  const leftOut: string[] = [];
  const made: string[] = [];
  const attempt = async (what: string, work: () => Promise<string | void>): Promise<void> => {
    try {
      const uri = await work();
      if (uri !== undefined) made.push(uri);
    } catch (error) {
      leftOut.push(`${what}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`);
    }
  };
  const records = await httpRecords({
    repository: async () => idIn(await client.create('/repositories', { repo_code: 'upgrade', name: 'Upgrade' })),
    create: client.create,
  });
  // Each by itself, and then another one: the first is what the others refer to.
  for (const kind of kinds.keys())
    if (!madeOtherwise.has(kind)) {
      await attempt(kind, () => records.one(kind));
      await attempt(kind, () => records.make(kind));
    }
  await fillTree(records, attempt);
  await changeSome(client, records, attempt);
  const people = await makePeople(client, records.repoId, attempt);
  await runJobs(client, records.repoId, attempt);
  await indexed(client);
  return { people, leftOut, made: made.length };
}

// Made by their own routes, or by the service.
const madeOtherwise: ReadonlySet<string> = new Set(['preference', 'vocabulary', 'term', 'user', 'default_values']);

type Attempt = (what: string, work: () => Promise<string | void>) => Promise<void>;

const idIn = (uri: string): number => Number(uri.split('/').at(-1));

async function fillTree(records: HttpRecords, attempt: Attempt): Promise<void> {
  await attempt('a tree', async () => {
    const root = await records.make('resource', { title: 'Papers of the pilots' });
    const node = (title: string, more: JsonObject = {}): Promise<string> =>
      records.make('archival_object', { title, level: 'file', resource: { ref: root }, ...more });
    const series = await node('Letters', { level: 'series' });
    // In an order that is not that of their ids.
    for (let count = 0; count < 40; count++)
      await node(`Letter ${count} from the lighthouse`, { parent: { ref: series }, position: 0 });
    const inner = await node('Harbour plans', { level: 'subseries', parent: { ref: series }, publish: true });
    await node('Plan of the quay', { parent: { ref: inner }, publish: false });
    return root;
  });
}

async function changeSome(client: Client, records: HttpRecords, attempt: Attempt): Promise<void> {
  await attempt('versions', async () => {
    const uri = await records.make('accession', { title: 'Version 0' });
    for (let version = 1; version <= 3; version++) {
      const now = JSON.parse((await client.get(uri)).text) as JsonObject;
      await client.post(uri, { ...now, title: `Version ${version}` });
    }
    return uri;
  });
  await attempt('a suppressed record', async () => {
    const uri = await records.make('accession', { title: 'Hidden accession' });
    await client.post(`${uri}/suppressed?suppressed=true`);
    return uri;
  });
  await attempt('a deleted record', async () => {
    await client.remove(await records.make('accession', { title: 'Deleted accession' }));
  });
  await attempt('a merge', async () => {
    const [target, victim] = [await records.make('subject'), await records.make('subject')];
    await client.post('/merge_requests/subject', { target: { ref: target }, victims: [{ ref: victim }] });
    return target;
  });
}

async function makePeople(client: Client, repoId: number, attempt: Attempt): Promise<Filled['people']> {
  const people: { name: string; password: string; session: string }[] = [];
  for (const [name, code] of [
    ['upgrade-reader', 'repository-viewers'],
    ['upgrade-archivist', 'repository-archivists'],
    ['upgrade-nobody', null],
  ] as const)
    await attempt(name, async () => {
      const uri = await client.create(`/users?password=${encodeURIComponent(peoplesPassword)}`, {
        username: name,
        name,
        is_admin: false,
      });
      if (code !== null) {
        const groups = JSON.parse((await client.get(`/repositories/${repoId}/groups`)).text) as readonly JsonObject[];
        const group = groups.find((each) => each['group_code'] === code);
        const whole = JSON.parse((await client.get(String(group?.['uri']))).text) as JsonObject;
        await client.post(String(group?.['uri']), { ...whole, member_usernames: [name] });
      }
      people.push({ name, password: peoplesPassword, session: await logIn(client.url, name, peoplesPassword) });
      return uri;
    });
  return people;
}

async function runJobs(client: Client, repoId: number, attempt: Attempt): Promise<void> {
  await attempt('an import of EAD', async () => {
    const form = new FormData();
    const ead = readFileSync(join(projectRoot, 'test/fixtures/formats/ead/harbour.xml'));
    form.set(
      'job',
      JSON.stringify({
        job_type: 'import_job',
        job: { jsonmodel_type: 'import_job', import_type: 'ead_xml', filenames: ['harbour.xml'] },
      }),
    );
    form.append('files[0]', new Blob([ead]), 'harbour.xml');
    const response = await fetch(`${client.url}/repositories/${repoId}/jobs_with_files`, {
      method: 'POST',
      headers: { 'x-service-session': client.session },
      body: form,
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status} ${text}`);
    const { uri } = JSON.parse(text) as { readonly uri: string };
    for (;;) {
      const { status } = JSON.parse((await client.get(uri)).text) as { readonly status: string };
      if (status === 'completed') return uri;
      if (status === 'failed' || status === 'canceled') throw new Error(`the job is ${status}`);
      await sleep(200);
    }
  });
}

/** Waits until the index has what was written: until a mark that is written last is found. */
export async function indexed(client: Client): Promise<void> {
  const mark = `mark${Date.now()}`;
  const uri = await client.create('/subjects', {
    source: 'local',
    vocabulary: '/vocabularies/1',
    terms: [{ term: mark, term_type: 'topical', vocabulary: '/vocabularies/1' }],
  });
  const found = async (): Promise<boolean> => (await client.get(`/search?q=${mark}&page=1`)).text.includes(`"${uri}"`);
  while (!(await found())) await sleep(200);
  await client.remove(uri);
  while (await found()) await sleep(200);
}
