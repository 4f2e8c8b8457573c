// The columns of a record that replies are made of.
import type { HiddenRefs } from './hidden-refs.ts';

/** A row of `record`. */
export type RecordRow = {
  readonly kind: string;
  readonly id: number;
  readonly repo_id: number | null;
  readonly lock_version: number;
  readonly publish: boolean | null;
  readonly suppressed: boolean;
  readonly label: string;
  readonly created_by: string | null;
  readonly last_modified_by: string | null;
  readonly create_time: string;
  readonly system_mtime: string;
  readonly user_mtime: string;
  readonly body: string;
};

/** A row as it is read for a reply: with the computed properties of its kind as JSON text, each with a comma behind it. */
export type ReadRow = RecordRow & { readonly computed: string; readonly hidden: HiddenRefs };
