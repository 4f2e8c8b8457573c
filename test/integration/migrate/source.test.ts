// How a source is asked: with which session, again after what, how soon, and what its answers are taken for.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MigrationFailure, Refused, SourceDenied, SourceLost } from '#migrate/failures.ts';
import type { Patience, Source, SourceLogin } from '#migrate/source.ts';
import { openSource } from '#migrate/source.ts';
import type { Incumbent } from '../cli/incumbent.ts';
import { smallHoldings, startIncumbent } from '../cli/incumbent.ts';

const patience: Patience = {
  ...{ whenAway: 4, whenFailing: 2, firstWaitMs: 20, longestWaitMs: 50, longestAskedMs: 60, replyMs: 60_000 },
};
let incumbent: Incumbent;
beforeEach(async () => {
  incumbent = await startIncumbent(smallHoldings('ArchivesSpace (v4.1.1)\n'));
});
afterEach(() => incumbent[Symbol.asyncDispose]());
const open = (login: Partial<SourceLogin> = {}): Promise<Source> =>
  openSource(
    { url: incumbent.url, user: 'ann@x', password: 'secret', ...login },
    { atOnce: 3, aSecond: 1000 },
    new AbortController().signal,
    patience,
  );

/** Answers requests for one address so, and tells the waits before the repetitions, in milliseconds. */
function answer(path: string, status: number, text: string, headers: Record<string, string> = {}): () => number[] {
  const at: number[] = [];
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== path) return false;
    at.push(performance.now());
    response.writeHead(status, headers).end(text);
    return true;
  };
  return () => at.slice(1).map((time, index) => time - (at[index] ?? 0));
}

const failureOf = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);

it('logs in once for all requests that want a session, and is told which release answers', async () => {
  const source = await open();
  expect([source.url, source.release, source.version]).toEqual([incumbent.url, 'R-B', 'ArchivesSpace (v4.1.1)']);
  expect(await Promise.all([source.ask('/oai_config'), source.session()])).toEqual([
    [{ uri: '/oai_config/1', oai_repository_name: 'A' }],
    'opened',
  ]);
  expect(incumbent.requests).toEqual(['/users/ann%40x/login', '/version', '/oai_config']);
});

it('sends the session under both names of its header, with what each request carries besides', async () => {
  const seen: unknown[] = [];
  incumbent.mischief = ({ method, url, headers }) => {
    seen.push([method, url, headers['x-service-session'], headers['x-archivesspace-session'], headers['traceparent']]);
    return false;
  };
  let count = 0;
  const source = await open({ headers: () => ({ traceparent: String(++count) }) });
  await source.close();
  expect(seen).toEqual([
    ['POST', '/users/ann%40x/login', undefined, undefined, '1'],
    ['GET', '/version', 'opened', 'opened', '2'],
    ['POST', '/logout', 'opened', 'opened', undefined],
  ]);
});

it('ends at its close a session that it made, and one that was given only where it is told to', async () => {
  const given = await open({ session: 'opened', password: undefined });
  await given.close();
  expect(incumbent.requests).toEqual(['/version']);
  await given.logOut();
  expect(incumbent.requests).toEqual(['/version', '/logout']);
});

it('asks for the session that is to last, with the password', async () => {
  let body = '';
  incumbent.mischief = (request, response, url) => {
    if (!url.pathname.endsWith('/login')) return false;
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => response.end('{"session":"opened"}'));
    return true;
  };
  await open({ password: 'a&b' });
  expect(body).toBe('password=a%26b&expiring=false');
});

it.each([
  [403, '{"error":"Login failed"}', SourceDenied, 'refused the password of ann@x.'],
  [200, '{"user":{}}', MigrationFailure, 'gave no session (200): is it the address of the interface for clients?'],
  [
    404,
    '{"session":"opened"}',
    MigrationFailure,
    'gave no session (404): is it the address of the interface for clients?',
  ],
  [200, '<html>', MigrationFailure, 'gave no session (200): is it the address of the interface for clients?'],
])('says why nobody is let in: %s %s', async (status, text, kind, words) => {
  answer('/users/ann%40x/login', status, text);
  const error = await failureOf(open());
  expect(error).toBeInstanceOf(kind);
  expect(error).toHaveProperty('message', `${incumbent.url} ${words}`);
});

it('logs in anew where its session is gone, once for each request', async () => {
  const source = await open();
  let refusals = 1;
  incumbent.mischief = (_request, response, url) => {
    if (url.pathname !== '/oai_config' || refusals-- <= 0) return false;
    response.writeHead(412).end('{"code":"SESSION_GONE"}');
    return true;
  };
  incumbent.requests.length = 0;
  await source.ask('/oai_config');
  expect(incumbent.requests).toEqual(['/oai_config', '/users/ann%40x/login', '/oai_config']);
  refusals = 2;
  incumbent.requests.length = 0;
  const error = await failureOf(source.ask('/oai_config'));
  expect(error).toBeInstanceOf(SourceDenied);
  expect(error).toMatchObject({ message: `The session at ${incumbent.url} has ended.`, status: 412 });
  expect(incumbent.requests).toEqual(['/oai_config', '/users/ann%40x/login', '/oai_config']);
});

