// The files that a job was given, by the names that it has them under.
import type { JsonObject } from '../../../libs/domain/json.ts';
import { textOf, textsOf } from '../../../libs/domain/json.ts';

// Takes a sheet, and does not say how it is called.
const withSheet = 'bulk_archival_object_updater_job';

/** The names, in the order of the files; `job` is what was asked for. */
export function givenFiles(job: JsonObject): readonly string[] {
  const names = textsOf(job, 'filenames');
  if (names.length > 0) return names;
  const name = textOf(job, 'filename');
  if (name !== undefined) return [name];
  return textOf(job, 'jsonmodel_type') === withSheet ? ['sheet'] : [];
}
