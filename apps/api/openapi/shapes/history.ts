// The shape of a record's history (record-routes/history.ts).
import type { Kind } from '#domain/kind.ts';
import { shape } from '../shape.ts';

/** An entry of a history. */
export const historyEntry = shape.named(
  'history_entry',
  shape.object({
    version: shape.says(shape.integer, 'The lock_version it led to.'),
    state: shape.says(
      shape.nullable(shape.integer),
      'Its place among all states of the record, from 0: several may have one version. Null: deleted.',
    ),
    op: shape.says(
      shape.text,
      'create, update, delete, undelete, publish, unpublish, suppress, unsuppress, unlink, load (a load replaced it), or another action that kept the content before it.',
    ),
    by: shape.nullable(shape.text),
    at: shape.time,
    title: shape.text,
    changes: shape.list(
      shape.object(
        { op: shape.oneOf('add', 'remove', 'replace', 'move'), path: shape.says(shape.text, 'A JSON pointer.') },
        { was: shape.text, before: shape.anything, after: shape.anything },
      ),
    ),
  }),
);

/** The reply to a purge. */
export const purged = shape.named(
  'purged',
  shape.object({
    status: shape.oneOf('Purged'),
    id: shape.integer,
    revisions: shape.says(shape.integer, 'Earlier versions that were erased.'),
    merges: shape.says(shape.integer, 'Merges that can no longer be undone.'),
    deliveries: shape.says(shape.integer, 'Settled deliveries of webhooks that named the record.'),
  }),
);

/** The component of an old version of a record. */
export const versionName = (kind: Kind): string => (kind.tree === undefined ? kind.name : `${kind.name}_version`);
