// Single reads that come together share a statement: while one is under way the next ones wait and then go as one, which under load
// costs a fraction of a statement each. A reader alone waits for nobody, and nobody waits long for a slow one. Each read still sees
// everything that was committed before it was asked.
import { Failure } from '#domain/errors.ts';

/** Runs a named statement whose only parameter is a list of ids, and gives rows that have `id`, as they come. */
export type RunForIds = (name: string, text: string, ids: readonly number[]) => Promise<readonly unknown[]>;

type Waiting = {
  readonly id: number;
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
};
type Line = {
  readonly name: string;
  readonly text: string;
  waiting: Waiting[];
  running: number;
  isDue: boolean;
  isBusy: boolean;
};

// A statement that takes longer than this holds the others up no more: the next one starts beside it.
const usualPatienceMs = 5;
// So many at most, that slow records do not take all connections.
const mostRunning = 4;
// More ids would only make the first of them wait longer.
const mostIds = 32;

const hasId = (row: unknown): row is { readonly id: unknown } => typeof row === 'object' && row !== null && 'id' in row;

/** Gathers the reads of one process. Statements are told apart by their text. */
export class Gather {
  readonly #run: RunForIds;
  readonly #lines = new Map<string, Line>();

  readonly #patienceMs: number;

  /** `patienceMs`: how long a statement holds up what comes after it. */
  constructor(run: RunForIds, patienceMs = usualPatienceMs) {
    this.#run = run;
    this.#patienceMs = patienceMs;
  }

  /** The row of an id, or undefined where the statement gives none. */
  row(name: string, text: string, id: number): Promise<unknown> {
    let line = this.#lines.get(text);
    if (line === undefined) {
      line = { name, text, waiting: [], running: 0, isDue: false, isBusy: false };
      this.#lines.set(text, line);
    }
    const { waiting } = line;
    this.#whenDue(line);
    return new Promise((resolve, reject) => waiting.push({ id, resolve, reject }));
  }

  // After the requests that arrived in the same turn of the event loop.
  #whenDue(line: Line): void {
    if (line.isDue || line.isBusy) return;
    line.isDue = true;
    setImmediate(() => {
      line.isDue = false;
      this.#start(line);
    });
  }

  #start(line: Line): void {
    if (line.isBusy || line.running >= mostRunning) return;
    const batch = line.waiting.splice(0, mostIds);
    if (batch.length === 0) return;
    line.running += 1;
    line.isBusy = true;
    const next = (): void => {
      line.isBusy = false;
      this.#start(line);
    };
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      next();
    }, this.#patienceMs);
    void this.#answer(line, batch).finally(() => {
      clearTimeout(timer);
      line.running -= 1;
      if (isSlow) this.#start(line);
      else next();
    });
  }

  async #answer(line: Line, batch: readonly Waiting[]): Promise<void> {
    try {
      const ids = batch.length === 1 ? [batch[0]?.id ?? 0] : [...new Set(batch.map(({ id }) => id))];
      const rows = await this.#run(line.name, line.text, ids);
      const byId = new Map(rows.filter(hasId).map((row) => [row.id, row]));
      for (const { id, resolve } of batch) resolve(byId.get(id));
    } catch (error) {
      // One record that cannot be read must not hide the others; a database that is gone is gone for all.
      if (batch.length === 1 || error instanceof Failure) for (const { reject } of batch) reject(error);
      else await Promise.all(batch.map((one) => this.#answer(line, [one])));
    }
  }
}
