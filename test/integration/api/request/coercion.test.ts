// Texts as values of parameters, and the words for those that are none (contract, records 1.1 to 1.3).
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { fail } from '#domain/errors.ts';
import { Listener } from '#store/connection/listener.ts';
import type { TestApi } from '#test/support/api.ts';
import { startTestApi } from '#test/support/api.ts';
import { makeServices } from '../../../../apps/api/make-services.ts';
import type { Coerced } from '../../../../apps/api/request/coercion.ts';
import { coerceParameters, toParameterFailure, toReading } from '../../../../apps/api/request/coercion.ts';
import { parseForm } from '../../../../apps/api/request/form.ts';
import type { Parameters } from '../../../../apps/api/request/parameters.ts';
import {
  anything,
  boolean,
  cutInteger,
  id,
  idSet,
  integer,
  integerBetween,
  jsonParameter,
  listOf,
  optionalRepositoryId,
  recordParameter,
  repositoryId,
  text,
  username,
} from '../../../../apps/api/request/parameters.ts';
import type { Services } from '../../../../apps/api/services.ts';

let api: TestApi;
let services: Services;
let close = async (): Promise<void> => undefined;
beforeAll(async () => {
  api = await startTestApi({ worker: false });
  const listener = new Listener({ url: api.databaseUrl });
  const made = await makeServices({
    config: readConfig({ PORT: '0' }),
    database: api.database,
    listener,
    log: pino({ level: 'silent' }),
  });
  services = made;
  close = async () => {
    await made.close();
    await listener[Symbol.asyncDispose]();
  };
  // The tests name them by their numbers: none is 4.
  expect([await api.repository(), await api.repository()]).toEqual([2, 3]);
});
afterAll(async () => {
  await close();
  await api[Symbol.asyncDispose]();
});

const read = (
  parameters: Parameters,
  query: string,
  form = '',
  path: { readonly [name: string]: string } = {},
): Promise<Coerced> =>
  coerceParameters(toReading(parameters), { path, form: parseForm(form), query: parseForm(query) }, services);

/** What a text is read as, or the words against it. */
async function one(parameters: Parameters, query: string): Promise<unknown> {
  const { values, problems } = await read(parameters, query);
  return problems.get('x')?.[0] ?? values['x'];
}

const requiredOfAccession = { id_0: 'A.1', title: 'T', accession_date: '2026-01-02' };
const wrong = (shown: string, type = 'Integer'): string => `Wanted type ${type} but got '${shown}'`;
const long = 'y'.repeat(1001);

describe('a number', () => {
  it.each<readonly [string, unknown]>([
    ['7', 7],
    ['007', 7],
    ['-7', -7],
    ['%2B7', 7],
    ['%207%20', 7],
    ['0x1F', 31],
    ['-0X1f', -31],
    ['0o17', 15],
    ['0b101', 5],
    ['1_000', 1000],
    ['0xf_f', 255],
    ['-0', 0],
    ['2147483647', 2_147_483_647],
    ['-2147483648', -2_147_483_648],
    ['2147483648', wrong('2147483648')],
    ['-2147483649', wrong('-2147483649')],
    ['1__0', wrong('1__0')],
    ['_1', wrong('_1')],
    ['1_', wrong('1_')],
    ['0o8', wrong('0o8')],
    ['0b2', wrong('0b2')],
    ['0xg', wrong('0xg')],
    ['1e3', wrong('1e3')],
    ['%2B-1', wrong('+-1')],
    ['1%201', wrong('1 1')],
    [`${'0'.repeat(99)}7`, 7],
    [`${'0'.repeat(100)}7`, wrong(`${'0'.repeat(100)}7`)],
  ])('%s reads as %j', async (sent, value) => {
    expect(await one({ x: integer() }, `x=${sent}`)).toBe(value);
  });

  it('within bounds is both of them, and cut to the upper one where it says so', async () => {
    const between = { x: integerBetween(2, 5)() };
    const cut = { x: cutInteger(2, 5)() };
    const all = ['1', '2', '5', '6'];
    expect(await Promise.all(all.map((sent) => one(between, `x=${sent}`)))).toEqual([wrong('1'), 2, 5, wrong('6')]);
    expect(await Promise.all(all.map((sent) => one(cut, `x=${sent}`)))).toEqual([wrong('1'), 2, 5, 5]);
  });

  it('as an id is 0 where no record can have it, and of a repository one that is there', async () => {
    const sent = ['0', '-1', '2', '3', '4', '2147483647', '2147483648', 'x'];
    const none = 'Failed validation -- The Repository must exist';
    expect(await Promise.all(sent.map((each) => one({ x: id() }, `x=${each}`)))).toEqual([
      ...[0, 0, 2, 3, 4, 2_147_483_647, 0],
      wrong('x'),
    ]);
    expect(await Promise.all(sent.map((each) => one({ x: repositoryId() }, `x=${each}`)))).toEqual([
      ...[none, none, 2, 3],
      ...[none, none, none, none],
    ]);
    expect(await one({ x: repositoryId() }, 'x[]=2')).toBe(none);
  });

  it('of a set is there once, at most 250 of them, and those that no record can have are left out', async () => {
    const set = { x: idSet() };
    const ids = Array.from({ length: 250 }, (_, index) => index);
    expect(await one(set, 'x=3,0x2,3,,1_0,0,2147483647,2147483648,')).toEqual([3, 2, 10, 0, 2_147_483_647]);
    expect(await one(set, `x=${ids.join()},7`)).toEqual(ids);
    expect(await one(set, `x=${ids.join()},250`)).toBe('At most 250 ids can be asked for at once, not 251');
    expect(await one(set, 'x=1,-1')).toBe(wrong('1,-1', '[Integer]'));
    expect(await one(set, 'x[]=1&x[]=b')).toBe(wrong('["1", "b"]', '[Integer]'));
    expect(await one(set, 'x[]=1&x[]=')).toBe(wrong('["1", ""]', '[Integer]'));
  });
});

