// How far a long command is: a bar on a terminal, lines now and then elsewhere, nothing with --json. Always on standard error.
import cliProgress from 'cli-progress';
import type { Output } from './output.ts';
import { count, printable } from './output.ts';

/** How numbers are shown, and how many seconds are left where that is known. */
type Shown = { readonly show?: (value: number) => string; readonly secondsLeft?: number | null };

/** A display of progress. */
export type ProgressDisplay = {
  /** What is being done and how far it is; `total` null while unknown. */
  update(label: string, done: number | null, total: number | null, more?: Shown): void;
  /** A line that stays. */
  line(text: string): void;
  /** Takes the bar away. Needed on every way out: the cursor is hidden while there is one. */
  end(): void;
};

// Often enough to see that it lives, seldom enough for a log file.
const plainEveryMs = 5_000;

/** The display that fits the output. */
export function showProgress(output: Output): ProgressDisplay {
  if (output.isJson) return { update: () => undefined, line: () => undefined, end: () => undefined };
  return output.stderr.isTTY ? bar(output.stderr) : plainLines(output.stderr);
}

function farText(done: number, total: number | null, { show = count, secondsLeft = null }: Shown): string {
  const left =
    secondsLeft === null || secondsLeft === 0
      ? ''
      : `, ${secondsLeft < 100 ? `${secondsLeft} s` : `${Math.round(secondsLeft / 60)} min`} left`;
  return `: ${show(done)}${total === null ? '' : ` of ${show(total)}`}${left}`;
}

function plainLines(stream: NodeJS.WriteStream): ProgressDisplay {
  let lastLabel = '';
  let lastFar = '';
  let lastAt = 0;
  return {
    update: (label, done, total, more = {}) => {
      const now = performance.now();
      if (label === lastLabel && now - lastAt < plainEveryMs) return;
      const far = label === lastLabel && done !== null ? farText(done, total, more) : '';
      // What tells no numbers, or ever the same, as the last phase of a load that settles all of it at once, has been said.
      if (label === lastLabel && (far === '' || far === lastFar)) return;
      lastLabel = label;
      lastFar = far;
      lastAt = now;
      stream.write(`  ${printable(label)}${far}\n`);
    },
    line: (text) => void stream.write(`${printable(text)}\n`),
    end: () => undefined,
  };
}

function bar(stream: NodeJS.WriteStream): ProgressDisplay {
  const bars = new cliProgress.MultiBar({
    stream,
    format: (_options, parameters, payload: { readonly text?: string; readonly hasBar?: boolean }) => {
      const text = payload.text ?? '';
      if (payload.hasBar !== true) return `  ${text}`;
      const width = 30;
      const full = Math.round(parameters.progress * width);
      return `  [${'='.repeat(full)}${' '.repeat(width - full)}] ${String(Math.floor(parameters.progress * 100)).padStart(3)}%  ${text}`;
    },
    clearOnComplete: true,
    hideCursor: true,
    linewrap: null,
    // main.ts has the handler of Ctrl-C; a second one here would end the bar and leave the command running.
    gracefulExit: false,
    fps: 8,
  });
  const line = bars.create(1, 0, { text: '', hasBar: false });
  let isOn = true;
  const end = (): void => {
    if (!isOn) return;
    isOn = false;
    process.off('exit', end);
    // Lines that wait for the next drawing would be lost.
    bars.update();
    bars.stop();
  };
  // A second Ctrl-C ends the process at once; the cursor comes back all the same.
  process.on('exit', end);
  return {
    update: (label, done, total, more = {}) => {
      const hasBar = done !== null && total !== null && total > 0;
      const far = done === null ? '' : farText(done, total, more);
      line.setTotal(hasBar ? total : 1);
      line.update(hasBar ? done : 0, { text: `${printable(label)}${far}`, hasBar });
    },
    line: (text) => bars.log(`${printable(text)}\n`),
    end,
  };
}
