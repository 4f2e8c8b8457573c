// Transfers that are no kind's own: everything in a repository, and components between resources (contract 5.3, 5.4).
import { shape } from '../openapi/shape.ts';
import { acceptedReply, done } from '../openapi/shapes/envelopes.ts';
import { parseUri, uriOf } from '#domain/addresses.ts';
import { fail } from '#domain/errors.ts';
import { transferComponent } from '#domain/jobs/transfer-component.ts';
import { transferRepository } from '#domain/jobs/transfer-repository.ts';
import { isObject } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { globalRepoId } from '#domain/access/caller.ts';
import { repositoryId, text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { isHidden } from '#store/records/reading/read.ts';
import { doJob, runJob } from '../record-routes/jobs.ts';
import { targetRepo, targetRepoId } from '../record-routes/transfer.ts';
import { viewerOf } from '../record-routes/viewing.ts';

const ofRepository = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/transfer',
  operation: 'transferRepository',
  area: 'repositories',
  summary: 'Move everything to another repository',
  doc: 'Moves all records but the groups and preferences of the repository, which stays, empty, and what is set for it: definitions of assessment attributes, which are matched by type and label, and default values and required fields of forms for which the target has none. Nothing moves where an identifier of one of them is taken in the target.',
  access: { all: ['transfer_repository'] },
  parameters: { repo_id: repositoryId(), target_repo: targetRepo },
  replies: {
    200: { says: 'Everything is in the other repository.', shape: done('OK') },
    ...acceptedReply,
    400: 'No such target.',
    409: 'Identifiers that the target has already, by uri of the record concerned.',
  },
  handler: async (call) => {
    const from = call.params.repo_id;
    const to = await targetRepoId(call, call.params.target_repo, 'transfer_repository');
    if (from === globalRepoId) throw fail('not_allowed', 'The global repository cannot be transferred');
    const early = await doJob(
      call,
      transferRepository,
      { from, to, actor: call.caller.username },
      { repoId: from, owner: call.caller.username },
    );
    return early ?? { status: 'OK' };
  },
});

const ofComponent = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/component_transfers',
  operation: 'transferComponent',
  area: 'resources',
  summary: 'Move a component and all below it to another resource',
  doc: 'The component becomes the last one directly under the resource. An event records the move.',
  access: { all: ['update_resource_record'] },
  parameters: {
    repo_id: repositoryId(),
    target_resource: text({ doc: 'Uri of the resource to move to.' }),
    component: text({ doc: 'Uri of the archival object.' }),
  },
  replies: {
    200: {
      says: 'Their uris.',
      shape: shape.object({ component: shape.uri, resource: shape.uri, event: shape.nullable(shape.uri) }),
    },
    ...acceptedReply,
    400: 'No such resource, or a ref_id is taken in it.',
    404: 'No such component.',
  },
  handler: async (call) => {
    const { repo_id: repoId } = call.params;
    const { reader } = call.services.database;
    const component = parseUri(call.params.component);
    if (
      component?.kind !== archivalObject.name ||
      component.repoId !== repoId ||
      (await isHidden(reader, archivalObject, [component.id], viewerOf(call)))
    )
      throw fail('not_found', 'That which does not exist cannot be moved.');
    const target = parseUri(call.params.target_resource);
    if (
      target?.kind !== resource.name ||
      target.repoId !== repoId ||
      (await isHidden(reader, resource, [target.id], viewerOf(call)))
    )
      throw fail('unknown_reference', `Can't relate to non-existent record: ${call.params.target_resource}`);
    const payload = {
      repoId,
      componentId: component.id,
      resourceId: target.id,
      actor: call.caller.username,
      agentUri: call.caller.agentUri,
    };
    const end = await runJob(call, transferComponent, payload, { repoId, owner: call.caller.username });
    if (end.early !== null) return end.early;
    const event = isObject(end.value) ? (end.value['event'] ?? null) : null;
    return {
      component: uriOf(archivalObject, component.id, repoId),
      resource: uriOf(resource, target.id, repoId),
      event,
    };
  },
});

/** The routes of this file. */
export const transferRoutes: readonly Route[] = [ofRepository, ofComponent];
