// Who may have another service read, from where, and what is said where that does not go; nothing that lets in is in a reply, a row or the log after the end.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrationRoutes } from '../../../../apps/api/routes/migrations.ts';
import { z } from 'zod';
import { column } from '#store/connection/columns.ts';
import { sql } from '#store/connection/sql.ts';
import type { Reply, TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import type { Incumbent } from '../../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../../cli/incumbent.ts';

let api: TestApi;
let incumbent: Incumbent;
beforeAll(async () => {
  incumbent = await startIncumbent(smallHoldings('ArchivesSpace (v3.3.1)'));
  // The last one is nobody: the port of discard answers on no machine of ours.
  const sources = `${incumbent.url}, https://archives.example.org, http://127.0.0.1:9`;
  api = await startTestApi({ worker: false, environment: { MUNIMENT_MIGRATION_SOURCES: sources } });
});
afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await incumbent[Symbol.asyncDispose]();
});
const start = (body: object, session?: string): Promise<Reply> => api.post('/system/migrations', body, session);

it('is for administrators', async () => {
  expect(migrationRoutes.map(({ access }) => access)).toEqual([
    { all: ['administer_system'] },
    { all: ['administer_system'] },
  ]);
  const stranger = await api.userWith(['create_job', 'import_records'], await api.repository());
  expect((await start({ source: incumbent.url, session: 'x' }, stranger)).status).toBe(403);
});

it.each([
  [{}, 'source'],
  [{ source: 'file:///etc/passwd', session: 'x' }, 'source'],
  [{ source: 'https://elsewhere.example.org', session: 'x' }, 'source'],
  [{ source: 'https://archives.example.org:444', session: 'x' }, 'source'],
  [{ source: 'https://archives.example.org@elsewhere.example.org', session: 'x' }, 'source'],
  [{ source: 'https://ann@archives.example.org/api', session: 'x' }, 'source'],
  [{ source: 'https://:secret@archives.example.org/api', session: 'x' }, 'source'],
  [{ source: 'https://archives.example.org/api?x=1', session: 'x' }, 'source'],
  [{ source: 'https://archives.example.org/api#x', session: 'x' }, 'source'],
  [{ source: 'https://archives.example.org' }, 'session'],
  [{ source: 'https://archives.example.org', session: 5 }, 'session'],
  [{ source: 'https://archives.example.org', session: 'x', jobs: 'no' }, 'jobs'],
  [{ source: 'https://archives.example.org', session: 'x', requests_at_once: 0 }, 'requests_at_once'],
  [{ source: 'https://archives.example.org', session: 'x', requests_a_second: 1e9 }, 'requests_a_second'],
  [{ source: 'http://127.0.0.1:9', username: 'admin', password: 'secret' }, 'source'],
])('refuses %j and names %s', async (body, property) => {
  const { status, json } = await start(body);
  expect([status, Object.keys(json.error)]).toEqual([400, [property]]);
});

it('says whose password is wrong, and does not repeat it', async () => {
  incumbent.mischief = (_request, response, url) => {
    if (!url.pathname.endsWith('/login')) return false;
    response.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"Login failed"}');
    return true;
  };
  const { status, json, text } = await start({ source: incumbent.url, username: 'ann', password: 'guess-9137' });
  expect([status, json.error]).toEqual([400, { password: [expect.stringContaining('refused the password of ann')] }]);
  expect(text).not.toContain('guess-9137');
  incumbent.mischief = () => false;
});

it('does not follow the source to another address', async () => {
  incumbent.mischief = (_request, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:9/users/admin/login' }).end();
    return true;
  };
  const { status, json } = await start({ source: incumbent.url, username: 'admin', password: 'secret' });
  expect([status, json.error.source[0]]).toEqual([400, expect.stringContaining('302')]);
  incumbent.mischief = () => false;
});

it('logs in, makes a job of no repository, and keeps the session for the job alone', async () => {
  const reply = await start({ source: `${incumbent.url}/?`, username: 'admin', password: 'secret-2604' });
  expect([reply.status, reply.headers.get('location')]).toEqual([202, reply.json.uri]);
  const listed = (await api.get('/system/migrations')).json;
  expect(listed.migrations).toEqual([
    { source: incumbent.url, job: reply.json.uri, status: 'queued', load: null, load_status: null },
  ]);
  expect(listed.sources).toContain('https://archives.example.org');
  const job = await api.get(reply.json.uri);
  expect(job.json).toMatchObject({ status: 'queued', job_type: 'migrate-from', owner: 'admin' });
  expect(await rowsWith('secret-2604')).toEqual([]);
  expect(await rowsWith('opened')).toEqual(['source_session']);
  await api.post(`${reply.json.uri}/cancel`);
  expect(await rowsWith('opened')).toEqual([]);
  const audit = (await api.get('/system/audit')).text;
  expect([audit.includes('migration_started'), audit.includes('secret-2604')]).toEqual([true, false]);
});

it('is switched off where no source is named', async () => {
  await using closed = await startTestApi({ worker: false });
  const reply = await closed.post('/system/migrations', { source: incumbent.url, session: 'x' });
  expect([reply.status, Object.keys(reply.json.error)]).toEqual([400, ['source']]);
  expect((await closed.get('/system/migrations')).json).toEqual({ sources: [], migrations: [] });
});

const Table = z.strictObject({ name: column.text });

/** The tables that have a text somewhere. */
async function rowsWith(text: string): Promise<readonly string[]> {
  const found: string[] = [];
  const tables = await api.database.reader.any(
    sql.type(
      Table,
    )`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables)
    if (
      await api.database.reader.maybeOne(
        sql.type(
          Table,
        )`SELECT ${name} AS name FROM ${sql.identifier([name])} t WHERE t::text LIKE ${`%"${text}"%`} OR t::text LIKE ${`%,${text})%`} LIMIT 1`,
      )
    )
      found.push(name);
  return found;
}
