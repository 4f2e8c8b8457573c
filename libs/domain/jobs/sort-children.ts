// Job: sorts the children of one parent by title, identifier or dates.
// One transaction, which holds the children that change their places, and the tree for a moment at its end (decision 0037).
import { parseUri } from '../addresses.ts';
import { defineJob, inRepository } from '../job.ts';
import type { JobProblems } from '../job-parameters.ts';
import { flag, needed } from '../job-parameters.ts';
import type { JsonObject } from '../json.ts';
import { textOf, textsOf } from '../json.ts';
import { kinds } from '../kinds/index.ts';
import { childKindOf } from '../tree/node-kinds.ts';
import { problemOfSortBy } from '../tree/sort-children.ts';

/** What is told of a parent that is in no tree, or of another repository. */
export const notOfTree = 'Must be the uri of a record of the repository of the job that has a tree below it';

/** The declaration. */
export const sortChildren = defineJob({
  name: 'sort-children',
  doc: 'Sorts the children of a record of a tree by title, identifier or dates.',
  wire: {
    name: 'sort_children_job',
    create: [],
    cancel: [],
    // Ours, and hidden: /job_types lists what the contract lists.
    hidden: true,
    parameters: { parent: needed, sort_by: { type: 'texts', required: true }, dry_run: flag },
    rule: hasTreeAndFields,
  },
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  needs: ({ repoId }) => inRepository(repoId, 'create_job', 'view_repository'),
  attempts: 3,
  timeoutSeconds: 600,
  progressUnit: 'records',
});

/** What can be seen without the records; whether the parent is there and of the job's repository is seen by the job itself. */
function hasTreeAndFields(job: JsonObject): JobProblems | null {
  const kind = kinds.get(parseUri(textOf(job, 'parent') ?? '')?.kind ?? '');
  if (kind === undefined || childKindOf(kind) === null) return { parent: [notOfTree] };
  const problem = problemOfSortBy(textsOf(job, 'sort_by'));
  return problem === null ? null : { sort_by: [problem] };
}
