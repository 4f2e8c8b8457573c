// Finding records by identifiers: find_by_id of five kinds, by-external-id, slug (contract 4.3). Answered from the records themselves, so
// what was committed is found at once.
import { says } from '#domain/checking/wording.ts';
import { fail } from '#domain/errors.ts';
import { shape } from '../openapi/shape.ts';
import { refOf } from '../openapi/shapes/refs.ts';
import { pascal } from '../record-routes/names.ts';
import { askedIdentifierKeys } from '#domain/identifiers/four-parts.ts';
import type { LookupCondition, LookupField } from '#store/identifiers/find.ts';
import {
  findByExternalId,
  findByIdentifiers,
  findBySlug,
  findKeysInUse,
  rulesWithinRepositories,
} from '#store/identifiers/find.ts';
import type { Parameter } from '../request/parameters.ts';
import { anything, listOf, repositoryId, resolve, text } from '../request/parameters.ts';
import { json, jsonPieces, text as textReply } from '../reply/reply.ts';
import type { Route } from '../route.ts';
import { defineRoute } from '../route.ts';
import { uriIn } from '../search/tree-documents.ts';
import { globalVisibility, isPublicUser } from '../search/visibility.ts';
import { viewerOf, withRefsResolved } from '../record-routes/viewing.ts';

const area = 'lookups';

const listed = (doc: string): Parameter<readonly string[] | null> => listOf(text())({ optional: true, doc });

/** Parameters by name; each is the field that it is compared with. */
type LookupParameters = { readonly [F in LookupField]?: Parameter<readonly string[] | null> };

function byId(kind: string, plural: string, identifiers: LookupParameters, release: 'R-B' | null = null): Route {
  // The route reads parameters by the names declared in `identifiers`, so their values are there.
  const parameters: { readonly [name: string]: Parameter<unknown> } = {
    repo_id: repositoryId(),
    ...identifiers,
    resolve,
  };
  return defineRoute({
    method: 'GET',
    path: `/repositories/:repo_id/find_by_id/${plural}`,
    operation: `find${pascal(plural)}ById`,
    area,
    summary: `Find ${plural.replaceAll('_', ' ')} by identifier`,
    doc: 'Values of one parameter are alternatives; several parameters must all be met.',
    ...(release === null ? {} : { release }),
    access: { all: ['view_repository'] },
    parameters,
    replies: {
      200: {
        says: 'Refs of the records found; none where nothing was asked.',
        shape: shape.object({ [plural]: shape.list(refOf(kind)) }),
        example: { [plural]: [{ ref: `/repositories/2/${plural}/1` }] },
      },
    },
    handler: async (call) => {
      const conditions = Object.keys(identifiers).flatMap((field) => conditionOf(field, call.params[field]));
      const uris = await findByIdentifiers(
        call.services.database.reader,
        kind,
        call.repoId ?? 0,
        conditions,
        viewerOf(call),
      );
      const names = call.params['resolve'];
      return jsonPieces(
        await withRefsResolved(
          call,
          Array.isArray(names) ? names.map(String) : [],
          JSON.stringify({ [plural]: uris.map((ref) => ({ ref })) }),
        ),
      );
    },
  });
}

const fields: ReadonlySet<string> = new Set<LookupField>([
  'ref_id',
  'component_id',
  'digital_object_id',
  'indicator',
  'barcode',
  'identifier',
  'ark',
]);
const isField = (name: string): name is LookupField => fields.has(name);

function conditionOf(field: string, values: unknown): readonly LookupCondition[] {
  if (!Array.isArray(values) || !isField(field)) return [];
  const texts = values.map(String);
  return [{ field, values: field === 'identifier' ? askedIdentifierKeys(texts) : texts }];
}

const ark = listed('ARKs, from `ark:` on or with the address in front.');
const identifier = listed('JSON texts of one to four parts: `["A","1"]`.');
const component = listed('Component identifiers.');

const mostFound = 10;
/** Of how many records with an identifier the public interface gets the first that it may see. */
const mostConsidered = 1000;

