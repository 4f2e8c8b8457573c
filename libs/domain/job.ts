// defineJob(): the one declaration of a kind of background job, in libs/domain/jobs/<job>.ts; apps/worker/jobs/<job>.ts holds its handler
// (apps/worker/handler.ts). One that clients may ask for has `wire`, and then takes the payload of such jobs:
//
//   export const trimWhitespace = defineJob({
//     name: 'trim-whitespace',                               // the name of the file
//     doc: 'Takes white space from both ends of the titles of a repository.',
//     wire: { name: 'trim_whitespace_job', create: [], cancel: [], parameters: {} },
//     mailbox: (payload) => `edit-many/${payload.repoId}`,   // one at a time with what else edits many records
//     attempts: 3,
//     timeoutSeconds: 3600,
//     progressUnit: 'records',
//   });
//
// One that the service makes by itself, behind a request or by the clock, has a `payload` of its own in place of `wire` (jobs/move-nodes.ts).
import { z } from 'zod';
import type { Config } from './config.ts';
import type { JobParameters, JobProblems } from './job-parameters.ts';
import type { Json, JsonObject } from './json.ts';

/** A permission (of several any one), and the repository it must be held in; null: where no repository is active (can() in access/caller.ts). */
export type Need = { readonly code: string | readonly string[]; readonly repoId: number | null };

/** All of these permissions in a repository. */
export const inRepository = (repoId: number, ...codes: readonly string[]): readonly Need[] =>
  codes.map((code) => ({ code, repoId }));

/** How clients make a job (contract trees-and-jobs 3.4). Permissions are asked on top of create_job and cancel_job. */
export type JobWire = {
  /** `job_type`, and `jsonmodel_type` of the `job` object: 'import_job'. */
  readonly name: string;
  /** What it is called in search results. Absent: by its name. */
  readonly title?: string;
  readonly create: readonly string[];
  readonly cancel: readonly string[];
  /** Left out of GET /job_types; it may be made all the same. */
  readonly hidden?: true;
  readonly parameters: JobParameters;
  /** What whoever reads its files must be allowed besides view_repository: `job` is the typed object, `result` what it told at its end. Absent: nothing. */
  readonly filesNeed?: (job: JsonObject, result: Json) => readonly string[];
  /** Whether its files show contact details of agents, as `result` tells: then they are for those who see such details. Absent: they do not. */
  readonly filesShowContacts?: (result: Json) => boolean;
  /** What is wrong between parameters that are right by themselves (contract records 1.6); null: nothing. */
  readonly rule?: (job: JsonObject) => JobProblems | null;
};

// Not exported: a job takes this payload by saying what is on the wire, and in no other way.
const WireJobPayload = z.object({
  repoId: z.int(),
  actor: z.string().nullable(),
  /** The typed object, checked, with its defaults. */
  job: z.record(z.string(), z.json()),
  /** What `job_params` says: an object of parameters, empty where there is none or it cannot be read (contract 3.6, report_job). */
  params: z.record(z.string(), z.json()),
});

/** The payload of every job that clients make. Its files are those of the job. */
export type WireJobPayload = z.output<typeof WireJobPayload>;

/** What every declaration of a job says. */
type JobFacts<Payload> = {
  /** File name and name in logs: 'move-nodes'. */
  readonly name: string;
  readonly doc: string;
  /** Jobs of one mailbox run one at a time and in order: 'tree/1/2/17', 'repository/2'. */
  readonly mailbox: (payload: Payload) => string;
  /** Runs in all, the first one included. A handler is one transaction or idempotent steps. */
  readonly attempts: number;
  /** The longest it may take, in seconds. */
  readonly timeoutSeconds: number;
  /** Listed among the jobs of no repository also where the clock or an upgrade made it: administrators follow it there. */
  readonly isShown?: true;
  /** What progress counts: 'records', 'components', 'bytes'. */
  readonly progressUnit: string;
  /**
   * What the owner must be allowed when the job runs, as the request asked when it was made: rights may go while it waits. Absent: of jobs that
   * clients make create_job and what `wire.create` names; of others nothing, since the handler asks by itself or nobody owns them.
   */
  readonly needs?: (payload: Payload) => readonly Need[];
  /** Why it is there, besides who asked: the records that it is for, the job that it goes on with; whether an upgrade made it, where the clock makes others. */
  readonly reason?: (payload: Payload) => {
    readonly records?: readonly string[];
    readonly follows?: { readonly id: number; readonly repoId: number | null };
    readonly isNotByClock?: boolean;
  };
};

/** A job kind: what it is given, which jobs it must not overlap with, how often it is tried, who may make it. */
export type JobDeclaration<Payload> = JobFacts<Payload> & {
  /** The payload, checked when a job is made and again when it is run. Small: uploads are named by blob id. */
  readonly payload: z.ZodType<Payload>;
  readonly wire?: JobWire;
  /** When it is made by the clock (cron, five fields, UTC) and with what; null: this installation has it made by nobody. */
  readonly schedule?: (config: Config) => { readonly cron: string; readonly payload: Payload } | null;
};

/** A job kind that clients may ask for. */
export type WireJob = JobDeclaration<WireJobPayload> & { readonly wire: JobWire };

/** A job kind that the service makes by itself. */
export type InternalJob<Payload> = JobDeclaration<Payload> & { readonly wire?: never };

/** What is written: `wire`, or a payload of its own and perhaps a schedule. */
type Written<Payload> = JobFacts<Payload> &
  (
    | { readonly wire: JobWire; readonly payload?: never; readonly schedule?: never }
    | (Pick<JobDeclaration<Payload>, 'payload' | 'schedule'> & { readonly wire?: never })
  );

/** Completes the declaration of a job that clients may ask for, or of one that the service makes by itself. */
export function defineJob<Payload = WireJobPayload>(
  facts: Written<Payload>,
): [Payload] extends [WireJobPayload] ? WireJob : InternalJob<Payload>;
export function defineJob(facts: Written<WireJobPayload>): WireJob | InternalJob<WireJobPayload> {
  if (facts.wire === undefined) return facts;
  const { create } = facts.wire;
  const needs = ({ repoId }: WireJobPayload): readonly Need[] => inRepository(repoId, 'create_job', ...create);
  return { needs, ...facts, payload: WireJobPayload };
}

// defineJob makes every declaration, and gives the payload of WireJob to those that have `wire`.
const isWireJob = (declaration: { readonly wire?: JobWire }): declaration is WireJob => declaration.wire !== undefined;

/** The jobs that clients may ask for, by and in order of `job_type`: the order of GET /job_types. Throws where two have one name. */
export function wireJobsOf(declarations: readonly { readonly wire?: JobWire }[]): ReadonlyMap<string, WireJob> {
  const found = declarations.filter(isWireJob).sort((a, b) => (a.wire.name < b.wire.name ? -1 : 1));
  const twice = found.find(({ wire }, index) => wire.name === found[index + 1]?.wire.name);
  if (twice !== undefined) throw new Error(`Two jobs are called ${twice.wire.name} on the wire`);
  return new Map(found.map((job) => [job.wire.name, job]));
}

/** How far a job is, as stored and shown. `total` is null while unknown. */
export type Progress = { readonly label: string; readonly done: number; readonly total: number | null };
