// What classifications and their terms declare about search (contract: behaviour-search.md section 9, `classification`).
import type { JsonObject } from '../../json.ts';
import { objectOf, textOf } from '../../json.ts';
import type { KindSearch, SearchFields } from '../../search/declaration.ts';
import { list, nameOf, pathText, refOf, truth } from '../../search/documents/reading.ts';

const creator = (record: JsonObject): JsonObject | undefined => objectOf(record, 'creator');
const publishedCreator = (record: JsonObject): JsonObject | undefined =>
  objectOf(creator(record), '_resolved')?.['publish'] === true ? creator(record) : undefined;

/** What the kind declares; `own`: fields that it has besides. */
export const classifiedSearch = (search: Omit<KindSearch, 'fields'>, own: SearchFields = {}): KindSearch => ({
  ...search,
  suggestedFirst: true,
  fields: {
    classification_path: { type: 'string', isListed: false, read: (record) => pathText(record)[0] },
    identifier: { read: (record) => textOf(record, 'identifier') },
    identifier_sort: { read: (record) => textOf(record, 'identifier') },
    has_classification_terms: { type: 'boolean', read: (record) => truth(record, 'has_classification_terms') },
    agents: { read: (record) => list(nameOf(creator(record))) },
    agent_uris: { read: (record) => list(refOf(creator(record))) },
    published_agents: { read: (record) => list(nameOf(publishedCreator(record))) },
    published_agent_uris: { read: (record) => list(refOf(publishedCreator(record))) },
    ...own,
    repo_sort: { type: 'sort', read: (_record, { repositoryName }) => repositoryName },
  },
});
