// Job: a prefilled template with a row for each archival object of a resource (contract trees-and-jobs 6.7). The request for it stands on it.
import { z } from 'zod';
import { uriOf } from '../addresses.ts';
import { defineJob, inRepository } from '../job.ts';
import { resource } from '../kinds/resource.ts';
import { sheetMailbox } from '../spreadsheets/mailbox.ts';
import { creationTemplateNames } from '../templates/creation-templates.ts';

/** Which template, of which resource, in the form of which release, and who looks. */
const CreationTemplatePayload = z.object({
  repoId: z.int(),
  actor: z.string().nullable(),
  resourceId: z.int(),
  template: z.enum(creationTemplateNames),
  wantsSuppressed: z.boolean(),
  release: z.enum(['R-A', 'R-B']),
});

/** The declaration. */
export const creationTemplate = defineJob({
  name: 'creation-template',
  doc: 'Makes a template with a row for each archival object of a resource.',
  payload: CreationTemplatePayload,
  mailbox: sheetMailbox,
  needs: ({ repoId }) => inRepository(repoId, 'view_repository'),
  reason: ({ repoId, resourceId }) => ({ records: [uriOf(resource, resourceId, repoId)] }),
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'components',
});
