// Requests as public client programs really send them, row by row of the contract's clients.md, against the whole service: how they log in, header
// names, missing and wrong content types, spellings of booleans, arrays in brackets; and how they are refused.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#domain/json.ts';
import { idOf, ok } from '#test/support/api.ts';
import { serveRecords } from '#test/support/record-service.ts';

const { api, records } = await serveRecords();
const at = `/repositories/${records.repoId}`;
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
