// Merges of agents, subjects, containers, their profiles, resources and digital objects (contract trees-and-jobs 4), their previews, and their
// undoing. Each is a job that the request waits for; the merge is known by the number of that job.
import { firstUri } from '../openapi/examples.ts';
import { pascal } from '../record-routes/names.ts';
import { acceptedReply } from '../openapi/shapes/envelopes.ts';
import {
  merge as mergeShape,
  merged as mergedShape,
  mergeRequest,
  mergeRequestDetail,
  unmerged,
} from '../openapi/shapes/merges.ts';
import { kindNamed } from '#domain/addresses.ts';
import { withoutBody } from '#domain/checking/bodiless-refusal.ts';
import { Failure, fail } from '#domain/errors.ts';
import { mergeRecords } from '#domain/jobs/merge-records.ts';
import { undoMerge } from '#domain/jobs/undo-merge.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf, textsOf } from '#domain/json.ts';
import type { MergeDeclaration, MergeRecords, MergeWhat } from '#domain/merges/merges.ts';
import { merges, toMergeRecords } from '#domain/merges/merges.ts';
import type { Combined } from '#domain/merges/selections.ts';
import { combine } from '#domain/merges/selections.ts';
import { inWordsOf, mergeNames, mergeSchemaName } from '#domain/requests/merge-request.ts';
import { can } from '#domain/access/caller.ts';
import { uriOfRecord } from '#store/merges/check.ts';
import { previewMerge } from '#store/merges/preview.ts';
import type { DoneMerge } from '#store/merges/read.ts';
import { readMerge } from '#store/merges/read.ts';
import { readRecord, requireShown } from '#store/records/reading/read.ts';
import { jsonBody } from '../request/body.ts';
import { boolean, id, repositoryId } from '../request/parameters.ts';
import type { Reply } from '../reply/reply.ts';
import { json } from '../reply/reply.ts';
import type { Call, Replies, Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { joinJob, runJob } from '../record-routes/jobs.ts';
import { seesConfidential, viewerOf } from '../record-routes/viewing.ts';

const area = 'merges';

type MergeCall = Call<unknown, JsonObject>;
type Request = {
  readonly records: MergeRecords;
  readonly destination: string;
  readonly candidates: readonly string[];
  readonly selections: JsonObject | null;
};

/** Reads a request of either spelling. Fails with `invalid_record` in the words of the release, or `merge_refused`. */
async function requestOf(call: MergeCall, what: MergeWhat): Promise<Request> {
  const { key }: MergeDeclaration = merges[what];
  const { release, services, repoId } = call;
  const names = mergeNames(release);
  const { record } = await services.checkRecord(mergeSchemaName(key, release), inWordsOf(release, call.body), {
    repoId,
    operation: 'create',
  });
  const candidates = objectsOf(record, names.candidates).flatMap((ref) => textOf(ref, 'ref') ?? []);
  if (candidates.length === 0) throw fail('invalid_record', { [names.candidates]: ['At least 1 item(s) is required'] });
  const destination = textOf(objectOf(record, names.destination), 'ref') ?? '';
  return {
    records: toMergeRecords(what, destination, candidates, repoId),
    destination,
    candidates,
    selections: what === 'agent_detail' ? (objectOf(record, 'selections') ?? {}) : null,
  };
}

/** The agent that a detailed merge would make; checked as an update, so that nothing is merged for a body that cannot be stored. */
async function combined(
  call: MergeCall,
  { records: { survivor, gone }, selections }: Request,
): Promise<Combined | null> {
  if (selections === null) return null;
  const [first = survivor] = gone;
  const read = async ({ kind, id: recordId }: MergeRecords['survivor']): Promise<JsonObject> =>
    JSON.parse(
      (
        await readRecord(call.services.database.reader, kindNamed(kind), recordId, null, {
          seesSuppressed: true,
          seesConfidential: true,
        })
      ).text,
    );
  const result = combine(await read(survivor), await read(first), selections);
  // Contact details come along, but neither the answer nor a refusal tells them to who may not see them.
  const hidden = seesConfidential(call) ? [] : kindNamed(survivor.kind).confidential;
  const shown = { ...result.record, ...Object.fromEntries(hidden.map((list) => [list, []])) };
  if (result.count > 0)
    await call.services
      .checkRecord(survivor.kind, result.record, { repoId: null, operation: 'update' })
      .catch((error: unknown) => {
        throw error instanceof Failure && hidden.length > 0 ? withoutBody(error, hidden) : error;
      });
  return { ...result, record: shown };
}

// A link type of our own would have to be a uri; `related` is registered and true.
const linkOfMerge = (jobId: number): Reply['headers'] => ({ link: `</merge_requests/${jobId}>; rel="related"` });

async function merged(call: MergeCall, what: MergeWhat, isDryRun: boolean): Promise<Reply | JsonObject> {
  const joined = await joinJob(call, call.repoId, linkOfMerge);
  if (joined !== null) return joined;
  const request = await requestOf(call, what);
  const { records, destination, candidates, selections } = request;
  const { survivor, gone } = records;
  // Only agents are merged across kinds, and these are never suppressed.
  const ids = [survivor, ...gone].map((record) => record.id);
  await requireShown(call.services.database.reader, kindNamed(survivor.kind), ids, viewerOf(call));
  const preview = await previewMerge(call.services.database.reader, what, records);
  const result = await combined(call, request);
  const uriKey = call.release === 'R-A' ? 'target_uri' : 'merge_destination_uri';
  const shown: JsonObject = {
    status: 'Updated',
    id: survivor.id,
    selections: result === null ? [] : result.selections,
    [uriKey]: uriOfRecord(survivor),
    deleted_uris: gone.map(uriOfRecord),
    ...(result === null ? {} : { result: result.record }),
  };
  if (isDryRun) return { ...shown, preview };
  if (gone.length === 0) return shown;
  const { repoId, caller } = call;
  const payload = {
    what,
    repoId,
    destination,
    candidates: [...candidates],
    selections,
    actor: caller.username,
    agentUri: caller.agentUri,
  };
  const options = { repoId, owner: caller.username };
  const end = await runJob(call, mergeRecords, payload, options, { promise: shown });
  return end.early ?? json(shown, 200, linkOfMerge(end.jobId));
}

const dryRun = boolean({
  optional: true,
  doc: 'Checks the request and answers what it would do, under `preview`; nothing is stored.',
});
const replies: Replies = {
  200: {
    says: 'What stays and what went, or, with dry_run, would go.',
    shape: mergedShape,
    headers: { Link: 'The address of the merge.' },
  },
  ...acceptedReply,
  400: 'Records that this request cannot merge.',
  404: 'A record does not exist.',
  409: 'Another record forbids that one goes.',
};
const doc =
  'Every link of the candidates comes to the destination, once for each other record and role; the candidates go. Their uris answer 404 with the destination under `Link`. Both spellings of the body are accepted.';

/** A merge of the second record of a kind into the first. */
function exampleOf(what: MergeWhat): JsonObject {
  const first = firstUri(merges[what].kinds[0] ?? '');
  return {
    merge_destination: { ref: first },
    merge_candidates: [{ ref: first.replace(/1$/, '2') }],
    ...(what === 'agent_detail' ? { selections: {} } : {}),
  };
}

function mergeRoute(what: MergeWhat): Route {
  const { permission, inRepository }: MergeDeclaration = merges[what];
  const common = {
    method: 'POST',
    path: `/merge_requests/${what}`,
    operation: what === 'agent_detail' ? 'mergeAgentsInDetail' : `merge${pascal(what)}s`,
    area,
    summary: `Merge ${what.replaceAll('_', ' ')} records`,
    doc,
    access: { all: [permission] },
    replies,
  } as const;
  const body = jsonBody({
    doc: '`merge_destination` and `merge_candidates` (R-A: `target` and `victims`), each a ref or refs; `agent_detail` takes `selections`.',
    shape: what === 'agent_detail' ? mergeRequestDetail : mergeRequest,
    example: exampleOf(what),
  });
  if (!inRepository)
    return defineRoute({
      ...common,
      parameters: { dry_run: dryRun },
      body,
      handler: (call) => merged(call, what, call.params.dry_run === true),
    });
  return defineRoute({
    ...common,
    parameters: { repo_id: repositoryId(), dry_run: dryRun },
    body,
    handler: (call) => merged(call, what, call.params.dry_run === true),
  });
}

/** The merge, where the caller could have asked for it. */
async function demanded(
  call: Pick<Call<unknown, unknown>, 'services' | 'caller'>,
  mergeId: number,
): Promise<DoneMerge> {
  const merge = await readMerge(call.services.database.reader, mergeId);
  if (!can(call.caller, merges[merge.what].permission, merge.repoId)) throw fail('access_denied', 'Access denied');
  return merge;
}

const read = defineRoute({
  method: 'GET',
  path: '/merge_requests/:id',
  operation: 'getMerge',
  area,
  summary: 'Read a merge that was done',
  access: 'session',
  parameters: { id: id({ doc: 'The number of the job that merged.' }) },
  replies: {
    200: { says: 'What was merged into what, by whom and when, and whether it was undone.', shape: mergeShape },
    404: 'Merge not found',
  },
  handler: async (call) => (await demanded(call, call.params.id)).shown,
});

const undo = defineRoute({
  method: 'POST',
  path: '/merge_requests/:id/undo',
  operation: 'undoMerge',
  area,
  summary: 'Undo a merge',
  doc: 'The records that went are back under their uris with their links and components, and the one that stayed is as it was. What somebody removed since stays removed. Needs the permission of the merge.',
  access: 'session',
  parameters: { id: id({ doc: 'The number of the job that merged.' }) },
  replies: {
    200: { says: 'The record that stayed, and those that are back.', shape: unmerged },
    ...acceptedReply,
    404: 'Merge not found',
    409: 'Something depends on it: by uri of the record concerned.',
  },
  handler: async (call) => {
    const { id: mergeId } = call.params;
    const { repoId, what } = await demanded(call, mergeId);
    const end = await runJob(
      call,
      undoMerge,
      { mergeId, what, repoId, actor: call.caller.username },
      { repoId, owner: call.caller.username },
    );
    if (end.early !== null) return end.early;
    const value: Json = end.value;
    return {
      status: 'Restored',
      id: mergeId,
      uri: isObject(value) ? (textOf(value, 'survivor') ?? '') : '',
      restored_uris: isObject(value) ? [...textsOf(value, 'restored')] : [],
    };
  },
});

const each: readonly MergeWhat[] = [
  'agent',
  'agent_detail',
  'subject',
  'container_profile',
  'top_container',
  'resource',
  'digital_object',
];

/** The routes of this file. */
export const mergeRoutes: readonly Route[] = [...each.map(mergeRoute), read, undo];