describe('a text', () => {
  it('is as it was sent, without halves of characters; the character that cannot be stored is refused', async () => {
    expect(await one({ x: text() }, 'x=')).toBe('');
    expect(await one({ x: text() }, `x=${long}`)).toBe(long);
    expect(await one({ x: text() }, 'x=a%00')).toBe('Failed validation -- must not contain the character U+0000');
    expect(await one({ x: text() }, 'x[]=a')).toBe(wrong('["a"]', 'String'));
    const blank = { x: text({ default: 'usual', blank: 'absent' }) };
    expect([await one(blank, 'x='), await one(blank, ''), await one(blank, 'x=a')]).toEqual(['usual', 'usual', 'a']);
    const kept = { x: text({ default: 'usual' }) };
    expect([await one(kept, 'x='), await one({ x: text({ blank: 'absent' }) }, 'x=')]).toEqual([
      '',
      'Parameter required but no value provided',
    ]);
  });

  it('of any sort counts as given', async () => {
    expect(await Promise.all(['x=', 'x=a', 'x[]=a&x[]=b'].map((sent) => one({ x: anything() }, sent)))).toEqual([
      '',
      'a',
      'a,b',
    ]);
  });

  it('is true or false in any case', async () => {
    const sent = ['TRUE', 'false', 'False', 'yes', ''];
    expect(await Promise.all(sent.map((each) => one({ x: boolean() }, `x=${each}`)))).toEqual([
      ...[true, false, false],
      ...['yes', ''].map((each) => wrong(each, 'RESTHelpers::BooleanParam')),
    ]);
    expect(await one({ x: boolean() }, 'x[]=true')).toBe(wrong('["true"]', 'RESTHelpers::BooleanParam'));
  });

  it('that is shown is shown by its first thousand characters', async () => {
    const clipped = `${long.slice(0, 1000)}…`;
    expect(await one({ x: boolean() }, `x=${long}`)).toBe(wrong(clipped, 'RESTHelpers::BooleanParam'));
    expect(await one({ x: boolean() }, `x=${long.slice(1)}`)).toBe(wrong(long.slice(1), 'RESTHelpers::BooleanParam'));
    expect(await one({ x: listOf(text())() }, `x=${long}`)).toBe(
      `Wanted type [String] but got '${clipped}'.  Perhaps you meant to specify an array like: x[]=${clipped}`,
    );
    expect(await one({ x: boolean() }, `x[]=${long}`)).toBe(
      wrong(`["${long.slice(0, 998)}…`, 'RESTHelpers::BooleanParam'),
    );
  });

  it('breaks the rule of its parameter in words', async () => {
    const even = { x: integer({ check: (value) => (value % 2 === 0 ? null : `must be even but given: ${value}`) }) };
    expect([await one(even, 'x=4'), await one(even, 'x=5'), await one(even, 'x=y')]).toEqual([
      4,
      'Failed validation -- must be even but given: 5',
      wrong('y'),
    ]);
  });
});

describe('a list', () => {
  it('is of values of its type, and in brackets', async () => {
    const numbers = { x: listOf(integer())() };
    expect(await one(numbers, 'x[]=1&x[]=0x2')).toEqual([1, 2]);
    expect(await one(numbers, 'x[]=1&x[]=b')).toBe(wrong('["1", "b"]', '[Integer]'));
    expect(await one(numbers, 'x=7')).toBe(
      "Wanted type [Integer] but got '7'.  Perhaps you meant to specify an array like: x[]=7",
    );
    expect(await one(numbers, 'x=b')).toBe(wrong('b', '[Integer]'));
    expect(await one({ x: listOf(boolean())() }, 'x=b')).toBe(wrong('b', '[RESTHelpers::BooleanParam]'));
  });
});

