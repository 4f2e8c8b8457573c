// What there is to read of a source, file by file, in an order in which links resolve (docs/guides/migrating.md).
import type { Json } from '#domain/json.ts';
import { isObject, objectsOf, textOf } from '#domain/json.ts';
import { formRecordTypes } from '#domain/requests/settings.ts';
import { Refused } from './failures.ts';
import type { Source } from './source.ts';

/** One address from which records of one kind come. */
export type Unit = {
  /** Address of the list; for `ids` also what the uris of its records begin with. */
  readonly at: string;
  /** `ids`: by all_ids and id_set. `list`: the reply is all of them. `one`: the reply is a record, or a list of one. */
  readonly how: 'ids' | 'list' | 'one';
  /** Each record is read again by its own address, whose reply says more than that of the list. */
  readonly each?: { readonly [parameter: string]: string };
  /** The uri of the record is the address, whatever the reply says: releases differ. */
  readonly isAtAddress?: boolean;
  /** A 404 says that there is none. */
  readonly mayLack?: boolean;
};

/** A file of a folder, and the addresses that fill it. */
export type FilePlan = { readonly file: string; readonly units: readonly Unit[] };

/** The file of jobs; their logs and files are kept beside it. */
export const jobsFile = 'jobs';

// Repository 1 belongs to everybody: it is in no list, but has groups, preferences, and events of agents.
const globalRepository = 1;
const agents = ['people', 'families', 'corporate_entities', 'software'];
const global = ['subjects', 'location_profiles', 'container_profiles', 'locations'];
const inRepository = [
  'top_containers',
  'classifications',
  'classification_terms',
  'digital_objects',
  'digital_object_components',
  'accessions',
  'resources',
  'archival_objects',
  'assessments',
  'events',
  'custom_report_templates',
];
/** The files of a source, as its repositories, vocabularies and users are now. */
export async function makePlan(source: Source): Promise<readonly FilePlan[]> {
  const repositories = recordsIn(await source.ask('/repositories'), '/repositories').flatMap(
    (record) => textOf(record, 'uri') ?? [],
  );
  const everywhere = [...new Set([`/repositories/${globalRepository}`, ...repositories])];
  const vocabularies = recordsIn(await source.ask('/vocabularies'), '/vocabularies').flatMap(
    (record) => textOf(record, 'uri') ?? [],
  );
  const users = await idsOf(source, '/users').catch((error: unknown) => {
    // Said again, and noted, where users are read.
    if (error instanceof Refused) return [];
    throw error;
  });
  const byIds = (file: string, paths: readonly string[]): FilePlan => ({
    file,
    units: paths.map((at) => ({ at, how: 'ids', mayLack: at.startsWith(`/repositories/${globalRepository}/`) })),
  });
  const lists = (file: string, ats: readonly string[], more: Partial<Unit> = {}): FilePlan => ({
    file,
    units: ats.map((at) => ({ at, how: 'list', ...more })),
  });
  const ones = (file: string, ats: readonly string[]): FilePlan => ({
    file,
    units: ats.map((at) => ({ at, how: 'one', mayLack: true })),
  });
  return [
    lists('repositories', ['/repositories']),
    lists('enumerations', ['/config/enumerations']),
    lists('vocabularies', ['/vocabularies']),
    lists(
      'terms',
      vocabularies.map((uri) => `${uri}/terms`),
    ),
    ...agents.map((plural) => byIds(`agents_${plural}`, [`/agents/${plural}`])),
    { file: 'users', units: [{ at: '/users', how: 'ids', each: {} }] },
    lists(
      'groups',
      everywhere.map((uri) => `${uri}/groups`),
      { each: { with_members: 'true' }, mayLack: true },
    ),
    lists(
      'preferences',
      everywhere.flatMap((uri) => [`${uri}/preferences`, ...users.map((id) => `${uri}/preferences?user_id=${id}`)]),
      { mayLack: true },
    ),
    { file: 'oai_config', units: [{ at: '/oai_config', how: 'one', mayLack: true, isAtAddress: true }] },
    lists(
      'rde_templates',
      repositories.map((uri) => `${uri}/rde_templates`),
      { mayLack: true },
    ),
    ones(
      'default_values',
      repositories.flatMap((uri) => formRecordTypes.map((type) => `${uri}/default_values/${type}`)),
    ),
    ones(
      'required_fields',
      repositories.flatMap((uri) => formRecordTypes.map((type) => `${uri}/required_fields/${type}`)),
    ),
    ones(
      'assessment_attribute_definitions',
      repositories.map((uri) => `${uri}/assessment_attribute_definitions`),
    ),
    ...global.map((plural) => byIds(plural, [`/${plural}`])),
    ...inRepository.map((plural) =>
      byIds(
        plural,
        (plural === 'events' ? everywhere : repositories).map((uri) => `${uri}/${plural}`),
      ),
    ),
    byIds(
      jobsFile,
      repositories.map((uri) => `${uri}/jobs`),
    ),
  ];
}

/** The ids of a list; with `since`, of what has changed from that second on. */
export async function idsOf(source: Source, at: string, since: number | null = null): Promise<readonly number[]> {
  const reply = await source.ask(at, { all_ids: true, ...(since === null ? {} : { modified_since: since }) });
  if (!Array.isArray(reply)) throw noList(at);
  const ids = reply.filter((id): id is number => typeof id === 'number');
  return [...new Set(ids)].sort((one, other) => one - other);
}

/** The records of a reply that is a list, be it bare or a page; `at` is the address that gave it. */
export function recordsIn(reply: Json, at: string): readonly { readonly [property: string]: Json | undefined }[] {
  if (Array.isArray(reply)) return reply.filter(isObject);
  if (!isObject(reply) || !Array.isArray(reply['results'])) throw noList(at);
  return objectsOf(reply, 'results');
}

/** What stands before the source may answer in its place, and not with a failure: of that, nothing may be taken for deleted. */
export const noList = (at: string): Refused => new Refused(`${at} is no list.`, { status: 200 });