it('says that a session is gone which it could not make anew, and that there is no password', async () => {
  const source = await open({ session: 'opened', password: undefined });
  answer('/oai_config', 412, '{"code":"SESSION_GONE"}');
  incumbent.requests.length = 0;
  await expect(source.ask('/oai_config')).rejects.toThrow(`The session at ${incumbent.url} has ended.`);
  expect(incumbent.requests).toEqual(['/oai_config']);
  await expect(open({ password: undefined })).rejects.toThrow(`No password for ann@x at ${incumbent.url}.`);
});

it.each([
  [400, '{"error":{"title":["is missing"]}}', []],
  [404, 'gone', []],
  [500, '{"error":"broken"}', [20, 40]],
  [504, '<html>', [20, 40]],
  [429, '{"error":"later"}', [20, 40, 50, 50]],
  [502, '', [20, 40, 50, 50]],
  [503, '{"error":"later"}', [20, 40, 50, 50]],
])('takes %s for a refusal, at once or after repetitions', async (status, text, waits) => {
  const source = await open();
  const waited = answer('/oai_config', status, text);
  const error = await failureOf(source.ask('/oai_config'));
  expect(error).toBeInstanceOf(Refused);
  expect(error).toHaveProperty('status', status);
  expect(waited().map((ms, index) => ms >= (waits[index] ?? 0) - 2)).toEqual(waits.map(() => true));
});

it('waits as long as it is asked to, and no longer than anybody waits', async () => {
  const source = await open();
  const waited = answer('/oai_config', 503, '', { 'retry-after': '3600' });
  await failureOf(source.ask('/oai_config'));
  expect(waited().map((ms) => ms >= 58)).toEqual([true, true, true, true]);
});

it('tells a source that is away from one that refuses, after it asked as often', async () => {
  const source = await open();
  let asked = 0;
  incumbent.mischief = (request) => {
    asked++;
    request.socket.destroy();
    return true;
  };
  const error = await failureOf(source.ask('/oai_config'));
  expect(error).toBeInstanceOf(SourceLost);
  expect(error).toHaveProperty('message', expect.stringContaining(`The connection to ${incumbent.url} failed: `));
  expect(asked).toBe(5);
});

it('names what was asked for and what came, also where that is no JSON', async () => {
  const source = await open();
  const words = async (status: number, text: string): Promise<unknown> => {
    answer('/oai_config', status, text);
    const error = await failureOf(source.ask('/oai_config', { page: 1 }));
    return error instanceof Refused && [error.message, error.status];
  };
  expect(await words(400, '{"error":"wrong"}')).toEqual(['/oai_config: 400 wrong', 400]);
  expect(await words(404, `gone${'.'.repeat(300)}`)).toEqual([`/oai_config: 404 gone${'.'.repeat(196)}`, 404]);
  expect(await words(200, `<html>${'.'.repeat(300)}`)).toEqual([
    `/oai_config is no JSON: <html>${'.'.repeat(194)}`,
    200,
  ]);
  expect(await words(302, 'moved')).toEqual(['/oai_config: 302 moved', 302]);
});

it('gives files in pieces as they are, and tells one that is refused or breaks off', async () => {
  const source = await open();
  const log = '/repositories/2/jobs/3/log';
  const read = async (): Promise<string> => Buffer.concat(await Array.fromAsync(await source.download(log))).toString();
  expect(await read()).toBe('What was done.\n');
  answer(log, 404, 'none');
  expect(await failureOf(read())).toEqual(new Refused(`${log}: 404`, { status: 404 }));
  incumbent.mischief = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    return true;
  };
  expect(await failureOf(read())).toBeInstanceOf(SourceLost);
});

it('does not know the release of a source that does not tell it', async () => {
  answer('/version', 404, 'none');
  const { version, release } = await open();
  expect([version, release]).toEqual(['unknown', 'R-B']);
});

it('stops where it is told to, with the reason of that', async () => {
  const controller = new AbortController();
  const source = await openSource(
    { url: incumbent.url, user: 'ann', password: 'secret' },
    { atOnce: 1, aSecond: 1000 },
    controller.signal,
    { ...patience, firstWaitMs: 60_000, longestWaitMs: 60_000 },
  );
  const reason = new Error('enough');
  incumbent.mischief = (_request, response) => {
    response.writeHead(500).end();
    setImmediate(() => controller.abort(reason));
    return true;
  };
  expect(await failureOf(source.ask('/oai_config'))).toBe(reason);
  expect(await failureOf(source.ask('/oai_config'))).toBe(reason);
});
