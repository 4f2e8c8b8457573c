// defineHandler(): the handler of a job kind, in apps/worker/jobs/<job>.ts, and what it gets besides its payload. A handler is one transaction
// or idempotent steps: it may be run again from the start at any moment, and nothing that it writes through `transaction` overlaps another
// run. A whole one:
//
//   export const handler = defineHandler(moveNodes, async (payload, context) =>
//     context.transaction(async (tx) => {
//       const moved = await moveThem(tx, payload);             // a function of libs/store
//       context.progress({ label: 'Moving', done: moved.length, total: moved.length });
//       const value = { moved: moved.length };
//       await context.complete(tx, value);                     // last: the effects and the end of the job are one
//       return value;
//     }),
//   );
import type { Caller } from '#domain/access/caller.ts';
import type { Config } from '#domain/config.ts';
import type { JobDeclaration, Need, Progress } from '#domain/job.ts';
import type { Json } from '#domain/json.ts';
import type { GeneratedValues } from '#domain/kind.ts';
import type { Database, Transaction } from '#store/connection/database.ts';
import { enqueueJob } from '#store/queue/enqueue.ts';
import type { JobFile } from '#store/queue/files.ts';
import type { Viewer } from '#store/records/reading/viewer.ts';
import type { SearchMirror } from '#store/search/port.ts';
import type { Threads } from './threads/pool.ts';

/** What the operator chose for jobs. */
export type JobOptions = {
  /** How many bad records the report of a refused import lists at most. */
  readonly importFaults: number;
  /** Of which release imports take the switches. */
  readonly release?: Config['MUNIMENT_RELEASE'];
  /** Which agents of EAD imports are published. */
  readonly eadAgents: Config['MUNIMENT_EAD_AGENTS'];
  /** Whether custom_report is among the reports. */
  readonly customReports: boolean;
  /** How much of the disk of the database imports leave free (libs/store/files/disk-space.ts). */
  readonly diskReserveBytes: number;
  /** Whether addresses that records name may be of this machine or a private network. */
  readonly allowPrivate?: boolean;
  /** From where migrations may read (origins), and the folder in which they keep what they have read. */
  readonly migrations?: { readonly sources: readonly string[]; readonly folder: string };
  /** Whether everybody sees contact details of agents; else holders of view_agent_contact_record do. */
  readonly showsContacts?: boolean;
};

/** The surroundings of one run. */
export type JobContext = {
  readonly jobId: number;
  /** Counts from 1; a run that another worker's death cut off counts. */
  readonly attempt: number;
  readonly repoId: number | null;
  /** For whom the job runs; permissions as they are at the start of the run. */
  readonly caller: Caller;
  /** The wire body of a job that a client made, as JSON text. */
  readonly body: string | null;
  /** For reading: statements end with `signal`. Write through `transaction`; tidy up, after an abort too, through `database.unbound`. */
  readonly database: Database;
  readonly threads: Threads;
  /** The search index beside PostgreSQL's; null: there is none. */
  readonly searchMirror: SearchMirror | null;
  /** Random ids, and how the installation names records. */
  readonly generatedValues: GeneratedValues;
  readonly options: JobOptions;
  /** Aborted when the job is canceled, takes too long, or the worker stops: check it between chunks and pass it on. */
  readonly signal: AbortSignal;
  /** A transaction that commits only while this run is the job's. Deadlocks repeat `work`, so it has no effect outside the database. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: { readonly statementTimeoutMs?: number }): Promise<T>;
  /**
   * Ends the job as completed with this value at the commit of the transaction: call it last in the transaction of the job's effects
   * and the two are one. A handler that does not call it is completed with its return value in a transaction of its own.
   */
  complete(tx: Transaction, value: Json): Promise<void>;
  /** The same when all is written but for what others wait for until the commit (a tree): it comes to the disk before that is taken. What follows in the transaction seldom needs another value. */
  completeAhead(tx: Transaction, value: Json): Promise<void>;
  /** Gives the job another value behind completeAhead, in its transaction: a statement while others wait. */
  amend(tx: Transaction, value: Json): Promise<void>;
  /** Shows how far the job is; stored at most five times a second, the last one of each label always. Use few labels: they are phases. */
  progress(progress: Progress): void;
  /** Adds a line to the job's log, which also a failed job keeps. */
  log(line: string): void;
  /** The same for the lines that tell why the run fails; its end then adds none of its own. */
  tellFailure(lines: readonly string[]): void;
  /** Lists records among those that the job made (or changed), if the transaction commits. */
  createdRecords(tx: Transaction, uris: readonly string[]): Promise<void>;
  changedRecords(tx: Transaction, uris: readonly string[]): Promise<void>;
  /** The files that the job was given, in order. */
  files(): Promise<readonly JobFile[]>;
  /** Takes the files that the job was given out of its list, if the transaction commits: for that which ends the job, since another run would miss them. */
  removeFiles(tx: Transaction): Promise<void>;
  /** Lists a written blob among the job's output files. `viewer`: as whom it shows the repository of the job; of suppressed records it is then for those who see them. */
  addOutputFile(tx: Transaction, blobId: string, viewer?: Pick<Viewer, 'seesSuppressed'>): Promise<number>;
};

/** How a job is made by the clock. */
type DueJob = { readonly cron: string; readonly enqueue: (tx: Transaction) => Promise<unknown> };

/** A job kind with its handler, the payload's type forgotten; defineHandler makes it. */
export type JobHandler = {
  readonly declaration: Pick<JobDeclaration<unknown>, 'name' | 'attempts' | 'timeoutSeconds'>;
  /** What the owner must be allowed when it runs. */
  needs(payload: unknown): readonly Need[];
  /** When it is made by the clock; null: in this installation by nobody. */
  schedule(config: Config): DueJob | null;
  /** Checks the payload and runs. */
  run(payload: unknown, context: JobContext): Promise<Json | void>;
};

/** Joins a declaration and the function that does it. */
export function defineHandler<Payload>(
  declaration: JobDeclaration<Payload>,
  run: (payload: Payload, context: JobContext) => Promise<Json | void>,
): JobHandler {
  return {
    declaration,
    needs: (payload) => declaration.needs?.(declaration.payload.parse(payload)) ?? [],
    schedule: (config) => {
      const due = declaration.schedule?.(config) ?? null;
      return due === null
        ? null
        : {
            cron: due.cron,
            enqueue: async (tx) => enqueueJob(tx, declaration, due.payload, { visible: declaration.isShown === true }),
          };
    },
    run: async (payload, context) => run(declaration.payload.parse(payload), context),
  };
}
