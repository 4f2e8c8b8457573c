// Making jobs: a row of `job` and its activation in the caller's own transaction, so that a job exists exactly if what made it was committed.
import { z } from 'zod';
import type { JobDeclaration } from '#domain/job.ts';
import type { JsonObject } from '#domain/json.ts';
import type { Transaction } from '../connection/database.ts';
import { goneRepository, heldRepository } from '../records/writing/home.ts';
import { column } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { sendActivation } from './activations.ts';
import { queueChannel } from './channels.ts';
import { inSpan } from '../observing/tracing.ts';

/** What is said of a job besides its payload. */
export type JobOptions = {
  /** Whether it is listed under the repository's jobs. Default: false. */
  readonly visible?: boolean;
  readonly repoId?: number | null;
  /** The user name for whom it runs, with whose permissions. */
  readonly owner?: string | null;
  /** The wire body of a job that a client made. */
  readonly body?: JsonObject;
  /** Not before this moment; until then it holds up nobody in its mailbox. */
  readonly runAfter?: Date;
  /** Blobs that it reads: 'input' ones are listed among its files, 'payload' ones are not. They live as long as the job. */
  readonly files?: readonly { readonly blobId: string; readonly role: 'input' | 'payload' }[];
};

/** Jobs that may take longer than this many seconds leave the last free place of a worker to shorter ones, for which somebody waits. */
const longJobSeconds = 120;

const JobIdRow = z.strictObject({ jobId: column.int, told: column.text });

/**
 * Makes a job, to run once the transaction commits; where that is traced, the run belongs to the same trace. Jobs of one mailbox run in the order of their ids; of two transactions that
 * commit at the same moment either may come first. The payload is checked against the declaration. Fails with `bad_parameter` where its repository is
 * gone; one that is deleted at this moment takes the job with it.
 */
export async function enqueueJob<Payload>(
  tx: Transaction,
  declaration: JobDeclaration<Payload>,
  payload: Payload,
  options: JobOptions = {},
): Promise<{ readonly jobId: number }> {
  const attributes = {
    'messaging.system': 'muniment',
    'messaging.operation.type': 'send',
    'messaging.destination.name': declaration.name,
  };
  return inSpan({ name: `send ${declaration.name}`, kind: 'producer', attributes }, async (span) => {
    const made = await insertJob(tx, declaration, payload, options, span.traceparent);
    span.set({ 'messaging.message.id': String(made.jobId) });
    return made;
  });
}

async function insertJob<Payload>(
  tx: Transaction,
  declaration: JobDeclaration<Payload>,
  payload: Payload,
  options: JobOptions,
  traceparent: string | null,
): Promise<{ readonly jobId: number }> {
  const checked = declaration.payload.parse(payload);
  const { visible = false, repoId = null, owner = null, body, runAfter, files = [] } = options;
  const mailbox = declaration.mailbox(checked);
  const at = runAfter?.toISOString();
  const made = await tx.maybeOne(sql.type(JobIdRow)`
    WITH home AS MATERIALIZED (${heldRepository(repoId)}), made AS (
      INSERT INTO job (visible, type, mailbox, is_long, max_attempts, repo_id, owner, payload, body, run_after, traceparent)
      SELECT ${visible}::boolean, ${declaration.name}, ${mailbox}, ${declaration.timeoutSeconds > longJobSeconds}::boolean, ${declaration.attempts}::int,
        ${repoId}::int, ${owner}, ${sql.json(checked)}, ${body === undefined ? null : JSON.stringify(body)}::json, coalesce(${at ?? null}::timestamptz, now()), ${traceparent}
      FROM home RETURNING id
    ), named AS (
      INSERT INTO job_file (job_id, blob_id, role)
      SELECT made.id, blob_id, role FROM made, ${sql.unnest(
        files.map(({ blobId, role }) => [blobId, role]),
        ['uuid', 'text'],
      )} WITH ORDINALITY AS given (blob_id, role, place) ORDER BY place
    )
    SELECT id AS "jobId", pg_notify(${queueChannel}, ${mailbox}) AS told FROM made`);
  if (made === null) throw goneRepository();
  await sendActivation(tx, mailbox, at);
  return { jobId: made.jobId };
}
