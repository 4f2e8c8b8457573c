// What the four kinds of agents declare about search (contract: behaviour-search.md section 9, `agent_*`). `factor`: people and bodies are
// looked for more than families, and software hardly.
import { objectOf, objectsOf, textOf, textsOf } from '../../json.ts';
import type { JsonObject } from '../../json.ts';
import type { KindSearch, SearchFields } from '../../search/declaration.ts';
import { list, nameOf, refOf } from '../../search/documents/reading.ts';

const authorizedName = (record: JsonObject): JsonObject | undefined =>
  objectsOf(record, 'names').find((one) => one['authorized'] === true);

const primaryIdentifier = (record: JsonObject): JsonObject | undefined =>
  objectsOf(record, 'agent_record_identifiers').find((one) => one['primary_identifier'] === true);

/** The links to subjects from what an agent did, was and where. */
const subjectLinks = (record: JsonObject): readonly JsonObject[] =>
  ['agent_functions', 'agent_occupations', 'agent_places', 'agent_topics', 'agent_resources']
    .flatMap((property) => objectsOf(record, property))
    .flatMap((part) => [...objectsOf(part, 'subjects'), ...objectsOf(part, 'places')]);

const fields: SearchFields = {
  title: { read: (record) => textOf(objectOf(record, 'display_name'), 'sort_name') ?? textOf(record, 'title') },
  authority_id: {
    type: 'string',
    read: (record) =>
      textOf(primaryIdentifier(record), 'record_identifier') ?? textOf(authorizedName(record), 'authority_id'),
  },
  source: {
    type: 'string',
    read: (record) => textOf(primaryIdentifier(record), 'source') ?? textOf(authorizedName(record), 'source'),
  },
  rules: {
    type: 'string',
    read: (record) =>
      textOf(objectsOf(record, 'agent_conventions_declarations')[0], 'name_rule') ??
      textOf(authorizedName(record), 'rules'),
  },
  linked_agent_roles: { type: 'string', isMulti: true, read: (record) => list(textsOf(record, 'linked_agent_roles')) },
  related_agent_uris: {
    type: 'string',
    isMulti: true,
    read: (record) => list(objectsOf(record, 'related_agents').flatMap(refOf)),
  },
  is_user: { type: 'boolean', read: (record) => textOf(record, 'is_user') !== undefined || record['is_user'] === true },
  subjects: { read: (record) => list(subjectLinks(record).flatMap(nameOf)) },
  subject_uris: { read: (record) => list(subjectLinks(record).flatMap(refOf)) },
};

/** What agents of a kind declare. `publicTypes`: of their documents for the public. */
export const agentSearch = (own: Pick<KindSearch, 'factor' | 'publicTypes'>): KindSearch => ({
  ...own,
  fields,
  titleIsName: true,
  types: (record, { hasUser }) => [
    'agent',
    ...(hasUser === true || (record['is_user'] ?? false) !== false ? ['agent_with_user'] : []),
  ],
  suggestedFirst: true,
  showsUse: 'links',
});
