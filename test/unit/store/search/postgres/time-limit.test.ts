// In which way each stage of a search is done after it was stopped, and how long it may take then.
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { fail } from '#domain/errors.ts';
import { startTimeLimit } from '#store/search/postgres/time-limit.ts';

const stopped = Object.assign(new pg.DatabaseError('canceling statement', 7, 'error'), { code: '57014' });

describe('a page', () => {
  it('is of all, then of some documents, then of a sample, and then fails', () => {
    let now = 0;
    const time = startTimeLimit(1000, () => now);
    const ways = ['whole', 'bounded', 'sampled'].map((way) => {
      expect(time.way('page')).toBe(way);
      const most = Number(time.begin('page'));
      now += most;
      if (way !== 'sampled') time.stopped(stopped);
      return most;
    });
    expect(ways).toEqual([450, 350, 200]);
    expect(() => time.stopped(stopped)).toThrow(
      expect.objectContaining({ code: 'search_stopped', status: 503, cause: stopped }),
    );
    expect(time.warnings()).toEqual([]);
  });

  it('has facets of what it is of itself', () => {
    const time = startTimeLimit(1000, () => 0);
    time.begin('page');
    time.stopped(stopped);
    expect(time.way('facets')).toBe('bounded');
    time.stopped(stopped);
    expect([time.way('page'), time.way('facets')]).toEqual(['sampled', 'sampled']);
  });

  it('is by part from the first where that is known, with what is left of the time', () => {
    let now = 0;
    const time = startTimeLimit(1000, () => now);
    time.boundPage('sampled');
    expect([time.way('page'), time.way('facets'), time.begin('page')]).toEqual(['sampled', 'sampled', '350']);
    now = 900;
    expect(time.begin('page')).toBe('100');
    now = 2000;
    expect(time.begin('page'), 'some time there always is').toBe('25');
  });
});

it.each([
  ['facets', ['bounded', 'sampled', 'left out'], 'facets_left_out'],
  ['suggestions', ['left out'], 'suggestions_left_out'],
  ['explanations', ['left out'], 'explain_left_out'],
] as const)('%s are left out in the end, and that is told', (stage, ways, code) => {
  const time = startTimeLimit(1000, () => 0);
  for (const way of ways) {
    expect(time.warnings()).toEqual([]);
    time.begin(stage);
    time.stopped(stopped);
    expect(time.way(stage)).toBe(way);
    expect(time.way('page')).toBe('whole');
  }
  expect(time.warnings()).toEqual([{ code, message: expect.stringMatching(/left out/) }]);
});

it('throws what is no end of time, and knows none where there is no limit', () => {
  const other = fail('unsupported_query', 'No');
  const time = startTimeLimit(1000, () => 0);
  time.begin('page');
  expect(() => time.stopped(other)).toThrow(other);
  const endless = startTimeLimit(null, () => 0);
  expect(endless.begin('page')).toBe('');
  endless.boundPage('bounded');
  expect(endless.way('page')).toBe('whole');
  expect(() => endless.stopped(stopped)).toThrow(stopped);
});
