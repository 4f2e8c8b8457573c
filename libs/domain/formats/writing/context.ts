// What the writers of formats share: the context of one export, and reading of resolved records. A writer takes a record whose refs
// carry `_resolved` and gives text; it reads nothing else, and it alone decides what is published (published.ts).
import type { JsonObject } from '../../json.ts';
import { objectOf, objectsOf, textOf } from '../../json.ts';
import { withoutTags } from '../../text/mixed-content.ts';
import { decodeEntities } from '../xml/fragment.ts';

/** What one export needs besides its record. */
export type ExportContext = {
  /** The English label of a controlled value; the value itself where it has none. */
  readonly label: (list: string, value: string) => string;
  /** Address of the public site, without a slash at its end; a record's is this and its uri. */
  readonly publicUrl: string;
  /** Address of the service itself, likewise. */
  readonly serviceUrl: string;
  /** The repository of the record, with `agent_representation` resolved where contacts may be shown; null for agents. */
  readonly repository: JsonObject | null;
  /** Whether unpublished notes, agents and files are written too: asked for by a caller who may view the repository. */
  readonly includesUnpublished: boolean;
  /** The moment of the export, for dates of the document itself. */
  readonly now: Date;
  /** What documents name as their maker. */
  readonly product: string;
  /** Whether ARKs are among the identifiers (the installation's setting). */
  readonly showsArks: boolean;
  /** The release of the interface that is asked. */
  readonly release: 'R-A' | 'R-B';
};

/** The record that a ref was resolved to, or undefined where the caller may not see it. */
export const resolvedOf = (ref: JsonObject | undefined): JsonObject | undefined => objectOf(ref, '_resolved');

/** The linked agents of the given roles with their records, in the order of the record. */
export function agentLinks(record: JsonObject, roles: readonly string[]): readonly AgentLink[] {
  const found: AgentLink[] = [];
  for (const link of objectsOf(record, 'linked_agents')) {
    const agent = resolvedOf(link);
    if (agent !== undefined && roles.includes(textOf(link, 'role') ?? '')) found.push({ link, agent });
  }
  return found;
}

/** A link to an agent, and the agent. */
export type AgentLink = { readonly link: JsonObject; readonly agent: JsonObject };

/** The subjects of a record (or of a part of one), in order. */
export const subjectsOf = (record: JsonObject, property = 'subjects'): readonly JsonObject[] =>
  objectsOf(record, property)
    .map(resolvedOf)
    .filter((subject) => subject !== undefined);

/** The terms of a subject, or of a link to an agent as subject; each with `term` and `term_type`. */
export const termsOf = (holder: JsonObject): readonly JsonObject[] =>
  objectsOf(holder, 'terms')
    .map((term) => resolvedOf(term) ?? term)
    .filter((term) => textOf(term, 'term') !== undefined);

/** The texts of terms, joined as headings are shown. */
export const joinedTerms = (terms: readonly JsonObject[]): string =>
  terms.map((term) => textOf(term, 'term')).join(' -- ');

/** The name an agent is shown under. */
export const displayName = (agent: JsonObject): JsonObject | undefined =>
  objectOf(agent, 'display_name') ??
  objectsOf(agent, 'names').find((name) => name['is_display_name'] === true) ??
  objectsOf(agent, 'names')[0];

/** The parts of an identifier that are set, joined: id_0 to id_3 of resources. */
export const identifierOf = (record: JsonObject, separator = '.'): string =>
  ['id_0', 'id_1', 'id_2', 'id_3']
    .flatMap((part) => textOf(record, part) ?? [])
    .filter((part) => part !== '')
    .join(separator);

/** Text without markup on one line: entities are characters, runs of white space one blank. */
export const plainText = (text: string): string => decodeEntities(withoutTags(text)).replace(/\s+/g, ' ').trim();

/** The texts of a date: its expression, else `begin - end`, else the one of both that there is. Undefined where it has none. */
export function dateText(date: JsonObject): string | undefined {
  const [expression, begin, end] = [textOf(date, 'expression'), textOf(date, 'begin'), textOf(date, 'end')];
  if (expression !== undefined) return expression;
  return begin !== undefined && end !== undefined ? `${begin} - ${end}` : (begin ?? end);
}
