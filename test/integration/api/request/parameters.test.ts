// Reading of parameters over real HTTP, row by row of the contract (behaviour-records.md 1.1-1.3, 4.2).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listParameters, pageParameters, toPagination } from '../../../../apps/api/request/pagination.ts';
import {
  anything,
  boolean,
  id,
  idSet,
  integer,
  jsonParameter,
  listOf,
  repositoryId,
  text,
  username,
} from '../../../../apps/api/request/parameters.ts';
import { shape } from '../../../../apps/api/openapi/shape.ts';
import { defineRoute } from '../../../../apps/api/route.ts';
import type { Parameters } from '../../../../apps/api/request/parameters.ts';
import type { TestServer } from '#test/support/http-server.ts';
import { startServer } from '#test/support/http-server.ts';
import type { Json } from '#domain/json.ts';

const echo = (path: string, parameters: Parameters, method: 'GET' | 'POST' = 'GET') =>
  // The parameters of these routes are JSON values.
  defineRoute({
    method,
    path,
    operation: 'test',
    area: 'test',
    summary: 'Echo',
    access: 'public',
    parameters,
    replies: { 200: { says: 'What was read.', shape: shape.anything } },
    handler: (call) => call.params as Json,
  });

const optional = { optional: true } as const;
const routes = [
  echo('/optional', {
    n: integer(optional),
    flag: boolean(optional),
    s: text(optional),
    names: listOf(text())(optional),
    numbers: listOf(integer())(optional),
    set: idSet(optional),
    aq: jsonParameter(optional),
    any: anything(optional),
    user: username(optional),
  }),
  echo('/defaults', {
    n: integer({ default: 5 }),
    flag: boolean({ default: true }),
    names: listOf(text())({ default: [] }),
  }),
  echo('/required', { a: integer(), b: boolean(), c: text(), d: listOf(text())(), e: integer({ default: 1 }) }),
  echo('/form', { password: text(), expiring: boolean(optional), record_uris: listOf(text())(optional) }, 'POST'),
  echo('/things/:id', { id: id() }),
  echo('/files/:id.xml', { id: id() }),
  echo('/files/:id.:fmt/metadata', { id: id(), fmt: text() }),
  echo('/rest/*', { rest: text() }),
  echo('/users/:username/login', { username: username(), password: text(optional) }, 'POST'),
  echo('/repositories/:repo_id/list', { repo_id: repositoryId(), ...listParameters }),
  echo('/pages', pageParameters),
  defineRoute({
    method: 'GET',
    path: '/paging',
    operation: 'test',
    area: 'test',
    summary: 'Paging',
    access: 'public',
    parameters: listParameters,
    replies: {},
    handler: (call) => toPagination(call.params),
  }),
];

let server: TestServer;
beforeAll(async () => {
  server = await startServer(routes);
});
afterAll(() => server.close());

const get = async (path: string): Promise<{ status: number; body: unknown }> => {
  const response = await server.fetch(path);
  return { status: response.status, body: await response.json() };
};
const problems = (errors: Json) => ({ status: 400, body: { error: errors } });
const required = ['Parameter required but no value provided'];

