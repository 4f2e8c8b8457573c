// The one place that all statements of readers and transactions pass, for their spans and for who looks for slow ones. Streams (COPY, cursors) and
// what migrations and backups run do not come by.
import { codeOf, currentTracer } from './tracing.ts';

/** A statement as PostgreSQL gets it: $1, $2 … in its text. `name` of prepared ones. */
export type Statement = { readonly text: string; readonly name?: string; readonly values: readonly unknown[] };

/** Is told of each statement that ended, and how long it took, waiting for a connection included. */
export type StatementWatcher = (statement: Statement, ms: number) => void;

let watcher: StatementWatcher | null = null;

/** Says who watches the statements of this process; null: nobody. */
export function setStatementWatcher(next: StatementWatcher | null): void {
  watcher = next;
}

/** Whether somebody watches, and wants to know on whose behalf statements run. */
export const isWatched = (): boolean => watcher !== null;

/** Longer texts are cut: nobody reads them, and they are kept until they are sent. */
const mostText = 2000;

/** Runs a statement, under the eyes of whoever watches. Where nobody does, it costs two comparisons. */
export function observed<T>(statement: Statement, run: () => Promise<T>): Promise<T> {
  const tracer = currentTracer();
  if (tracer === null && watcher === null) return run();
  // What nobody asked for, such as looking for work, makes no traces.
  return tracer === null || !tracer.isKept() ? watched(statement, run) : traced(statement, run);
}

async function watched<T>(statement: Statement, run: () => Promise<T>): Promise<T> {
  if (watcher === null) return run();
  const startedAt = performance.now();
  try {
    return await run();
  } finally {
    watcher(statement, performance.now() - startedAt);
  }
}

async function traced<T>(statement: Statement, run: () => Promise<T>): Promise<T> {
  const summary = summaryOf(statement);
  const span = currentTracer()?.begin({
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.query.summary': summary,
      'db.query.text': statement.text.slice(0, mostText),
    },
  });
  try {
    return await watched(statement, run);
  } catch (error) {
    // A Failure has the server's error as its cause.
    span?.fail(codeOf(error instanceof Error && error.cause instanceof Error ? error.cause : error));
    throw error;
  } finally {
    span?.end();
  }
}

const summaries = new Map<string, string>();
const mostSummaries = 2000;

/** What a statement is called in few words: its name, or its verb with the first table that it names. */
export function summaryOf({ name, text }: Statement): string {
  if (name !== undefined && name !== '') return name;
  const known = summaries.get(text);
  if (known !== undefined) return known;
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement';
  const table = /\b(?:FROM|INTO|UPDATE)\s+([a-z_][\w.]*)/.exec(text)?.[1];
  const summary = table === undefined ? verb : `${verb} ${table}`;
  // Texts that are put together for each search would fill it for ever.
  if (summaries.size < mostSummaries && text.length < 10_000) summaries.set(text, summary);
  return summary;
}
