// Why a job is there, as whoever looks at it is told: who or what made it, for which records, behind which other job.
import { parseUri } from './addresses.ts';
import type { JobDeclaration } from './job.ts';
import type { JsonObject } from './json.ts';

/** Why a job is there. `records` are uris; `follows` is the id of the job whose work it goes on with, or takes back. */
export type JobReason = {
  readonly by: 'request' | 'clock' | 'service';
  readonly records: readonly string[];
  readonly follows: { readonly id: number; readonly repoId: number | null } | null;
};

// A job may name thousands.
const mostRecords = 10;

/** What is asked of a declaration of any payload. */
type Declared = {
  readonly payload: { safeParse(value: unknown): { readonly success: boolean; readonly data?: unknown } };
  readonly reason?: (payload: never) => ReturnType<NonNullable<JobDeclaration<unknown>['reason']>>;
  readonly schedule?: unknown;
};

/** The reason of a job that the service made by itself or behind a request; `payload` as it is stored. */
export function reasonOfOurs(declaration: Declared, payload: unknown, owner: string | null): JobReason {
  const read = declaration.payload.safeParse(payload);
  // The declaration's own schema has read it.
  const said = read.success ? (declaration.reason?.(read.data as never) ?? {}) : {};
  const ownerless = declaration.schedule === undefined || said.isNotByClock === true ? 'service' : 'clock';
  return {
    by: owner === null ? ownerless : 'request',
    records: (said.records ?? []).slice(0, mostRecords),
    follows: said.follows ?? null,
  };
}

/** The reason of a job that a client asked for: the records are those that its parameters name. */
export function reasonOfAsked(job: JsonObject): JobReason {
  const texts = Object.values(job)
    .flat()
    .filter((value) => typeof value === 'string');
  return {
    by: 'request',
    records: [...new Set(texts.filter((text) => parseUri(text) !== null))].slice(0, mostRecords),
    follows: null,
  };
}
