// Changing many top containers at once (contract 6.7): one value for a list of ids, or values by uri. Only containers of the repository
// are touched, and all or none. The routes of ids answer 200 whatever happens, with `error` where nothing was done.
import { shape } from '../openapi/shape.ts';
import { parseUri, uriOf } from '#domain/addresses.ts';
import type { ContainerChange } from '#domain/containers/bulk-changes.ts';
import {
  withBarcode,
  withHoldingId,
  withIndicator,
  withLocation,
  withProfile,
} from '#domain/containers/bulk-changes.ts';
import { Failure, fail } from '#domain/errors.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject } from '#domain/json.ts';
import { containerProfile } from '#domain/kinds/container_profile.ts';
import { location } from '#domain/kinds/location.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Kind } from '#domain/kind.ts';
import type { Replacement } from '#store/records/writing/write-many.ts';
import { lockBodies, replaceMany } from '#store/records/writing/write-many.ts';
import { existing } from '#store/records/reading/existing.ts';
import { anyJsonBody } from '../request/body.ts';
import type { Body } from '../request/body.ts';
import { id, listOf, repositoryId, text } from '../request/parameters.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import type { Services } from '../services.ts';
import type { Seeing } from '../record-routes/viewing.ts';
import { writeContext } from '../record-routes/viewing.ts';

const area = 'top containers';
const access = { all: ['manage_container_record'] } as const;
/** How many containers were changed; or the reason why none was, under status 200 all the same. */
const counted = shape.object({}, { records_updated: shape.integer, error: shape.text });

/** The body of the routes that go by uri. */
const byContainer = (doc: string, value: string): Body<Json> =>
  anyJsonBody({
    doc,
    shape: shape.mapOf(shape.nullable(shape.text)),
    example: { '/repositories/2/top_containers/1': value },
  });

const ids = listOf(id())({ doc: 'Ids of top containers of the repository.' });

/** What is to become of a container, and the uri that it was named by. */
type Wanted = { readonly id: number; readonly change: ContainerChange };
/** A container with the text that a body has for it. */
type NamedText = { readonly id: number; readonly text: string };
type ContainersCall = Seeing & { readonly params: { readonly repo_id: number } };

/** Changes containers of the repository, all or none. A fault names the container under `uri`. */
async function changeContainers(call: Seeing, repoId: number, wanted: readonly Wanted[]): Promise<void> {
  const { services } = call;
  await services.database.transaction(async (tx) => {
    const stored = await lockBodies(
      tx,
      topContainer,
      wanted.map((each) => each.id),
      repoId,
    );
    const missing = wanted.find((each) => !stored.has(each.id));
    if (missing !== undefined)
      throw fail('not_found', `Top container not found: ${uriOf(topContainer, missing.id, repoId)}`);
    const replacements = await Promise.all(
      wanted.map(async ({ id: containerId, change }): Promise<Replacement> => {
        const old = stored.get(containerId) ?? {};
        return { id: containerId, old, prepared: await prepared(services, repoId, containerId, change(old)) };
      }),
    );
    await replaceMany(tx, topContainer, replacements, writeContext(call));
  });
}

async function prepared(
  services: Services,
  repoId: number,
  containerId: number,
  body: JsonObject,
): Promise<Replacement['prepared']> {
  try {
    return (await services.checkRecord(topContainer.name, body, { repoId, operation: 'update' })).prepared;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw fail('invalid_record', error.error, { uri: uriOf(topContainer, containerId, repoId) }, error);
  }
}

/** Gives one change to the containers that the call lists; how many they are. */
async function changeListed(
  call: ContainersCall & { readonly params: { readonly ids: readonly number[] } },
  change: ContainerChange,
): Promise<number> {
  const wanted = [...new Set(call.params.ids)].map((each) => ({ id: each, change }));
  await changeContainers(call, call.params.repo_id, wanted);
  return wanted.length;
}

/** Gives each container its own change, by the text for it; their ids. */
async function changeNamed(
  call: ContainersCall,
  named: readonly NamedText[],
  change: (text: string) => ContainerChange,
): Promise<readonly number[]> {
  await changeContainers(
    call,
    call.params.repo_id,
    named.map((each) => ({ id: each.id, change: change(each.text) })),
  );
  return named.map((each) => each.id);
}

/** The words of an expected failure; anything else is thrown on. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Failure) || error.status >= 500) throw error;
  return typeof error.error === 'string' ? error.error : JSON.stringify(error.error);
}

/** Fails in the contract's words where a uri, unless it is empty, is not that of a record of the kind. */
async function requireTargets(services: Services, kind: Kind, uris: readonly string[]): Promise<void> {
  const named = uris.filter((uri) => uri !== '');
  const addresses = named.map((uri) => parseUri(uri));
  const found = await existing(
    services.database.reader,
    kind,
    addresses.flatMap((address) => (address?.kind === kind.name ? [address.id] : [])),
  );
  const missing = named.find((_, index) => {
    const address = addresses[index];
    return address?.kind !== kind.name || !found.has(address.id);
  });
  if (missing !== undefined)
    throw fail('not_found', `${kind === location ? 'Location' : 'Container profile'} not found: ${missing}`);
}

const holdingId = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/batch/ils_holding_id',
  operation: 'setIlsHoldingIds',
  area,
  summary: 'Set ILS holding id on containers',
  access,
  parameters: { repo_id: repositoryId(), ids, ils_holding_id: text() },
  replies: { 200: { says: 'How many were changed, or why none was.', shape: counted } },
  handler: async (call) => {
    try {
      return { records_updated: await changeListed(call, withHoldingId(call.params.ils_holding_id)) };
    } catch (error) {
      return { error: wordsOf(error) };
    }
  },
});

