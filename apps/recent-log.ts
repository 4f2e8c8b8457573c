// The last lines of the log, kept in memory beside their way to standard output, for GET /system/log.

/** A destination for log lines that remembers the last of them. */
export class RecentLog {
  readonly #most: number;
  #lines: string[] = [];

  /** `most`: how many lines are remembered. */
  constructor(most = 500) {
    this.#most = most;
  }

  /** Takes one line, as pino writes it. */
  write(line: string): void {
    this.#lines.push(line);
    // Cut in halves, so that a line costs no copy of all.
    if (this.#lines.length > 2 * this.#most) this.#lines = this.#lines.slice(-this.#most);
  }

  /** The remembered lines, oldest first, each ended by a newline. */
  text(): string {
    return this.#lines.slice(-this.#most).join('');
  }
}
