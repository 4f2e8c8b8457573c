// Moments of the primary, each with the position in its log by which everything that is visible in it was written: what a replica that has
// replayed so far shows for certain, and since when it does not show more.

/** A position in PostgreSQL's log, in bytes from its beginning. */
export type Lsn = bigint;

/** A snapshot of the primary. `lsn` was read after it, so all that is visible in it stands before; `at` in milliseconds of this process's clock. */
export type Moment = { readonly snapshot: string; readonly lsn: Lsn; readonly at: number };

const pageBytes = 8192n;
// Of a page, and of the first page of a file of the log. A record that ends at the longer on another page came over from the one before: no position is between.
const headersBytes = [24n, 40n];

/**
 * Reads a position as PostgreSQL writes it ('16/B374D848'). Where nothing stands on a page yet, the primary names the place behind the page's
 * header and a replica the end of the page before: both are the latter here, or a replica of an idle primary would never have all of it. So it is, too,
 * where the log goes on in a new file, as after a backup: the header there is longer.
 */
export function toLsn(text: string): Lsn {
  const [high = '0', low = '0'] = text.split('/');
  const lsn = (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
  return headersBytes.includes(lsn % pageBytes) ? lsn - (lsn % pageBytes) : lsn;
}

// Beyond the longest time that a replica may be behind; what is older tells of nothing that may be served.
const mostKept = 512;
const goodForMs = 10_000;
/** So far apart at least, since each read brings one: otherwise a second of many reads would be all that is kept. */
const apartMs = 20;

/** The moments that a process knows of, the oldest forgotten first. */
export class Moments {
  #kept: Moment[] = [];

  /** Takes a moment up; one that is earlier than the last, or hardly later, is left out. */
  add(moment: Moment): void {
    const last = this.#kept.at(-1);
    if (last !== undefined && moment.at < last.at + apartMs) return;
    this.#kept.push(moment);
    if (this.#kept.length > mostKept) this.#kept.shift();
  }

  /** Forgets all: another server took the primary's place, whose transactions and positions are its own. */
  clear(): void {
    this.#kept = [];
  }

  /** The latest moment of which everything is replayed at a position; null where that is too long ago to say, or unknown. */
  replayedAt(lsn: Lsn, now: number): Moment | null {
    const found = this.#kept.findLast((moment) => moment.lsn <= lsn);
    return found === undefined || now - found.at > goodForMs ? null : found;
  }

  /** How long ago, in milliseconds, the first moment was of which something is not replayed yet; 0 where all is. At least so long where moments were forgotten. */
  behindAt(lsn: Lsn, now: number): number {
    const missing = this.#kept.find((moment) => moment.lsn > lsn);
    return missing === undefined ? 0 : now - missing.at;
  }
}