const profile = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/batch/container_profile',
  operation: 'setContainerProfiles',
  area,
  summary: 'Set container profile on containers',
  doc: 'An empty uri takes the profile away.',
  access,
  parameters: { repo_id: repositoryId(), ids, container_profile_uri: text() },
  replies: { 200: { says: 'How many were changed, and the reason where none was.', shape: counted } },
  handler: async (call) => {
    const { params, services } = call;
    try {
      await requireTargets(services, containerProfile, [params.container_profile_uri]);
      return { records_updated: await changeListed(call, withProfile(params.container_profile_uri)) };
    } catch (error) {
      return { records_updated: 0, error: wordsOf(error) };
    }
  },
});

const today = (): string => new Date().toISOString().slice(0, 10);

const place = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/batch/location',
  operation: 'setContainerLocation',
  area,
  summary: 'Set location on containers',
  doc: 'Replaces the current locations by one that begins today; previous ones stay. An empty uri takes the current ones away.',
  access,
  parameters: { repo_id: repositoryId(), ids, location_uri: text() },
  replies: { 200: { says: 'How many were changed, and the reason where none was.', shape: counted } },
  handler: async (call) => {
    const { params, services } = call;
    try {
      await requireTargets(services, location, [params.location_uri]);
      return { records_updated: await changeListed(call, withLocation(params.location_uri, today())) };
    } catch (error) {
      return { records_updated: 0, error: wordsOf(error) };
    }
  },
});

/** The containers that a body names by uri, with the text for each; null is ''. Of one that is named twice, with zeros in front of its number, the last text counts. Fails with `bad_parameter` for a uri of anything else, and for values that are no texts. */
function byUri(name: string, body: Json, repoId: number): readonly NamedText[] {
  if (!isObject(body)) throw fail('bad_parameter', { [name]: ['Wanted an object of texts by uri'] });
  const named = Object.entries(body).map(([uri, value]): NamedText => {
    const address = parseUri(uri);
    if (address?.kind !== topContainer.name || address.repoId !== repoId)
      throw fail('bad_parameter', { [name]: [`Not a top container of this repository: '${uri}'`] }, { uri });
    if (value !== null && typeof value !== 'string')
      throw fail('bad_parameter', { [name]: [`Wanted a text for '${uri}'`] }, { uri });
    return { id: address.id, text: value ?? '' };
  });
  return [...new Map(named.map((each) => [each.id, each])).values()];
}

const barcodes = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/bulk/barcodes',
  operation: 'setBarcodes',
  area,
  summary: 'Set barcodes',
  doc: 'A barcode by the uri of each container. Containers may exchange theirs.',
  access,
  parameters: { repo_id: repositoryId() },
  body: byContainer('{"<top container uri>": "<barcode>"}', '39002012345678'),
  replies: {
    200: { says: 'The ids of those that were changed.', shape: shape.object({ updated: shape.list(shape.integer) }) },
    400: 'A barcode is taken; `uri` names the container. Nothing is changed.',
    404: 'A container is not there.',
  },
  handler: async (call) => ({
    updated: await changeNamed(call, byUri('barcode_data', call.body, call.params.repo_id), withBarcode),
  }),
});

const indicators = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/bulk/indicators',
  operation: 'setIndicators',
  area,
  summary: 'Set indicators',
  doc: 'An indicator by the uri of each container; null leaves a container alone.',
  access,
  parameters: { repo_id: repositoryId() },
  body: byContainer('{"<top container uri>": "<indicator>"}', '7'),
  replies: {
    200: { says: 'The ids of those that were changed.', shape: shape.object({ updated: shape.list(shape.integer) }) },
    400: 'An indicator is not valid; `uri` names the container. Nothing is changed.',
    404: 'A container is not there.',
  },
  handler: async (call) => {
    const given = isObject(call.body)
      ? Object.fromEntries(Object.entries(call.body).filter(([, value]) => value !== null))
      : call.body;
    return { updated: await changeNamed(call, byUri('indicator_data', given, call.params.repo_id), withIndicator) };
  },
});

const places = defineRoute({
  method: 'POST',
  path: '/repositories/:repo_id/top_containers/bulk/locations',
  operation: 'setLocations',
  area,
  summary: 'Set locations',
  doc: 'A location uri by the uri of each container: replaces the current locations.',
  access,
  parameters: { repo_id: repositoryId() },
  body: byContainer('{"<top container uri>": "<location uri>"}', '/locations/1'),
  replies: {
    200: {
      says: 'The ids of those that were changed, and the reason where none was.',
      shape: shape.object(
        { records_ids_updated: shape.list(shape.integer), records_updated: shape.integer },
        { error: shape.text },
      ),
    },
  },
  handler: async (call) => {
    try {
      const wanted = byUri('location_data', call.body, call.params.repo_id);
      await requireTargets(
        call.services,
        location,
        wanted.map((each) => each.text),
      );
      const changed = await changeNamed(call, wanted, (uri) => withLocation(uri, today()));
      return { records_ids_updated: changed, records_updated: changed.length };
    } catch (error) {
      return { records_ids_updated: [], records_updated: 0, error: wordsOf(error) };
    }
  },
});

/** The routes of this file. */
export const topContainerBatchRoutes: readonly Route[] = [holdingId, profile, place, barcodes, indicators, places];
