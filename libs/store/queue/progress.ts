// How far a running job is: a row of its own, written outside the job's transaction so that others see it while the job runs.
import type { Progress } from '#domain/job.ts';
import type { PacedProgress } from '#domain/pace.ts';
import type { Database } from '../connection/database.ts';
import { sql } from '../connection/sql.ts';
import { jobChannel } from './channels.ts';

/**
 * Stores and tells: the last progress under each label, in the order in which the labels came, so that a reader who looks seldom still
 * sees every phase. One statement; callers throttle (200 ms), and the last transaction of the run waits for it. Nothing is written once the job has ended.
 */
export async function writeProgress(
  database: Database,
  jobId: number,
  phases: readonly PacedProgress[],
): Promise<void> {
  await database.writeBeside(sql`
    WITH written AS (
      INSERT INTO job_progress (job_id, progress) SELECT id, ${sql.json(phases)} FROM job WHERE id = ${jobId} AND status = 'running'
      ON CONFLICT (job_id) DO UPDATE SET progress = excluded.progress, at = now() RETURNING job_id)
    SELECT pg_notify(${jobChannel}, job_id::text) FROM written`);
}

/** What of the stored phases (JSON text) is new after `shown`: the changed last one, and those that came after it. */
export function newPhases(
  stored: string | null,
  shown: readonly Progress[],
): { readonly phases: readonly Progress[]; readonly fresh: readonly Progress[] } {
  // Written by writeProgress alone.
  const phases = (JSON.parse(stored ?? '[]') as readonly PacedProgress[]).map(({ label, done, total }): Progress => ({
    label,
    done,
    total,
  }));
  const fresh = phases.filter((phase, index) => {
    const known = shown[index];
    return (
      known === undefined || known.label !== phase.label || known.done !== phase.done || known.total !== phase.total
    );
  });
  return { phases, fresh };
}

/** The phase that a job is in, of the stored ones (JSON text). */
export function presentPhase(stored: string): PacedProgress | null {
  // Written by writeProgress alone.
  return (JSON.parse(stored) as readonly PacedProgress[]).at(-1) ?? null;
}