describe('a parameter that is sent', () => {
  it.each<readonly [string, string, Json]>([
    ['n=5', 'n', 5],
    ['n=-5', 'n', -5],
    ['n=%2B5', 'n', 5],
    ['n=0x1f', 'n', 31],
    ['n=1_000', 'n', 1000],
    ['n=1&n=2', 'n', 2],
    ['flag=true', 'flag', true],
    ['flag=True', 'flag', true],
    ['flag=FALSE', 'flag', false],
    ['s=', 's', ''],
    ['s=a+b%20c', 's', 'a b c'],
    ['s=100%', 's', '100%'],
    ['s=%F0%9F%98%80', 's', '😀'],
    ['s=a%26b%3Dc', 's', 'a&b=c'],
    ['s=one&s=two', 's', 'two'],
    ['names[]=a&names[]=b', 'names', ['a', 'b']],
    ['names%5B%5D=a', 'names', ['a']],
    ['names[]=', 'names', ['']],
    ['names[0]=a&names[1]=b', 'names', ['a', 'b']],
    ['names[1]=b&names[0]=a', 'names', ['a', 'b']],
    ['names[10]=c&names[2]=d', 'names', ['c', 'd']],
    ['numbers[]=1&numbers[]=0x2', 'numbers', [1, 2]],
    ['set=1,2,3', 'set', [1, 2, 3]],
    ['set=3,1,3', 'set', [3, 1]],
    ['set[]=1&set[]=2', 'set', [1, 2]],
    ['set=1,99999999999', 'set', [1]],
    ['set=', 'set', []],
    ['set=1,2,', 'set', [1, 2]],
    ['aq=%7B%22a%22%3A1%7D', 'aq', { a: 1 }],
    ['any=false', 'any', 'false'],
    ['any=', 'any', ''],
    ['user=%20ADMIN%20', 'user', 'admin'],
    ['user=first.last@host-1_x%20y', 'user', 'first.last@host-1_x y'],
  ])('%s reads as %s = %j', async (query, name, value) => {
    const { status, body } = await get(`/optional?${query}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ [name]: value });
  });

  it.each<readonly [string, string, string]>([
    ['n=', 'n', "Wanted type Integer but got ''"],
    ['n=12abc', 'n', "Wanted type Integer but got '12abc'"],
    ['n=1.5', 'n', "Wanted type Integer but got '1.5'"],
    ['n=99999999999', 'n', "Wanted type Integer but got '99999999999'"],
    ['n[]=1', 'n', `Wanted type Integer but got '["1"]'`],
    ['flag=1', 'flag', "Wanted type RESTHelpers::BooleanParam but got '1'"],
    ['flag=yes', 'flag', "Wanted type RESTHelpers::BooleanParam but got 'yes'"],
    ['flag=', 'flag', "Wanted type RESTHelpers::BooleanParam but got ''"],
    ['names=a', 'names', "Wanted type [String] but got 'a'.  Perhaps you meant to specify an array like: names[]=a"],
    [
      'numbers=7',
      'numbers',
      "Wanted type [Integer] but got '7'.  Perhaps you meant to specify an array like: numbers[]=7",
    ],
    ['numbers=x', 'numbers', "Wanted type [Integer] but got 'x'"],
    ['numbers[]=1&numbers[]=x', 'numbers', `Wanted type [Integer] but got '["1", "x"]'`],
    ['set=1,x', 'set', "Wanted type [Integer] but got '1,x'"],
    ['set=-1', 'set', "Wanted type [Integer] but got '-1'"],
    ['s=%00', 's', 'Failed validation -- must not contain the character U+0000'],
  ])('%s is refused', async (query, name, message) => {
    expect(await get(`/optional?${query}`)).toEqual(problems({ [name]: [message] }));
  });

  it('is dropped silently when the route does not declare it', async () => {
    expect((await get('/optional?nonsense=1&also[deep][er]=2&__proto__=3&constructor[]=4')).status).toBe(200);
  });

  it('refuses a set of more than 250 distinct ids', async () => {
    const ids = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join(',');
    expect((await get(`/optional?set=${ids(250)}`)).status).toBe(200);
    expect(await get(`/optional?set=${ids(251)}`)).toMatchObject({
      status: 400,
      body: { error: { set: ['At most 250 ids can be asked for at once, not 251'] } },
    });
    expect((await get(`/optional?set=${ids(250)},1,2,3`)).status).toBe(200);
  });

  it('refuses a user name with other characters, alone', async () => {
    expect(await get('/optional?user=a/b&n=x')).toEqual({ status: 400, body: { error: 'Invalid username' } });
  });

  it('refuses broken JSON text with the words for bodies', async () => {
    expect((await get('/optional?aq=%7B')).body).toEqual({
      error: expect.stringMatching(/^Had some trouble parsing your request: /),
    });
  });
});

describe('a parameter that is absent', () => {
  it('is null where it is optional', async () => {
    expect((await get('/optional')).body).toEqual({
      n: null,
      flag: null,
      s: null,
      names: null,
      numbers: null,
      set: null,
      aq: null,
      any: null,
      user: null,
    });
  });
  it('takes its default', async () => {
    expect((await get('/defaults')).body).toEqual({ n: 5, flag: true, names: [] });
  });
  it('is reported together with every other problem of the request', async () => {
    expect(await get('/required?b=maybe&d=x&e=')).toEqual(
      problems({
        a: required,
        b: ["Wanted type RESTHelpers::BooleanParam but got 'maybe'"],
        c: required,
        d: ["Wanted type [String] but got 'x'.  Perhaps you meant to specify an array like: d[]=x"],
        e: ["Wanted type Integer but got ''"],
      }),
    );
  });
});

describe('a path', () => {
  it.each([
    ['/things/12', { id: 12 }],
    ['/things/12/', { id: 12 }],
    ['/things/99999999999', { id: 0 }],
    ['/things/-4', { id: 0 }],
    ['/files/12.xml', { id: 12 }],
    ['/files/12.pdf/metadata', { id: 12, fmt: 'pdf' }],
    ['/rest/a/b.css', { rest: 'a/b.css' }],
  ])('%s is read', async (path, values) => {
    expect(await get(path)).toEqual({ status: 200, body: values });
  });
  it('with an id that is no integer is a 400', async () => {
    expect(await get('/things/12abc')).toEqual(problems({ id: ["Wanted type Integer but got '12abc'"] }));
  });
  it('wins over the query', async () => {
    expect(await get('/things/12?id=13')).toEqual({ status: 200, body: { id: 12 } });
  });
  it('of 1,000 characters in one segment is still matched', async () => {
    expect((await get(`/rest/${'a'.repeat(900)}`)).status).toBe(200);
  });
});

describe('a repository id', () => {
  it.each(['4', 'abc', '0', '-1', '99999999999', '1'])('%s that names no repository is a 400', async (repo) => {
    expect(await get(`/repositories/${repo}/list?page=1`)).toEqual(
      problems({ repo_id: ['Failed validation -- The Repository must exist'] }),
    );
  });
  it('is reported beside the other problems', async () => {
    expect((await get('/repositories/9/list')).body).toEqual({
      error: {
        repo_id: ['Failed validation -- The Repository must exist'],
        page: required,
        id_set: required,
        all_ids: required,
      },
    });
  });
});

describe('a form body', () => {
  const post = async (
    path: string,
    body: string | FormData | null,
    contentType?: string,
  ): Promise<{ status: number; body: unknown }> => {
    const response = await server.fetch(path, {
      method: 'POST',
      body,
      ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
    });
    return { status: response.status, body: await response.json() };
  };
  const formType = 'application/x-www-form-urlencoded';

  it('gives parameters', async () => {
    expect((await post('/form', 'password=p%20w&expiring=False', formType)).body).toEqual({
      password: 'p w',
      expiring: false,
      record_uris: null,
    });
  });
  it('wins over the query', async () => {
    expect((await post('/form?password=query', 'password=form', formType)).body).toMatchObject({ password: 'form' });
  });
  it('is read in the charset it names', async () => {
    const response = await server.fetch('/form', {
      method: 'POST',
      body: Buffer.from('password=caf\u00e9', 'latin1'),
      headers: { 'content-type': `${formType}; charset=ISO-8859-1` },
    });
    expect(await response.json()).toMatchObject({ password: 'café' });
  });
  it('is read where no content type is sent', async () => {
    const reply = await server.send(
      'POST /form HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 10\r\n\r\npassword=p',
    );
    expect(reply).toContain('{"password":"p","expiring":null,"record_uris":null}\n');
  });
  it('may be multipart', async () => {
    const form = new FormData();
    form.append('password', 'multi');
    form.append('record_uris[]', '/a');
    form.append('record_uris[]', '/b');
    form.append('stray', new Blob(['file']), 'f.txt');
    expect((await post('/form', form)).body).toEqual({ password: 'multi', expiring: null, record_uris: ['/a', '/b'] });
  });
  it('in JSON is not read as parameters', async () => {
    expect(await post('/form', '{"password":"y"}', 'application/json')).toEqual(problems({ password: required }));
    expect(await post('/form', '{"password":"y"}', formType)).toEqual(problems({ password: required }));
  });
  it('leaves the query readable without a body', async () => {
    expect((await post('/form?password=q', null)).body).toMatchObject({ password: 'q' });
    expect((await post('/users/ADMIN/login?password=q', null)).body).toEqual({ username: 'admin', password: 'q' });
  });
});

describe('a listing', () => {
  it.each<readonly [string, Json]>([
    ['page=3', { kind: 'page', page: 3, pageSize: 10 }],
    ['page=1&page_size=25', { kind: 'page', page: 1, pageSize: 25 }],
    ['page=1&page_size=2000', { kind: 'page', page: 1, pageSize: 250 }],
    ['page=2&id_set=1,2&all_ids=true', { kind: 'page', page: 2, pageSize: 10 }],
    ['id_set=1,2&all_ids=true', { kind: 'id_set', ids: [1, 2] }],
    ['id_set=', { kind: 'id_set', ids: [] }],
    ['all_ids=true', { kind: 'all_ids' }],
    ['all_ids=false', { kind: 'all_ids' }],
    ['all_ids=', { kind: 'all_ids' }],
  ])('%s asks for %j', async (query, pagination) => {
    expect(await get(`/paging?${query}`)).toEqual({ status: 200, body: pagination });
  });

  it.each<readonly [string, Json]>([
    ['', { page: required, id_set: required, all_ids: required }],
    ['page=x', { page: ["Wanted type Integer but got 'x'"] }],
    ['page=0', { page: ["Wanted type Integer but got '0'"] }],
    ['page=-1', { page: ["Wanted type Integer but got '-1'"] }],
    ['page=1&page_size=0', { page_size: ["Wanted type Integer but got '0'"] }],
    ['page=1&page_size=x', { page_size: ["Wanted type Integer but got 'x'"] }],
    ['page=1&modified_since=x', { modified_since: ["Wanted type Integer but got 'x'"] }],
    ['page=1&modified_since=-1', { modified_since: ["Wanted type Integer but got '-1'"] }],
    ['id_set=a', { id_set: ["Wanted type [Integer] but got 'a'"] }],
    [
      'page=1&sort_direction=up',
      { sort_direction: ["Failed validation -- must be either 'asc' or 'desc' but given: up"] },
    ],
  ])('%s is refused', async (query, errors) => {
    expect(await get(`/paging?${query}`)).toEqual(problems(errors));
  });

  it('that knows pages only names page alone', async () => {
    expect(await get('/pages')).toEqual(problems({ page: required }));
  });
  it('takes modified_since after 2038', async () => {
    expect((await get('/repositories/2/list?page=1&modified_since=4102444800')).body).toMatchObject({
      modified_since: 4_102_444_800,
      sort_field: 'id',
      sort_direction: 'asc',
      resolve: [],
    });
  });
});
