// Sessions of browsers in a cookie, groups by their addresses, and targets of requests.
import { describe, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { groupsByRepository } from '../../../apps/api/access/accounts.ts';
import { groupChanges } from '../../../apps/api/access/group-changes.ts';
import {
  claimedByCookie,
  csrfTokenOf,
  readSessionCookie,
  setSessionCookie,
} from '../../../apps/api/access/session-cookie.ts';
import { pathOf, queryOf } from '../../../apps/api/request/target.ts';

describe('the cookie of a session', () => {
  it.each<readonly [string | undefined, string | null]>([
    ['muniment_session=abc', 'abc'],
    ['a=b; muniment_session = abc ; c=d', 'abc'],
    ['muniment_session=a=b', 'a=b'],
    ['muniment_session=first; muniment_session=second', 'first'],
    ['muniment_session=', null],
    ['xmuniment_session=abc; muniment_session', null],
    ['=abc', null],
    [undefined, null],
  ])('%s holds %s', (cookie, token) => {
    expect(readSessionCookie({ cookie })).toBe(token);
  });

  it('is out of reach of scripts and other sites, and taken away by an end', () => {
    const rest = 'Path=/; HttpOnly; SameSite=Strict';
    expect([setSessionCookie('abc', false), setSessionCookie('abc', true), setSessionCookie(null, true)]).toEqual([
      `muniment_session=abc; ${rest}`,
      `muniment_session=abc; ${rest}; Secure`,
      `muniment_session=; ${rest}; Secure; Max-Age=0`,
    ]);
  });

  it('counts with the token that follows from it alone', () => {
    const cookie = 'muniment_session=abc';
    const token = csrfTokenOf('abc');
    expect(token).toMatch(/^[\w-]{43}$/);
    const claims = (headers: Parameters<typeof claimedByCookie>[0]): unknown => claimedByCookie(headers);
    expect([
      claims({ cookie, 'x-csrf-token': token }),
      claims({ cookie }),
      claims({ cookie, 'x-csrf-token': 'none' }),
      claims({ cookie, 'x-csrf-token': [token] }),
      claims({ cookie, 'x-csrf-token': csrfTokenOf('abd') }),
      claims({ cookie, 'x-csrf-token': `${token}x` }),
      claims({ 'x-csrf-token': token }),
    ]).toEqual([{ token: 'abc' }, 'none', 'none', 'none', 'gone', 'gone', 'gone']);
  });
});

it('groups are of the repositories of their addresses', () => {
  const uris = ['/repositories/2/groups/5', '/repositories/3/groups/7', '/repositories/2/groups/6'];
  expect([...groupsByRepository(uris)]).toEqual([
    [2, [5, 6]],
    [3, [7]],
  ]);
  expect([...groupsByRepository([])]).toEqual([]);
  for (const wrong of ['/groups/5', '/repositories/2/resources/5', 'x'])
    expect(() => groupsByRepository([wrong])).toThrow(fail('bad_parameter', { groups: [`Group not found: ${wrong}`] }));
});

it('of a change to a group what is different is told, and nothing else', () => {
  const before = { code: 'old', grants: ['a', 'b'], members: ['ann', 'ben'] };
  expect(groupChanges(before, { code: 'new', grants: ['b', 'c'], members: ['ben'] })).toEqual({
    ...{ group_code: 'new', granted: ['c'], revoked: ['a'], left: ['ann'] },
  });
  expect(groupChanges(before, before)).toEqual({ group_code: 'old' });
  expect(groupChanges(before, { code: '', grants: [], members: ['ann', 'ben', 'cara'] })).toEqual({
    ...{ group_code: 'old', revoked: ['a', 'b'], joined: ['cara'] },
  });
});

it('targets of requests are parted at the first mark', () => {
  const targets = ['/a', '/a?b=c?d', '/a?b#c?d', '/a#b?c', '/a?', '?'];
  expect(targets.map((url) => [pathOf(url), queryOf(url)])).toEqual([
    ['/a', ''],
    ['/a', 'b=c?d'],
    ['/a', 'b'],
    ['/a', 'c'],
    ['/a', ''],
    ['', ''],
  ]);
});
