// The way of the log to standard output.
import { pino } from 'pino';

/** So many characters are written at once. */
const mostHeld = 65_536;
/** The longest that a line waits, in milliseconds. */
const patienceMs = 100;
/** How long the end waits for what a thread was given to write and has not been heard of since, in milliseconds. */
const threadPatienceMs = 250;

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
  /** Bytes that a thread was given, and has not told to be written. */
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor() {
    this.#output.on('write', (bytes) => {
      this.#underWay = Math.max(0, this.#underWay - bytes);
    });
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
    // A thread that did not get to it would write earlier lines behind the last ones. It is told of by the event loop alone, so all that can be done is to let it run.
    if (this.#underWay > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, threadPatienceMs);
    this.#underWay = 0;
    this.#output.flushSync();
    const text = this.#take();
    if (text === '') return;
    this.#atOnce.write(text);
    this.#atOnce.flushSync();
  }

  #flush(): void {
    const text = this.#take();
    if (text === '') return;
    this.#underWay += Buffer.byteLength(text);
    this.#output.write(text);
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
