// Counts failed logins of a minute per user and address, so that passwords cannot be tried by the thousand (contract 7.1).
// Kept in memory: each process counts for itself, which multiplies the limit by the number of processes at most.

/** Failed logins are forgotten after this time. */
const windowMs = 60_000;
// Above this the oldest are dropped: names are the client's choice, memory is not.
const mostKeys = 50_000;

/** Says whether a login may be tried at all. */
export class LoginLimit {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #failures = new Map<string, number[]>();

  /** `limit` failed logins a minute are allowed per user and address; 0 is no limit. */
  constructor(limit: number, now: () => number = Date.now) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Whether the user and address have used up the failures of this minute. */
  isBlocked(username: string, address: string): boolean {
    return this.#limit > 0 && this.#recent(`${username} ${address}`).length >= this.#limit;
  }

  /** Counts a failed login. */
  failed(username: string, address: string): void {
    if (this.#limit === 0) return;
    const key = `${username} ${address}`;
    const recent = this.#recent(key);
    // Deleted first, so that the map stays in the order of the last failure.
    this.#failures.delete(key);
    const oldest = this.#failures.keys().next().value;
    if (this.#failures.size >= mostKeys && oldest !== undefined) this.#failures.delete(oldest);
    this.#failures.set(key, [...recent, this.#now()].slice(-this.#limit));
  }

  /** A login succeeded: its failures no longer count. */
  succeeded(username: string, address: string): void {
    this.#failures.delete(`${username} ${address}`);
  }

  #recent(key: string): readonly number[] {
    const since = this.#now() - windowMs;
    return (this.#failures.get(key) ?? []).filter((at) => at > since);
  }
}
