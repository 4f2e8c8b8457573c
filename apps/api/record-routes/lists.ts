// What routes of controlled lists and their values have in common (contract 6.13).
import type { JsonObject } from '#domain/json.ts';
import { renameValue } from '#domain/jobs/rename-value.ts';
import type { ListContext, ListWritten } from '#store/enumerations/held-lists.ts';
import type { Call } from '../route.ts';
import type { JobEnd } from './jobs.ts';
import { runJob } from './jobs.ts';

/** What whoever changes a list must be allowed. */
export const mayChange = { all: ['update_enumeration_record'] } as const;
/** Looking whether a value is in use goes through every record that may hold it. */
export const long = { statementTimeoutMs: 3_600_000 };

/** What the documentation says of such a change. */
export const byJob = 'Every record that may use the value is looked at by a job, for which the request waits.';

/** For whom a list is changed, and how. */
export const contextOf = ({ caller, release }: Pick<Call<unknown, unknown>, 'caller' | 'release'>): ListContext => ({
  actor: caller.username,
  trims: release === 'R-B',
});

/** Has a job make a value another in all records (decision 0022); the next body is checked against the lists as they are then. */
export async function renameByJob(
  call: Call<unknown, unknown>,
  change: Parameters<typeof renameValue.mailbox>[0]['change'],
): Promise<JobEnd> {
  const { actor, trims } = contextOf(call);
  const end = await runJob(call, renameValue, { change, actor, trims }, { owner: actor });
  await call.services.enumerations.reload();
  return end;
}

/** The reply to a list, or a value of one, that was written. */
export const writtenReply = (status: 'Created' | 'Updated', path: string, written: ListWritten): JsonObject => ({
  status,
  id: written.id,
  lock_version: written.lockVersion,
  stale: null,
  uri: `/config/${path}/${written.id}`,
  warnings: [],
});
