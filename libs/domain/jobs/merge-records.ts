// Job: records are merged into one. Merges of global records run one at a time, those in a repository beside those of other repositories, and beside nothing that takes records from it.
import { z } from 'zod';
import { defineJob } from '../job.ts';
import type { JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { holdersMailbox } from '../merges/mailbox.ts';
import type { MergeWhat } from '../merges/merges.ts';
import { isMergeWhat, merges } from '../merges/merges.ts';

/** What is merged: the uris of the record that stays and of those that go, the field choices of a detailed merge; for whom. */
const MergeRecordsPayload = z.object({
  what: z.custom<MergeWhat>(isMergeWhat),
  repoId: z.int().nullable(),
  destination: z.string(),
  candidates: z.array(z.string()),
  selections: z.custom<JsonObject>(isObject).nullable(),
  actor: z.string().nullable(),
  agentUri: z.string().nullable(),
});

/** The declaration. */
export const mergeRecords = defineJob({
  name: 'merge-records',
  doc: 'Merges records into one: every link comes to the record that stays, the others go.',
  payload: MergeRecordsPayload,
  mailbox: ({ repoId }) => holdersMailbox(repoId),
  needs: ({ what, repoId }) => [{ code: merges[what].permission, repoId }],
  reason: ({ destination, candidates }) => ({ records: [destination, ...candidates] }),
  attempts: 5,
  timeoutSeconds: 3600,
  progressUnit: 'links',
});
