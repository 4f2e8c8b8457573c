// Job: records that a client named together go, all or none, where they and what is below them are many (contract 5.7).
import { z } from 'zod';
import { kindNamed, parseUri } from '../addresses.ts';
import type { Need } from '../job.ts';
import { defineJob } from '../job.ts';
import { holdersMailbox } from '../merges/mailbox.ts';

/** The uris of what is deleted; who asked, as the audit log tells it. */
const DeleteRecordsPayload = z.object({
  uris: z.array(z.string()),
  by: z.object({
    actor: z.string().nullable(),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  }),
});

/** In which repository a record's deletion is permitted; a repository's is in itself. Null: a record of no repository. */
const repositoryOf = (uri: string): number | null => {
  const address = parseUri(uri);
  return address?.kind === 'repository' ? address.id : (address?.repoId ?? null);
};

/** The repository to whose records refs are taken out in steps: that of all, or null, for those that are of none, where they are of several. */
export function stepsRepositoryOf(uris: readonly string[]): number | null {
  const [repoId = null, ...others] = new Set(uris.map(repositoryOf));
  return others.length > 0 ? null : repoId;
}

/** What the deletion of a record asks for. */
function needOf(uri: string): Need {
  const address = parseUri(uri);
  const code = address === null ? undefined : kindNamed(address.kind).may.delete;
  if (code === undefined) throw new Error(`Nothing that can be deleted is at ${uri}`);
  return { code, repoId: repositoryOf(uri) };
}

/** The declaration. */
export const deleteRecords = defineJob({
  name: 'delete-records',
  doc: 'Deletes several records with everything below them, all or none.',
  payload: DeleteRecordsPayload,
  // What lies in several repositories is in no mailbox of one; whom it meets it waits for by the locks of records, as requests do.
  mailbox: ({ uris }) => holdersMailbox(stepsRepositoryOf(uris)),
  needs: ({ uris }) => [
    ...new Map(
      uris.map(needOf).map((need): [string, Need] => [`${String(need.code)} ${String(need.repoId)}`, need]),
    ).values(),
  ],
  reason: ({ uris }) => ({ records: uris }),
  attempts: 5,
  timeoutSeconds: 6 * 3600,
  progressUnit: 'records',
});
