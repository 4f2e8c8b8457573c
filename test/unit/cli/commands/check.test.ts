// What is told of a service that is asked how it is.
import { expect, it } from 'vitest';
import type { Answers } from '../answering.ts';
import { Answer, answering } from '../answering.ts';

const status = 'GET /system/index-status';
const fine: Answers = {
  'GET /health/ready': { status: 'ok' },
  'GET /version': new Answer(200, 'Muniment (v9.9.9)\n'),
  'GET /': { version: '9.9.9' },
  'GET /users/current-user': { username: 'anna' },
  [status]: { changes: 0, due: 0, due_bulk: 0, fans: 0, waiting_seconds: 0 },
};
const lines = (index: readonly string[], ready = 'yes', login = 'as anna'): string =>
  [
    'address    http://service',
    `ready      ${ready}`,
    'version    Muniment (v9.9.9), Muniment 9.9.9',
    `login      ${login}`,
    ...index,
    '',
  ].join('\n');

it('tells all of a service that is well', async () => {
  expect(await answering(fine, ['check'])).toEqual({
    code: 0,
    stdout: lines(['index      up to date']),
    stderr: '',
    asked: Object.keys(fine),
  });
  const json = await answering(fine, ['check', '--json']);
  expect(JSON.parse(json.stdout)).toEqual({
    ok: true,
    url: 'http://service',
    ready: true,
    version: 'Muniment (v9.9.9)',
    product_version: '9.9.9',
    login: { user: 'admin', ok: true, says: 'as anna' },
    index: { changes: 0, due: 0, bulk: 0, fans: 0, waitingSeconds: 0 },
  });
});

it('sums up what waits to be indexed', async () => {
  const behind = { changes: 1000, due: 200, due_bulk: 30, fans: 4, waiting_seconds: 12.34 };
  expect((await answering({ ...fine, [status]: behind }, ['check'])).stdout).toBe(
    lines(['index      1,234 waiting to be indexed, since 12.3 s']),
  );
});

it.each([403, 404])('says nothing of the index to those who may not ask (%i)', async (refused) => {
  const run = await answering({ ...fine, [status]: new Answer(refused, { error: 'No' }) }, ['check']);
  expect(run).toMatchObject({ code: 0, stdout: lines([]) });
});

it('ends with 1 where the service is not ready, lets nobody in, or fails otherwise', async () => {
  const away = await answering(
    { ...fine, 'GET /health/ready': new Answer(503, { error: 'Closing' }, { 'retry-after': '60' }) },
    ['check'],
  );
  expect(away).toMatchObject({
    code: 1,
    stdout: lines(['index      up to date'], 'no: its database does not answer, or it is closing'),
  });
  const gone = new Answer(412, { code: 'SESSION_GONE', error: 'No session found' });
  const out = await answering({ ...fine, 'GET /users/current-user': gone }, ['check']);
  expect(out).toMatchObject({ code: 1, stdout: lines([], 'yes', 'The session has ended: log in again.') });
  for (const asked of ['GET /health/ready', status])
    expect(await answering({ ...fine, [asked]: new Answer(500, { error: 'Odd' }) }, ['check'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The service failed (500 Odd).\n',
    });
});
