// The columns of a record that replies are made of.
import { z } from 'zod';
import { column } from '../../connection/columns.ts';

/** A row of `record`. */
export const RecordRow = z.strictObject({
  kind: column.text,
  id: column.int,
  repo_id: column.maybeInt,
  lock_version: column.int,
  publish: column.maybeBool,
  suppressed: column.bool,
  label: column.text,
  created_by: column.maybeText,
  last_modified_by: column.maybeText,
  create_time: column.time,
  system_mtime: column.time,
  user_mtime: column.time,
  body: column.text,
});
export type RecordRow = Readonly<z.infer<typeof RecordRow>>;

/**
 * A row as it is read for a reply: with the computed properties of its kind as JSON text, each with a comma behind it; `hidden` as hiddenRefs()
 * gives it; `tree` ('root version') where it is read without the position of a node, which is then looked up by the version of its tree.
 */
export const ReadRow = RecordRow.extend({
  computed: column.text,
  hidden: column.maybeText,
  tree: column.maybeText.optional(),
});
export type ReadRow = Readonly<z.infer<typeof ReadRow>>;
