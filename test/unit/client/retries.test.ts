// When a request is repeated, and after how long.
import { describe, expect, test } from 'vitest';
import { isRepeatable, pause, usualRetries, waitBefore } from '#client/retries.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

describe('the wait before a repetition', () => {
  test.each([
    ['as many seconds as the service asks for', 0, '7', 7000],
    ['until the date that it names', 0, 'Sun, 01 Mar 2026 12:00:05 GMT', 5000],
    ['nothing, where that date has gone by', 0, 'Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['a quarter of a second where it says nothing', 0, null, 250],
    ['twice as long each time', 3, null, 2000],
    ['as if nothing were said, where that cannot be read', 1, 'soon', 500],
    ['no fifth time', 4, '1', null],
    ['no longer than half a minute for a service that asks for more', 0, '31', null],
  ])('is %s', (_what, repeat, retryAfter, wait) => {
    expect(waitBefore(repeat, retryAfter, usualRetries, now)).toBe(wait);
  });

  test('is bounded where the service leaves it to us', () => {
    expect(waitBefore(9, null, { most: 20, longestWaitMs: 3000, whenLost: true }, now)).toBe(3000);
  });

  test('ends with the reason of the signal', async () => {
    const stop = new AbortController();
    const waiting = pause(60_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(pause(60_000, stop.signal)).rejects.toThrow('enough');
  });
});

test.each([
  ['GET', {}, true],
  ['HEAD', {}, true],
  ['POST', {}, false],
  ['DELETE', {}, false],
  ['POST', { 'Idempotency-Key': 'a' }, true],
])('%s with %j may be repeated: %s', (method, headers, says) => {
  expect(isRepeatable(method, new Headers(headers))).toBe(says);
});