const byExternalId = defineRoute({
  method: 'GET',
  path: '/by-external-id',
  operation: 'findByExternalId',
  area,
  summary: 'Find a record by an identifier of another system',
  doc: 'What a record gives under `external_ids`. Suppressed records are not found, nor by the public interface what its searches do not find.',
  access: { all: ['view_all_records'] },
  parameters: { eid: text({ doc: 'The identifier, whole.' }), type: listed('Kinds to keep, such as resource.') },
  replies: {
    300: { says: 'Several records: at most ten uris.', shape: shape.list(shape.uri) },
    303: { says: 'One record: its uri under Location.', location: true },
    404: { says: 'None: an empty array.', shape: shape.list(shape.uri) },
  },
  handler: async ({ params, services, caller }) => {
    const isPublic = isPublicUser(caller);
    const found = await findByExternalId(
      services.database.reader,
      params.eid,
      params.type,
      isPublic ? mostConsidered : mostFound,
    );
    // Whether a record is published hangs on what is above it and on its repository: its search document knows.
    const shown = isPublic
      ? (await services.search.read(found, globalVisibility(caller))).map(({ stored }) => uriIn(stored))
      : found;
    const uris = shown.slice(0, mostFound);
    const [only] = uris;
    if (only === undefined) return json([], 404);
    return uris.length === 1 ? textReply('', 'text/html;charset=utf-8', 303, { location: only }) : json(uris, 300);
  },
});

const agents = ['agent_person', 'agent_family', 'agent_corporate_entity', 'agent_software'];
/** The kinds that a controller of the public interface shows. */
const controllers: { readonly [controller: string]: readonly string[] } = {
  repositories: ['repository'],
  resources: ['resource'],
  accessions: ['accession'],
  subjects: ['subject'],
  classifications: ['classification', 'classification_term'],
  agents,
  objects: ['archival_object', 'digital_object', 'digital_object_component'],
};

const slug = defineRoute({
  method: 'GET',
  path: '/slug',
  operation: 'findBySlug',
  area,
  summary: 'Find a record by slug',
  access: 'public',
  parameters: {
    slug: anything({ doc: 'The slug.' }),
    controller: anything({
      doc: 'What shows the record: repositories, resources, accessions, subjects, classifications, agents or objects.',
    }),
    action: anything({ doc: 'Not used.' }),
  },
  replies: {
    200: {
      says: 'Id, kind and repository of the record; -1 where there is none.',
      shape: shape.object({ id: shape.integer, table: shape.text, repo_id: shape.nullable(shape.integer) }),
      example: { id: 1, table: 'resource', repo_id: 2 },
    },
  },
  handler: async ({ params, services }) => {
    const wanted = controllers[params.controller] ?? [];
    const found = wanted.length === 0 ? null : await findBySlug(services.database.reader, params.slug, wanted);
    // Records of no repository have none to name.
    return found === null
      ? { id: -1, table: wanted[0] ?? params.controller, repo_id: -1 }
      : { id: found.id, table: found.kind, repo_id: found.repoId };
  },
});

const taken = defineRoute({
  method: 'GET',
  path: '/repositories/:repo_id/identifiers_in_use',
  operation: 'findIdentifiersInUse',
  area,
  summary: 'Which identifiers a repository has given already',
  doc: 'For who is about to import: each value that a record of the repository has under a rule of uniqueness, so that clashes are known beforehand. Whoever may import learns the same from an import that is refused. `ref` is null where the caller does not see the record.',
  access: { all: ['import_records'] },
  parameters: {
    repo_id: repositoryId(),
    rule: text({ doc: 'The rule: a kind and what its records may not share.', example: 'resource.identifier' }),
    value: listOf(text())({
      doc: 'Values as the rule compares them: the text, or of identifiers in parts the JSON text of all four, null for those that are absent.',
      example: ['["MS","1",null,null]'],
    }),
  },
  replies: {
    200: {
      says: 'The values in use, in the order asked.',
      shape: shape.object({
        in_use: shape.list(shape.object({ value: shape.text, ref: shape.nullable(shape.uri) })),
      }),
      example: { in_use: [{ value: '["MS","1",null,null]', ref: '/repositories/2/resources/1' }] },
    },
  },
  handler: async (call) => {
    const { rule, repo_id: repoId, value: values } = call.params;
    const rules = rulesWithinRepositories();
    if (!rules.includes(rule)) throw fail('bad_parameter', { rule: [says.outside(rule, rules)] });
    return { in_use: await findKeysInUse(call.services.database.reader, { rule, repoId, values }, viewerOf(call)) };
  },
});

/** The routes of this file. */
export const lookupRoutes: readonly Route[] = [
  byId('resource', 'resources', { identifier, ark }),
  byId('archival_object', 'archival_objects', { ref_id: listed('Ref ids.'), component_id: component, ark }),
  byId('digital_object', 'digital_objects', { digital_object_id: listed('Identifiers.') }),
  byId('digital_object_component', 'digital_object_components', { component_id: component }),
  byId('top_container', 'top_containers', { indicator: listed('Indicators.'), barcode: listed('Barcodes.') }, 'R-B'),
  byExternalId,
  slug,
  taken,
];
