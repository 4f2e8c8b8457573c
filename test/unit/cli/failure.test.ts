// What is said of each refusal of the service, and of files that cannot be used.
import { expect, it } from 'vitest';
import { CliFailure, Interrupted, refusal, toCliFailure, toJson, usage } from '../../../apps/cli/failure.ts';

it.each<readonly [number, unknown, string]>([
  [302, { error: 'Found' }, 'The service is elsewhere (302 Found): --url or MUNIMENT_URL names its address.'],
  [300, undefined, 'The service is elsewhere (300 no reason given): --url or MUNIMENT_URL names its address.'],
  [399, {}, 'The service is elsewhere (399 no reason given): --url or MUNIMENT_URL names its address.'],
  [400, { error: 'No such page' }, 'The service refused this (400): No such page'],
  [
    400,
    { error: { title: ['is missing', 7], page: 'Too large' } },
    'The service refused this (400):\n  title: is missing; 7\n  page: Too large',
  ],
  [400, { error: ['one', 'two'] }, 'The service refused this (400): ["one","two"]'],
  [403, { error: 'Access denied' }, 'anna may not do this (403 Access denied).'],
  // A proxy, which has its status for words.
  [404, { error: '404 Not Found' }, 'The service refused this (404): Not Found'],
  [409, { error: '404 is its number' }, 'The service refused this (409): 404 is its number'],
  [
    413,
    { error: 'Too large' },
    'The service takes no upload of this size (413 Too large); MUNIMENT_MAX_UPLOAD_BYTES sets the limit.',
  ],
  [499, 'text', 'The service refused this (499): no reason given'],
  [
    500,
    { error: 'Odd', request_id: 'r7' },
    'The service failed (500 Odd); the log of the server has more under request r7.',
  ],
  [503, { error: 'Closing', request_id: 7 }, 'The service failed (503 Closing).'],
  [507, undefined, 'The service failed (507 no reason given).'],
])('%i with %j', (status, body, message) => {
  expect(refusal(status, body, 'anna')).toMatchObject({ message, status, exitCode: 1 });
});

it('gives scripts each property that was refused, and nothing where there is nothing', () => {
  const error = { title: ['is missing'] };
  expect(toJson(refusal(400, { error }, 'anna'))).toEqual({
    error: 'The service refused this (400):\n  title: is missing',
    status: 400,
    details: error,
  });
  expect(toJson(usage('Wrong.'))).toEqual({ error: 'Wrong.' });
  expect([usage('Wrong.').exitCode, new Interrupted().exitCode, new CliFailure('x').exitCode]).toEqual([2, 130, 1]);
  expect(toJson(new Interrupted('Stopped.', { job: 7 }))).toEqual({ error: 'Stopped.', details: { job: 7 } });
  expect(toJson(new Interrupted())).toEqual({ error: 'Interrupted.' });
});

const ofFile = (code: string, more: object): Error =>
  Object.assign(new Error(`${code}: from the system`), { code, ...more });

it.each<readonly [Error, string]>([
  [ofFile('ENOENT', { path: '/a/b.xml' }), '/a/b.xml cannot be used: there is no such file or folder.'],
  [ofFile('ENOTDIR', { path: '/a/b.new' }), '/a/b cannot be used: something in its path is no folder.'],
  [ofFile('EISDIR', { path: '/a/b.xml.0a1b2c3d.part' }), '/a/b.xml cannot be used: it is a folder.'],
  [ofFile('EACCES', { path: '/a/b.part.xml' }), '/a/b.part.xml cannot be used: this user may not.'],
  [ofFile('EROFS', { path: '/a/x.part', dest: '/a/b' }), '/a/b cannot be used: nothing can be written there.'],
  [ofFile('ENOSPC', { path: '/a/b' }), '/a/b cannot be used: the disk is full.'],
  [ofFile('EMFILE', { path: '/a/b' }), 'EMFILE: from the system'],
  // Of a connection, not of a file.
  [ofFile('EACCES', {}), 'EACCES: from the system'],
])('of a file: %s', (error, message) => {
  expect(toCliFailure(error)).toMatchObject({ message, exitCode: 1, cause: error });
});

it('keeps the words of what nobody expected', () => {
  const own = new CliFailure('Own');
  expect(toCliFailure(own)).toBe(own);
  expect(['text', 7].map((thrown) => toCliFailure(thrown).message)).toEqual(['text', '7']);
});
