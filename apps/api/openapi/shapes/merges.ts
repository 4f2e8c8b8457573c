// The shapes of merge requests and of what they answer (contract trees-and-jobs 4).
import { shape } from '../shape.ts';
import type { Shape } from '../shape.ts';
import { refOf } from './refs.ts';

const { text, integer, object, list, uri } = shape;

const candidates = (ref: Shape): Shape => shape.schema({ type: 'array', minItems: 1, items: ref.schema });
const ref = refOf();

/** A request under the names of either release. */
const request = (name: string, extra: { readonly [property: string]: Shape }): Shape =>
  shape.named(
    name,
    shape.anyOf(
      object(
        { merge_destination: ref, merge_candidates: candidates(ref) },
        { uri: text, jsonmodel_type: text, ...extra },
      ),
      object({ target: ref, victims: candidates(ref) }, { uri: text, jsonmodel_type: text, ...extra }),
    ),
  );

/** The body of a merge. */
export const mergeRequest = request('merge_request', {});

/** The body of a merge that says property by property what the survivor takes. */
export const mergeRequestDetail = request('merge_request_detail', {
  selections: shape.says(shape.anyObject, 'What the survivor takes, as a record whose values are REPLACE or APPEND.'),
});

const links = object({ kind: text, property: text, links: integer });

/** The answer of a merge. */
export const merged = shape.named(
  'merged',
  object(
    {
      status: shape.oneOf('Updated'),
      id: integer,
      selections: shape.anyOf(shape.schema({ type: 'array', maxItems: 0 }), shape.mapOf(text)),
      deleted_uris: list(uri),
    },
    {
      merge_destination_uri: uri,
      target_uri: shape.says(uri, 'In release R-A, in the place of merge_destination_uri.'),
      result: shape.says(shape.anyObject, 'Of a detailed merge: the agent that it makes.'),
      preview: shape.says(
        object({ links: integer, records: integer, components: integer, by: list(links) }),
        'With dry_run: what would be moved.',
      ),
    },
  ),
);

/** A merge that was done. */
export const merge = shape.named(
  'merge',
  object(
    { id: integer, type: text, merge_destination_uri: uri, deleted_uris: list(uri), merged_at: shape.time },
    { merged_by: shape.nullable(text), undone_by: shape.nullable(text), undone_at: shape.time },
  ),
);

/** The answer of an undoing. */
export const unmerged = shape.named(
  'unmerged',
  object({ status: shape.oneOf('Restored'), id: integer, uri: text, restored_uris: list(uri) }),
);
