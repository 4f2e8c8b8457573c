// Statements that take long, told to the log with what they were run for; with their plans where the operator asks for these.
import type { Database } from '../connection/database.ts';
import type { Origin } from './origin.ts';
import { currentOrigin } from './origin.ts';
import { planOf } from './plans.ts';
import type { Statement } from './statements.ts';
import { setStatementWatcher, summaryOf } from './statements.ts';
import { currentTracer } from './tracing.ts';

/** What is told of a slow statement; its text is that with $1, $2 …, never with values. `plan`: lines of PostgreSQL's plan, null where there is none to be had. */
export type SlowStatement = Partial<Origin> & {
  readonly summary: string;
  readonly statement: string;
  readonly ms: number;
  readonly trace_id?: string;
  readonly plan?: readonly string[] | null;
};

/** From which time on a statement is slow, whether plans are wanted, and who is told. `planEveryMs`: so often at most. */
export type SlowStatementSettings = {
  readonly limitMs: number;
  readonly withPlans: boolean;
  readonly tell: (slow: SlowStatement) => void;
  readonly planEveryMs?: number;
};

const mostText = 2000;

/** Watches the statements of this process until it is disposed. A limit of 0 watches none. */
export function watchSlowStatements(database: Database, settings: SlowStatementSettings): Disposable {
  const { limitMs, withPlans, tell, planEveryMs = 10_000 } = settings;
  if (limitMs === 0) return { [Symbol.dispose]: () => undefined };
  let noPlanUntil = -Infinity;
  /** Whether a plan may be asked for now: seldom, and never when others wait for a connection. */
  const mayPlan = (): boolean => {
    const { idle, waiting } = database.poolUse;
    return withPlans && performance.now() >= noPlanUntil && idle > 0 && waiting === 0;
  };
  setStatementWatcher((statement, ms) => {
    if (ms < limitMs) return;
    const traceId = currentTracer()?.current()?.traceId;
    const slow: SlowStatement = {
      ...currentOrigin(),
      summary: summaryOf(statement),
      statement: oneLine(statement.text),
      ms: Math.round(ms),
      ...(traceId === undefined ? {} : { trace_id: traceId }),
    };
    if (!mayPlan()) return tell(slow);
    noPlanUntil = performance.now() + planEveryMs;
    void withPlan(database, statement, slow).then(tell);
  });
  return { [Symbol.dispose]: () => setStatementWatcher(null) };
}

async function withPlan(database: Database, statement: Statement, slow: SlowStatement): Promise<SlowStatement> {
  // Temporary tables of a transaction are not there for others; and a plan is worth no failure.
  return { ...slow, plan: await planOf(database, statement).catch(() => null) };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, mostText);
