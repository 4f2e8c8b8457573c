// The way of the log to standard output.
import { pino } from 'pino';

/** So many characters are written at once. */
const mostHeld = 65_536;
/** The longest that a line waits, in milliseconds. */
const patienceMs = 100;

/**
 * A destination for log lines that writes many at once: a write for each would take a tenth of the time of a request. They are held here
 * and not in pino's own destination, which measures and copies all that it holds again with every line. A line is out within a tenth of a
 * second; at an ordinary end and with a fatal line all that waits is written, and only a kill -9 can take the last tenth with it.
 */
export class LogOutput {
  readonly #output = pino.destination({ fd: 1, sync: false, maxWrite: 2 * mostHeld });
  /** What the other has under way, a thread writes at some time: with the last lines nobody may wait for that. */
  readonly #atOnce = pino.destination({ fd: 1, sync: true });
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    process.on('exit', () => this.flushSync());
  }

  /** Takes one line, as pino writes it. */
  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= mostHeld) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), patienceMs).unref();
  }

  /** Writes all that waits before it returns; pino calls it with a fatal line. */
  flushSync(): void {
    this.#output.flushSync();
    const text = this.#take();
    if (text === '') return;
    this.#atOnce.write(text);
    this.#atOnce.flushSync();
  }

  #flush(): void {
    const text = this.#take();
    if (text !== '') this.#output.write(text);
  }

  /** The lines that wait, which wait no longer. */
  #take(): string {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#lines.join('');
    this.#lines = [];
    this.#length = 0;
    return text;
  }
}
