// The numbers of a worker process, made of what it logs: runs of jobs by type, and rounds of the followers that failed.
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

type Log = (event: string, fields: object) => void;

/** Adds the numbers; gives a log that counts what passes through it. */
export function countWork(registry: Registry, log: Log): Log {
  const runs = new Counter({
    name: 'muniment_job_runs_total',
    help: 'Runs of jobs in this process by type and end: completed, failed, or why it ended otherwise (canceled, stopping …).',
    labelNames: ['type', 'outcome'] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'muniment_job_duration_seconds',
    help: 'Time of runs that completed, in this process, by type.',
    labelNames: ['type'] as const,
    buckets: [0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'muniment_worker_failures_total',
    help: 'Rounds of the sequencer, the indexer and others that failed in this process and are tried again, by event of the log.',
    labelNames: ['event'] as const,
    registers: [registry],
  });
  return (event, fields) => {
    const { type, ms, why }: { readonly type?: unknown; readonly ms?: unknown; readonly why?: unknown } = fields;
    if (event === 'job_completed' && typeof type === 'string' && typeof ms === 'number') {
      runs.inc({ type, outcome: 'completed' });
      duration.observe({ type }, ms / 1000);
    } else if (event === 'job_ended' && typeof type === 'string') runs.inc({ type, outcome: String(why) });
    else if (event.endsWith('_failed')) failures.inc({ event });
    log(event, fields);
  };
}
