// /system/migrations: another service is read, and loaded with its addresses, by jobs of this one (decision 0038; docs/guides/migrating.md).
import { shape } from '../openapi/shape.ts';
import { madeJobReply } from '../openapi/shapes/envelopes.ts';
import { fail } from '#domain/errors.ts';
import type { JsonObject } from '#domain/json.ts';
import type { MigrateFromPayload } from '#domain/jobs/migrate-from.ts';
import { migrateFrom } from '#domain/jobs/migrate-from.ts';
import { MigrationFailure } from '#migrate/failures.ts';
import { openSource } from '#migrate/source.ts';
import { keepSourceSession, listMigrations } from '#store/loading/migrations.ts';
import { jobUri } from '#store/queue/client-jobs.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import { audit } from '../access/audit.ts';
import { jsonBody } from '../request/body.ts';
import { madeJob } from '../record-routes/jobs.ts';
import { defineRoute } from '../route.ts';
import type { Route } from '../route.ts';

// Somebody waits for the answer: a source that is slow now is tried again by whoever asks.
const loginMs = 20_000;
const loginPatience = {
  whenAway: 1,
  whenFailing: 1,
  firstWaitMs: 500,
  longestWaitMs: 2000,
  longestAskedMs: 2000,
  replyMs: 10_000,
};
const longestText = 2000;

const start = defineRoute({
  method: 'POST',
  path: '/system/migrations',
  operation: 'startMigration',
  area: 'system',
  summary: 'Move in from another service',
  doc: 'Starts a job that reads the records of an ArchivesSpace or another Muniment by its interface for clients, and makes the job that loads them with their addresses, versions and times. The source is one of `MUNIMENT_MIGRATION_SOURCES`. With `username` and `password` this service logs in there at once; the password is not kept, and the session (`session`, where one is at hand) as long as the job. A migration that was cut off goes on, and a later one reads only what has changed.',
  access: { all: ['administer_system'] },
  // A repeated request with one key would be answered with the job of the first, whose session may be gone.
  repeatable: false,
  parameters: {},
  body: jsonBody({
    doc: 'The source, and who reads it.',
    shape: shape.object(
      { source: shape.text },
      {
        username: shape.text,
        password: shape.text,
        session: shape.text,
        into_filled: shape.boolean,
        overwrite: shape.boolean,
        jobs: shape.boolean,
        requests_at_once: shape.integer,
        requests_a_second: shape.number,
      },
    ),
    example: { source: 'https://archives.example.org/api', session: '9f86d081884c7d659a2feaa0c55ad015' },
  }),
  replies: {
    ...madeJobReply('The job has been made; its result names the job that loads.'),
    400: 'The source is none that this service may read, does not answer, or refuses the login.',
  },
  handler: async (call) => {
    const { database, config } = call.services;
    const payload = payloadOf(call.body);
    if (config.MUNIMENT_MIGRATION_SOURCES?.includes(new URL(payload.source).origin) !== true)
      throw fail('bad_parameter', { source: ['Is none of MUNIMENT_MIGRATION_SOURCES'] });
    const session = textIn(call.body, 'session') ?? (await logIn(payload, call.body));
    const jobId = await database.transaction(async (tx) => {
      const made = await enqueueJob(tx, migrateFrom, payload, { visible: true, owner: call.caller.username });
      await keepSourceSession(tx, made.jobId, session);
      await audit(tx, call, { event: 'migration_started', details: { source: payload.source } });
      return made.jobId;
    });
    return madeJob(jobId);
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/system/migrations',
  operation: 'listMigrations',
  area: 'system',
  summary: 'Migrations, and from where there may be some',
  doc: 'The last 100 migrations, the last one first, each with its job and the job that loads what it has read; and the origins of `MUNIMENT_MIGRATION_SOURCES`.',
  access: { all: ['administer_system'] },
  parameters: {},
  replies: {
    200: {
      says: 'The migrations.',
      shape: shape.object({
        sources: shape.list(shape.text),
        migrations: shape.list(
          shape.object({
            source: shape.text,
            job: shape.uri,
            status: shape.text,
            load: shape.nullable(shape.uri),
            load_status: shape.nullable(shape.text),
          }),
        ),
      }),
      example: {
        sources: ['https://archives.example.org'],
        migrations: [
          {
            source: 'https://archives.example.org/api',
            job: '/jobs/12',
            status: 'completed',
            load: '/jobs/13',
            load_status: 'running',
          },
        ],
      },
    },
  },
  handler: async ({ services: { database, config } }) => ({
    sources: config.MUNIMENT_MIGRATION_SOURCES ?? [],
    migrations: (await listMigrations(database.reader)).map(({ jobId, source, status, loadId, loadStatus }) => ({
      source,
      job: jobUri(null, jobId),
      status,
      load: loadId === null ? null : jobUri(null, loadId),
      load_status: loadStatus,
    })),
  }),
});

function textIn(body: JsonObject, property: string): string | undefined {
  const value = body[property];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value === '' || value.length > longestText)
    throw fail('bad_parameter', { [property]: [`Must be a text of at most ${longestText} characters`] });
  return value;
}

function flagIn(body: JsonObject, property: string, otherwise: boolean): boolean {
  const value = body[property] ?? otherwise;
  if (typeof value !== 'boolean') throw fail('bad_parameter', { [property]: ['Must be true or false'] });
  return value;
}

function numberIn(body: JsonObject, property: string, otherwise: number, least: number, most: number): number {
  const value = body[property] ?? otherwise;
  if (typeof value !== 'number' || !(value >= least && value <= most))
    throw fail('bad_parameter', { [property]: [`Must be a number from ${least} to ${most}`] });
  return value;
}

function payloadOf(body: JsonObject): MigrateFromPayload {
  const source = textIn(body, 'source') ?? '';
  const url = /^https?:\/\//i.test(source) ? URL.parse(source) : null;
  if (url === null)
    throw fail('bad_parameter', { source: ['Must be an address such as https://archives.example.org/api'] });
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw fail('bad_parameter', { source: ['Must be an address without a name, a password or parameters'] });
  return {
    source: `${url.origin}${url.pathname}`.replace(/\/+$/, ''),
    intoFilled: flagIn(body, 'into_filled', false),
    overwrite: flagIn(body, 'overwrite', false),
    withJobs: flagIn(body, 'jobs', true),
    requestsAtOnce: Math.floor(numberIn(body, 'requests_at_once', 4, 1, 64)),
    requestsASecond: numberIn(body, 'requests_a_second', 20, 0.1, 1000),
  };
}

/** A session at the source, of whoever the body names; what is wrong is said of the property that it is in. */
async function logIn({ source }: MigrateFromPayload, body: JsonObject): Promise<string> {
  const [user, password] = [textIn(body, 'username'), textIn(body, 'password')];
  if (user === undefined || password === undefined)
    throw fail('bad_parameter', {
      session: ['Parameter required but no value provided, unless there are username and password'],
    });
  try {
    const politeness = { atOnce: 1, aSecond: 10 };
    const at = await openSource(
      { url: source, user, password },
      politeness,
      AbortSignal.timeout(loginMs),
      loginPatience,
    );
    return await at.session();
  } catch (error) {
    if (error instanceof MigrationFailure)
      throw fail('bad_parameter', { [error.status === 403 ? 'password' : 'source']: [error.message] }, {}, error);
    if (error instanceof Error && error.name === 'TimeoutError')
      throw fail('bad_parameter', { source: [`${source} does not answer`] }, {}, error);
    throw error;
  }
}

/** The routes of this file. */
export const migrationRoutes: readonly Route[] = [start, list];