describe('what is JSON', () => {
  it('is an object, and a record is checked in the repository that the request names', async () => {
    const defaults = { defaults: { publish: true } };
    expect((await api.post('/repositories/3/preferences', defaults)).status).toBe(200);
    const accession = encodeURIComponent(JSON.stringify({ ...requiredOfAccession, made_up: 7 }));
    const of = recordParameter('accession');
    const { values } = await read(
      { x: jsonParameter(), r: of(), repo_id: repositoryId() },
      `x={"a":[1]}&r=${accession}&repo_id=3`,
    );
    // What is published there unless the record says otherwise.
    const record = { ...requiredOfAccession, publish: true };
    expect(values).toEqual({ x: { a: [1] }, r: expect.objectContaining({ warnings: {} }), repo_id: 3 });
    expect(values['r']).toMatchObject({ record, prepared: { body: record } });
    expect(values['r']).not.toHaveProperty('record.made_up');
    for (const query of [`r=${accession}&repo_id=2`, `r=${accession}`]) {
      const { values: others } = await read({ r: of(), repo_id: optionalRepositoryId() }, query);
      expect(others['r']).toMatchObject({ record: { ...requiredOfAccession, publish: false } });
    }
    await expect(read({ r: of() }, 'r={"title":"T"}')).rejects.toMatchObject({ code: 'invalid_record' });
    const none = fail('malformed_body', 'Had some trouble parsing your request: expected a JSON object');
    for (const sent of ['[]', '7', 'null'])
      await expect(read({ x: jsonParameter() }, `x=${sent}`)).rejects.toEqual(none);
    await expect(read({ r: of() }, 'r=[]')).rejects.toEqual(none);
    await expect(read({ x: username() }, 'x=a/b')).rejects.toEqual(fail('bad_parameter', 'Invalid username'));
  });
});

describe('several parameters', () => {
  it('are taken from the path, then the form, then the query', async () => {
    const { values } = await read({ a: text(), b: text(), c: text() }, 'a=query&b=query&c=query', 'a=form&b=form', {
      a: 'path',
    });
    expect(values).toEqual({ a: 'path', b: 'form', c: 'query' });
  });

  it('have their problems in the order declared, and the last repository counts', async () => {
    const needed = { b: integer(), a: boolean(), c: optionalRepositoryId(), d: repositoryId() };
    const { problems, repoId } = await read(needed, 'a=x&c=2&d=3');
    expect([[...problems.keys()], repoId]).toEqual([['b', 'a'], 3]);
    expect((await read(needed, 'b=1&a=true&c=2&d=x')).repoId).toBe(2);
    // Which of both is meant is not known.
    const gone = await read(needed, 'b=1&a=true&c=2&d=9');
    expect([[...gone.problems.keys()], gone.repoId]).toEqual([['c', 'd'], 9]);
    expect(await read({ c: optionalRepositoryId() }, '')).toEqual({
      values: { c: null },
      problems: new Map(),
      repoId: null,
    });
  });

  it('of a group are each missing where none is given, with a hint that one is enough', async () => {
    const group = { optional: true, group: 'one' } as const;
    const reading = toReading({
      a: integer(group),
      b: text(group),
      c: text(),
      d: text({ optional: true, group: 'alone' }),
    });
    const problemsOf = async (query: string): Promise<Coerced['problems']> =>
      (await coerceParameters(reading, { path: {}, form: new Map(), query: parseForm(query) }, services)).problems;
    const missing = ['Parameter required but no value provided'];
    expect([...(await problemsOf('d=1'))]).toEqual([
      ['c', missing],
      ['a', missing],
      ['b', missing],
    ]);
    expect([...(await problemsOf('b=&c=1&d=1'))]).toEqual([]);
    // Given, but wrong.
    expect([...(await problemsOf('a=x&c=1&d=1'))]).toEqual([['a', [wrong('x')]]]);
    const hinted = fail('bad_parameter', { c: missing, a: missing, b: missing }).hinted('Give one of a, b.');
    expect(toParameterFailure(reading, await problemsOf('d=1'))).toEqual(hinted);
    expect(toParameterFailure(reading, await problemsOf('a=1'))).toEqual(
      fail('bad_parameter', { c: missing, d: missing }),
    );
  });

  it('are needed unless another is given', async () => {
    const page = { page: { ...integer({ optional: true }), unless: 'cursor' }, cursor: text({ optional: true }) };
    expect((await read(page, '')).problems.has('page')).toBe(true);
    expect(await read(page, 'cursor=')).toMatchObject({ values: { page: null, cursor: '' }, problems: new Map() });
  });
});
