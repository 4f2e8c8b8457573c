// Requests from the service's own OpenAPI document, mostly wrong, as every role: none is answered by a 5xx, and none shows a stranger what is
// hidden. `npm run fuzz` sends 50,000 and looks how long replies take as well.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { NumberRow } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, ok, startTestApi } from '#test/support/api.ts';
import type { FuzzRequest } from '#test/support/fuzz.ts';
import { Fuzz } from '#test/support/fuzz.ts';
import { httpRecords } from '#test/support/make/http-records.ts';
import { seededRandom } from '#test/support/random.ts';

const count = Number(process.env['FUZZ_REQUESTS'] ?? 2000);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);
/** The longest that a reply may take, in milliseconds; none in the suite, which does not judge by time. */
const boundMs = Number(process.env['FUZZ_BOUND_MS'] ?? Infinity);
const marker = 'quizzaciously';
/** Requests after which it is looked whether there is still something hidden, and made again where there is not. */
const lookEvery = 100;

// What would wait for minutes, or end the sessions that the test asks with.
const excluded = [
  'POST /logout',
  'POST /users/{username}/become-user',
  'POST /users/{id}',
  'DELETE /users/{id}',
  'PATCH /users/{id}',
];

let api: TestApi;
let fuzz: Fuzz;
let secretId: number;
const sessions = new Map<string, string | null>([['nobody', null]]);
const random = seededRandom(seed);

beforeAll(async () => {
  api = await startTestApi({
    environment: {
      MUNIMENT_LONG_POLL_SECONDS: '0',
      MUNIMENT_JOB_WAIT_SECONDS: '2',
      MUNIMENT_WEBHOOK_ALLOW_PRIVATE: 'false',
    },
  });
  await hide(0);
  const records = await httpRecords(api);
  const uris = [];
  for (const kind of [
    'resource',
    'archival_object',
    'accession',
    'subject',
    'agent_person',
    'top_container',
    'location',
  ])
    uris.push(await records.one(kind));
  sessions.set('administrator', api.session);
  sessions.set('reader', await api.userWith(['view_repository'], records.repoId));
  sessions.set(
    'archivist',
    await api.userWith(['view_repository', 'update_resource_record', 'create_job', 'import_records'], records.repoId),
  );
  const document = ok(await api.get('/openapi.json')) as JsonObject;
  const known = {
    ids: [1, 2, 3, 4, 5, 6, 99],
    repoIds: [records.repoId],
    uris: [...uris, '/subjects/99', '/agents/people/1'],
  };
  fuzz = new Fuzz(document, known, random, excluded);
  expect(fuzz.size).toBeGreaterThan(300);
});
afterAll(() => api[Symbol.asyncDispose]());

/** Makes a repository, the `nth`, of records that only the administrator may see. */
async function hide(nth: number): Promise<void> {
  const session = sessions.get('administrator') ?? api.session;
  const repository = await api.create('/repositories', { repo_code: `SECRET${nth}`, name: `Hidden ${nth}` }, session);
  secretId = Number(repository.split('/').at(-1));
  const hidden = { title: marker, publish: false };
  const accession = { ...hidden, id_0: marker, accession_date: '2020-01-01' };
  await api.create(`${repository}/accessions`, accession, session);
  await api.create(`${repository}/digital_objects`, { ...hidden, digital_object_id: marker }, session);
}

/** Whether there is something hidden still: what an administrator's requests have deleted or renamed is not shown because it is gone. */
async function isHidden(): Promise<boolean> {
  const { n } = await api.database.reader.one(
    sql.type(
      NumberRow,
    )`SELECT count(*)::int AS n FROM record WHERE repo_id = ${secretId} AND label LIKE ${`%${marker}%`}`,
  );
  return n > 0;
}

/** Sends one as a role; what is wrong with the reply, or null. */
async function send(request: FuzzRequest, role: string): Promise<string | null> {
  const session = sessions.get(role) ?? null;
  const before = performance.now();
  const reply = await fetch(`${api.url}${request.path}`, {
    method: request.method,
    redirect: 'manual',
    headers: { ...(session === null ? {} : { 'x-service-session': session }), ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const text = await reply.text();
  const ms = performance.now() - before;
  const told = `${request.what} as ${role}: ${reply.status} ${text.slice(0, 200)}\n  ${request.path.slice(0, 300)}\n  ${String(request.body).slice(0, 300)}`;
  if (reply.status === 412 && text.includes('SESSION_GONE') && request.headers['x-service-session'] === undefined)
    await renew(role);
  // What the disk or another writer says is none of the request's doing.
  if (reply.status >= 500) return told;
  if (role !== 'administrator' && text.includes(marker)) return `shows what is hidden: ${told}`;
  return ms > boundMs ? `${Math.round(ms)} ms: ${told}` : null;
}

/** A new session for a role whose session a request has ended. */
async function renew(role: string): Promise<void> {
  if (role === 'administrator') sessions.set(role, await api.login('admin', adminPassword));
}

it(`no 5xx and nothing hidden in ${count} requests of seed ${seed}`, async () => {
  const roles = [...sessions.keys()];
  const wrong: string[] = [];
  let looks = 0;
  let hidings = 0;
  for (let sent = 0; sent < count && wrong.length < 20; sent += 1) {
    const role = roles[Math.floor(random() * roles.length)] ?? 'nobody';
    const found = await send(fuzz.next(), role);
    if (found !== null) wrong.push(found);
    if (sent % lookEvery !== lookEvery - 1) continue;
    looks += 1;
    if (await isHidden()) hidings += 1;
    else await hide(looks);
  }
  expect(wrong.join('\n')).toBe('');
  // Most of the time there was something hidden that could have been shown.
  expect(hidings).toBeGreaterThan(looks / 2);
});
