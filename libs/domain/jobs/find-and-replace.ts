// Job: replaces a text in one property of all records of a kind, or parts of records, below a record.
// One transaction: a fault in any record leaves nothing changed (contract trees-and-jobs 3.6). It holds the records that it changes alone, which it has
// found and checked before (docs/decisions/0037, 24).
import { defineJob } from '../job.ts';
import type { JobProblems } from '../job-parameters.ts';
import { needed } from '../job-parameters.ts';
import type { JsonObject } from '../json.ts';
import { textOf } from '../json.ts';
import { kinds } from '../kinds/index.ts';
import { subrecords } from '../subrecords/index.ts';

/** The declaration. */
export const findAndReplace = defineJob({
  name: 'find-and-replace',
  doc: 'Replaces a text in one property of all records of a kind, or parts of records, below a record.',
  wire: {
    name: 'find_and_replace_job',
    title: 'Batch Find and Replace',
    create: ['manage_repository'],
    cancel: ['manage_repository'],
    parameters: {
      find: needed,
      // To replace by nothing is to take the text out.
      replace: { ...needed, mayBeEmpty: true },
      record_type: needed,
      property: needed,
      base_record_uri: needed,
    },
    rule: propertyOfType,
  },
  mailbox: (payload) => `edit-many/${payload.repoId}`,
  attempts: 3,
  timeoutSeconds: 3600,
  progressUnit: 'records',
});

/** The property to search must be one of the record type; the job itself sees whether it is a text that may be changed. */
function propertyOfType(job: JsonObject): JobProblems | null {
  const [type, property] = [textOf(job, 'record_type') ?? '', textOf(job, 'property') ?? ''];
  const schema = kinds.get(type)?.schema ?? subrecords.get(type);
  if (schema === undefined) return { record_type: ['Is no record type'] };
  return Object.hasOwn(schema.properties, property)
    ? null
    : { property: [`JSONModel(:${type}) does not have a property named '${property}'`] };
}
