// The shapes of the envelopes that writes answer (reply/envelopes.ts makes them), and of what stands on a job.
import type { ReplyDoc } from '../../route.ts';
import { shape } from '../shape.ts';

const id = shape.integer;
const lockVersion = shape.integer;
const stale = shape.says(shape.nullable(shape.boolean), 'True for kinds with generated values: read the record again.');
const warnings = shape.says(
  shape.anyOf(shape.schema({ type: 'array', maxItems: 0 }), shape.mapOf(shape.list(shape.text))),
  'Messages by property; an empty array where there are none.',
);

/** A write of a record body. */
const written = (status: string): ReturnType<typeof shape.object> =>
  shape.object({ status: shape.oneOf(status), id, lock_version: lockVersion, stale, uri: shape.uri, warnings });

/** The reply to a create. */
export const created = shape.named('created', written('Created'));

/** The reply to the update of a record body. */
export const updated = shape.named('updated', written('Updated'));

/** The reply to bringing a version back. */
export const restored = shape.named('restored', written('Restored'));

/** The reply to an update without a body. */
export const touched = shape.named(
  'touched',
  shape.object({ status: shape.oneOf('Updated'), id, lock_version: lockVersion, stale }),
);

/** The reply to a delete. */
export const deleted = shape.named('deleted', shape.object({ status: shape.oneOf('Deleted'), id }));

/** The reply to a suppression in either direction. */
export const suppressed = shape.named(
  'suppressed',
  shape.object({ status: shape.oneOf('Suppressed'), id, suppressed_state: shape.boolean }),
);

/** A mere acknowledgement. */
export const done = (status: string): ReturnType<typeof shape.object> => shape.object({ status: shape.oneOf(status) });

/** The reply of a request that stands on a job and was not waited for. */
export const accepted = shape.named('accepted', shape.object({ status: shape.oneOf('Accepted'), id, uri: shape.uri }));

/** The further reply of requests that stand on a job (record-routes/jobs.ts). */
export const acceptedReply: { readonly 202: ReplyDoc } = {
  202: {
    says: 'With `Prefer: respond-async`, or where the work takes longer than requests wait: the address of the job.',
    shape: accepted,
    headers: { Location: 'The address of the job.' },
  },
};

/** The reply of requests that make a job and wait for none of it (madeJob in record-routes/jobs.ts). */
export const madeJobReply = (
  says = 'The job has been made; at its address it is followed and canceled.',
): { readonly 202: ReplyDoc } => ({
  202: {
    says,
    shape: accepted,
    headers: { Location: 'The address of the job.' },
    example: { status: 'Accepted', id: 12, uri: '/jobs/12' },
  },
});
