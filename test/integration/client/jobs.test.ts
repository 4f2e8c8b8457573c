// Jobs awaited to their end; jobs of the command line, whose log is shown, are in test/integration/cli/following.test.ts.
import { describe, expect, it } from 'vitest';
import { openConnection } from '#client/connection.ts';
import { JobFailed, awaitJob } from '#client/jobs.ts';
import type { JobState } from '#client/jobs.ts';
import type { Answer } from './stand-in.ts';
import { standIn } from './stand-in.ts';

const uri = '/repositories/2/jobs/7';

describe('a job', () => {
  it('tells how far it is, through a connection that breaks, and its log is not asked for where nobody reads it', async () => {
    const progress = { label: 'Saving', done: 5, total: 10, seconds_left: 3 };
    const states: readonly Answer[] = [
      { json: { status: 'queued', queue_position: 2 } },
      null,
      { json: { status: 'running', progress } },
      { json: { status: 'completed' } },
    ];
    await using server = await standIn((_asked, before) => states.at(before) ?? null);
    const seen: JobState[] = [];
    const connection = openConnection({ url: server.url, session: 's', retries: { whenLost: false } });
    const end = await awaitJob(connection, uri, { onProgress: (state) => void seen.push(state) });
    expect(end).toEqual({ uri, status: 'completed', errors: [] });
    expect(seen).toEqual([
      { status: 'queued', queuePosition: 2, phase: null },
      { status: 'running', queuePosition: null, phase: { label: 'Saving', done: 5, total: 10, secondsLeft: 3 } },
      { status: 'completed', queuePosition: null, phase: null },
    ]);
    expect(new Set(server.asked.map(({ call }) => call))).toEqual(new Set([`GET ${uri}`]));
  });

  it('is followed while the service is away behind a proxy, or its database is, for as long as one that does not answer', async () => {
    const away = [502, 503, 504, 503, 503, 503, 503, 503].map((status): Answer => ({
      status,
      json: { error: 'away' },
      headers: { 'retry-after': '0' },
    }));
    const states: readonly Answer[] = [{ json: { status: 'running' } }, ...away, { json: { status: 'completed' } }];
    await using server = await standIn((_asked, before) => states.at(before) ?? null);
    const lost: string[] = [];
    const connection = openConnection({ url: server.url, session: 's' });
    const end = await awaitJob(connection, uri, { onLost: (error) => void lost.push(error.message) });
    expect(end.status).toBe('completed');
    expect(lost[0]).toContain('502');
  });

  it('that is refused for another reason is not asked for again', async () => {
    await using server = await standIn(() => ({ status: 500, json: { error: 'Internal error' } }));
    await expect(awaitJob(openConnection({ url: server.url, session: 's' }), uri)).rejects.toThrow('500');
    expect(server.asked).toHaveLength(1);
  });

  it('that fails throws the lines of its log that say why', async () => {
    await using server = await standIn(({ call }) => ({
      json: call === `GET ${uri}` ? { status: 'failed' } : 'IMPORT ERROR\n\tlevel: is missing\n',
    }));
    const error = await awaitJob(openConnection({ url: server.url, session: 's' }), uri).catch((caught) => caught);
    expect(error).toBeInstanceOf(JobFailed);
    expect(error.end).toMatchObject({ uri, status: 'failed' });
    expect(server.asked.map(({ call }) => call)).toEqual([`GET ${uri}`, `GET ${uri}/log?offset=0`]);
  });

  it('that is canceled while it runs has ended with its run, which says why; where that takes long nobody waits for it', async () => {
    const awaited = async (states: readonly object[]): Promise<readonly [JobFailed, calls: readonly string[]]> => {
      let count = 0;
      await using server = await standIn(({ call }) => ({
        json: call === `GET ${uri}` ? states[Math.min(count++, states.length - 1)] : 'why',
      }));
      const failed = await awaitJob(openConnection({ url: server.url, session: 's' }), uri).catch((caught) => caught);
      return [failed, server.asked.map(({ call }) => call)];
    };
    const [running, canceled] = [{ status: 'running' }, { status: 'canceled', time_finished: null }];
    const ended = { ...canceled, time_finished: '2026-01-01 00:00:00 UTC' };
    const [failed, calls] = await awaited([running, canceled, ended]);
    expect(failed.end).toEqual({ uri, status: 'canceled', errors: ['"why"'] });
    expect(calls).toEqual([...Array(3).fill(`GET ${uri}`), `GET ${uri}/log?offset=0`]);
    const [given, more] = await awaited([canceled]);
    expect(given.end).toMatchObject({ uri, status: 'canceled' });
    expect(more.length).toBeGreaterThan(2);
  });

  it('goes on where the waiting ends', async () => {
    await using server = await standIn(() => ({ json: { status: 'running' } }));
    const stop = new AbortController();
    const waiting = awaitJob(openConnection({ url: server.url, session: 's' }), uri, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
