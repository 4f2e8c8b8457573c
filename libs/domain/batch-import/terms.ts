// Terms inside records of a batch: every one gets its id in the first pass, and its uri in the stored bodies of the second.
import type { Json, JsonObject } from '../json.ts';
import { isObject, textOf } from '../json.ts';
import { keyText } from '../checking/split.ts';
import type { UriLookup } from './block.ts';

/** A term that the batch names: what makes it one with an equal stored one. */
export type TermSeen = { readonly term: string; readonly termType: string; readonly vocabulary: string };

/** Contents of stored terms by uri: subjects may name a term by its uri. */
export type KnownTerms = ReadonlyMap<string, TermSeen>;

/** The value of the unique key of a term (rule `term.identity`), as its row holds it: whoever makes a term otherwise than by saving it writes the same. */
export const termIdentity = (term: TermSeen): string =>
  keyText(JSON.stringify([term.vocabulary, term.term, term.termType]));

/** The text under which a term is found in the uri table. */
export const termKeyText = (term: TermSeen): string => `term\n${termIdentity(term)}`;

/** A term record, or a term inside a subject; null where a part is missing (the check of the record tells which). */
export function termOf(value: Json | undefined): TermSeen | null {
  if (!isObject(value)) return null;
  const [term, termType, vocabulary] = [textOf(value, 'term'), textOf(value, 'term_type'), textOf(value, 'vocabulary')];
  return term === undefined || termType === undefined || vocabulary === undefined
    ? null
    : { term, termType, vocabulary };
}

/** The objects of a record that may hold terms: itself, and its links to agents. */
function holdersIn(record: JsonObject): readonly JsonObject[] {
  const agents = record['linked_agents'];
  return Array.isArray(agents) ? [record, ...agents.filter(isObject)] : [record];
}

function valuesIn(record: JsonObject): readonly Json[] {
  return holdersIn(record).flatMap((holder) => (Array.isArray(holder['terms']) ? holder['terms'] : []));
}

/** The terms that a record says in full. */
export function termsIn(record: JsonObject): readonly TermSeen[] {
  return valuesIn(record).flatMap((value) => termOf(value) ?? []);
}

/** The uris by which a record names terms. */
export function termUrisIn(record: JsonObject): readonly string[] {
  return valuesIn(record).filter((value) => typeof value === 'string');
}

/** A body with every term in full, as it is stored: with its uri where the table has one. The body itself where it has no terms. */
export function withTerms(body: JsonObject, table: UriLookup | null, known: KnownTerms): JsonObject {
  if (valuesIn(body).length === 0) return body;
  const complete = (holder: JsonObject): JsonObject => {
    const terms = holder['terms'];
    return Array.isArray(terms) && terms.length > 0
      ? { ...holder, terms: terms.map((value: Json) => completeTerm(value, table, known)) }
      : holder;
  };
  const own = complete(body);
  const agents = own['linked_agents'];
  return Array.isArray(agents)
    ? { ...own, linked_agents: agents.map((agent: Json) => (isObject(agent) ? complete(agent) : agent)) }
    : own;
}

function completeTerm(value: Json, table: UriLookup | null, known: KnownTerms): Json {
  const term = typeof value === 'string' ? known.get(value) : termOf(value);
  if (term === undefined || term === null) return value;
  const target = table?.get(termKeyText(term)) ?? null;
  const uri = typeof value === 'string' ? value : target === null ? undefined : `/terms/${target.id}`;
  return {
    jsonmodel_type: 'term',
    ...(uri === undefined ? {} : { uri }),
    term: term.term,
    term_type: term.termType,
    vocabulary: term.vocabulary,
  };
}
