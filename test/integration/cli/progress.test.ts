// Progress on a terminal, in a log file, and with --json.
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { makeOutput } from '../../../apps/cli/output.ts';
import type { ProgressDisplay } from '../../../apps/cli/progress.ts';
import { showProgress } from '../../../apps/cli/progress.ts';

/** What a display writes to a stream that is a terminal or none. */
function written(isTTY: boolean, isJson: boolean, act: (display: ProgressDisplay) => void): string {
  let text = '';
  const stream = new Writable({ write: (chunk, _encoding, done) => { text += String(chunk); done(); } });
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

  it('is silent with --json', () => {
    expect(written(true, true, work)).toBe('');
  });
});
