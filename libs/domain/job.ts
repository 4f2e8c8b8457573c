// defineJob(): the declaration of a kind of background job. libs/domain/jobs holds one file a job;
// apps/worker/jobs holds the handler of the same name.
import type { z } from 'zod';

/** A permission (of several any one), and the repository it must be held in; null: where no repository is active (can() in access/caller.ts). */
export type Need = { readonly code: string | readonly string[]; readonly repoId: number | null };

/** A job kind: what it is given, which jobs it must not overlap with, how often it is tried. */
export type JobDeclaration<Payload> = {
  /** File name and name in logs: 'move-nodes'. */
  readonly name: string;
  /** `job_type` on the wire where clients may make such jobs (contract job_types); absent for internal ones. */
  readonly wireName?: string;
  readonly doc: string;
  /** The payload, checked when a job is made and again when it is run. Small: uploads are named by blob id. */
  readonly payload: z.ZodType<Payload>;
  /** Jobs of one mailbox run one at a time and in order: 'tree/1/2/17', 'repository/2'. */
  readonly mailbox: (payload: Payload) => string;
  /**
   * What the owner must be allowed when the job runs, as the request asked when it was made: rights may go while it waits. Absent where the
   * handler asks by itself, or nobody owns such jobs.
   */
  readonly needs?: (payload: Payload) => readonly Need[];
  /** Runs in all, the first one included. A handler is one transaction or idempotent steps. */
  readonly attempts: number;
  /** The longest it may take, in seconds. */
  readonly timeoutSeconds: number;
  /** What progress counts: 'records', 'components', 'bytes'. */
  readonly progressUnit: string;
};

/** Completes a job declaration. */
export function defineJob<Payload>(declaration: JobDeclaration<Payload>): JobDeclaration<Payload> {
  return declaration;
}

/** How far a job is, as stored and shown. `total` is null while unknown. */
export type Progress = { readonly label: string; readonly done: number; readonly total: number | null };
