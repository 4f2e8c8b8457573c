// Progress on a terminal, in a log file, and with --json.
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Client } from '../../../apps/cli/client.ts';
import { connect } from '../../../apps/cli/client.ts';
import { importFile } from '../../../apps/cli/import/import-file.ts';
import { makeOutput } from '../../../apps/cli/output.ts';
import type { ProgressDisplay } from '../../../apps/cli/progress.ts';
import { showProgress } from '../../../apps/cli/progress.ts';

/** What a display writes to a stream that is a terminal or none. */
function written(isTTY: boolean, isJson: boolean, act: (display: ProgressDisplay) => void): string {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  });
  // A stand-in for the stream of a process: of that, the display uses write, isTTY and columns.
  const stderr = Object.assign(stream, { isTTY, columns: 80 }) as unknown as NodeJS.WriteStream;
  const display = showProgress(makeOutput({ stdout: stderr, stderr }, isJson));
  act(display);
  display.end();
  display.end();
  return text;
}

const work = (display: ProgressDisplay): void => {
  display.line('one.xml');
  display.update('Saving', 0, 2000);
  display.update('Saving', 1000, 2000);
  display.update('Cleaning up', null, null);
  display.line('done \u001b[31mred');
};

describe('progress', () => {
  it('draws a bar on a terminal, keeps every line, and gives the cursor back', () => {
    const text = written(true, false, (display) => {
      display.update('Saving', 1000, 2000);
      display.line('one.xml');
    });
    expect(text).toContain('one.xml\n');
    expect(text).toContain('[===============               ]  50%  Saving: 1,000 of 2,000');
    expect(text.lastIndexOf('\u001b[?25h')).toBeGreaterThan(text.lastIndexOf('\u001b[?25l'));
  });

  it('says how long it takes yet where that is known', () => {
    const text = written(true, false, (display) => {
      display.update('Saving', 1000, 2000, { secondsLeft: 42 });
      display.update('Saving', 1001, 2000, { secondsLeft: 600 });
      display.line('drawn');
    });
    expect(text).toMatch(/of 2,000, (?:42 s|10 min) left/);
  });

  it('writes a line a phase elsewhere, without what terminals obey', () => {
    expect(written(false, false, work)).toBe('one.xml\n  Saving\n  Cleaning up\ndone [31mred\n');
  });

  it('writes nothing twice elsewhere, however long a phase takes', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const text = written(false, false, (display) => {
        for (const done of [1, 1, 1, 2, 2]) {
          display.update('Settling', done, 2);
          vi.advanceTimersByTime(60_000);
        }
      });
      expect(text).toBe('  Settling\n  Settling: 1 of 2\n  Settling: 2 of 2\n');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is silent with --json', () => {
    expect(written(true, true, work)).toBe('');
  });
});

describe('a batch import', () => {
  it('says how long each phase takes yet, by the ticks of the reply', async () => {
    async function* lines(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('[\n{"status":[{"id":1,"label":"Validating","type":"started"}]},\n{"ticks":0,"total":null},\n');
      await sleep(1100);
      yield Buffer.from('{"ticks":100,"total":1000},\n');
      yield Buffer.from('{"saved":{}}\n\n]\n');
    }
    const client: Client = {
      ...connect(
        { url: 'http://stand.in', user: 'admin', session: undefined, password: undefined, passwordFrom: 'nowhere' },
        new AbortController().signal,
      ),
      send: async () => new Response(ReadableStream.from(lines())),
    };
    const seen: unknown[] = [];
    const progress: ProgressDisplay = {
      update: (label, done, total, more) => void seen.push([label, done, total, more?.secondsLeft]),
      line: () => undefined,
      end: () => undefined,
    };
    const file = { name: 'a.json', path: '/nowhere', sizeBytes: 2 };
    const outcome = await importFile({
      client,
      repositoryUri: '/repositories/2',
      file,
      type: 'json',
      migration: false,
      onlyValidate: false,
      progress,
      signal: new AbortController().signal,
    });
    expect(outcome).toMatchObject({ ok: true, stored: true });
    expect(seen).toEqual([
      ['Validating', null, null, undefined],
      ['Validating', 0, null, null],
      ['Validating', 100, 1000, expect.any(Number)],
    ]);
    const left = Object(seen.at(-1))[3];
    expect([left > 5, left < 60]).toEqual([true, true]);
  });
});
