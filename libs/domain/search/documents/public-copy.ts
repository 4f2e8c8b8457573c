// The public's copy of a published archival object, `<uri>#pui` (contract: behaviour-search.md section 9). Where nothing of the record
// is hidden, one document serves staff and the public: here it turns into the copy, in queries and in replies.
import type { JsonObject } from '../../json.ts';
import { textsOf } from '../../json.ts';
import { kindsWhere, searchOf } from '../declared.ts';
import type { Bound, Predicate } from '../query/predicate.ts';
import { lexemes, mapLeaves, matchAny, matchEvery, matchNot } from '../query/predicate.ts';
import type { Expansion, LexemeQuery } from '../query/tsquery.ts';
import { any, mapQuery, operandsOf, word } from '../query/tsquery.ts';

/** The types that a public copy has beside its kind, as the kind that has copies declares them. */
export const copyTypes: readonly string[] = kindsWhere(({ hasPublicCopy }) => hasPublicCopy === true).flatMap(
  (kind) => searchOf(kind).publicTypes ?? [],
);

/** The lexeme of a document that is the record to staff and its copy to the public. */
export const sharedMark = 'p=shared';

/** What stands behind the uri in the id of a copy. */
const copySuffix = '#pui';

/** The id of the copy of a record. */
export const copyIdOf = (uri: string): string => `${uri}${copySuffix}`;

/** The uri of the record that a copy's id names; null for other ids. */
export const copiedUri = (id: string): string | null =>
  id.endsWith(copySuffix) ? id.slice(0, -copySuffix.length) : null;

/** A shared document as the public gets it. */
export function asPublicCopy(stored: string): { readonly id: string; readonly stored: string } {
  // The index stores what document.ts made: an object.
  const { id: _id, uri, types, ...rest } = JSON.parse(stored) as JsonObject;
  const parent = typeof uri === 'string' ? uri : '';
  const id = copyIdOf(parent);
  return {
    id,
    stored: JSON.stringify({
      id,
      uri: parent,
      pui_parent_id: parent,
      types: [...textsOf({ types }, 'types'), ...copyTypes],
      ...rest,
    }),
  };
}

const startOfTypes = 'x=types=';
const startOfParents = 'x=pui_parent_id=';
const isLabelled = 'h=pui_parent_id';
const shared = lexemes(word(sharedMark));

/**
 * A predicate as the public asks it: shared documents are found by all that copies have, their types, the uri of their record, and that they
 * name one; so nobody learns from a query which records have a copy of their own, and with it something that is hidden. By the uri of a record either is found.
 */
export const forPublic = (predicate: Predicate): Predicate =>
  mapLeaves(predicate, (leaf) => {
    if (leaf.kind === 'lexemes') return withShared(leaf.query);
    if (leaf.kind === 'near' || leaf.column !== 'id') return leaf;
    if (leaf.kind === 'compare')
      return matchAny([matchEvery([leaf, matchNot(shared)]), matchEvery([ofUris(leaf), shared])]);
    const { value } = leaf;
    if (leaf.kind === 'starts') {
      const [uri = '', end] = value.split(/(?=#)/, 2);
      return end !== undefined && copySuffix.startsWith(end) ? matchAny([leaf, sharedOf(uri)]) : leaf;
    }
    const uri = copiedUri(value);
    return matchAny([leaf, uri === null ? { ...leaf, value: copyIdOf(value) } : sharedOf(uri)]);
  });

/** Bounds of ids of copies as bounds of the uris in front of their ends: an id without such an end comes before that of its copy. */
function ofUris(range: Extract<Predicate, { kind: 'compare' }>): Predicate {
  const { from, to } = range;
  const bound = ({ value, isIncluded }: Bound, isWithin: (end: string) => boolean): Bound => {
    const [uri = '', end = ''] = value.split(/(?=#)/, 2);
    return { value: uri, isIncluded: isWithin(end) || (isIncluded && end === copySuffix) };
  };
  return {
    ...range,
    ...(from === undefined ? {} : { from: bound(from, (end) => end < copySuffix) }),
    ...(to === undefined ? {} : { to: bound(to, (end) => end > copySuffix) }),
  };
}

/** The shared document of a record. */
const sharedOf = (uri: string): Predicate => matchEvery([{ kind: 'equals', column: 'id', value: uri }, shared]);

/** What the index holds in columns can stand in no query of lexemes: one that asks for the records of copies is taken apart. */
function withShared(query: LexemeQuery): Predicate {
  const asksParent = operandsOf(query).some((part) => part.kind === 'word' && part.word.startsWith(startOfParents));
  if (!asksParent) return lexemes(mapQuery(query, withSharedTypes));
  switch (query.kind) {
    case 'every':
      return matchEvery(query.parts.map(withShared));
    case 'any':
      return matchAny(query.parts.map(withShared));
    case 'not':
      return matchNot(withShared(query.part));
    case 'word': {
      const column = { column: 'id', value: query.word.slice(startOfParents.length) } as const;
      const record: Predicate = { kind: query.isPrefix === true ? 'starts' : 'equals', ...column };
      return matchAny([lexemes(query), matchEvery([record, shared])]);
    }
    default:
      // Words that follow each other are never values of fields.
      return lexemes(query);
  }
}

function withSharedTypes(part: LexemeQuery): LexemeQuery | undefined {
  if (part.kind === 'word') {
    const { word: asked } = part;
    const has = (type: string): boolean =>
      part.isPrefix === true ? `${startOfTypes}${type}`.startsWith(asked) : `${startOfTypes}${type}` === asked;
    return asked === isLabelled || copyTypes.some(has) ? any([part, word(sharedMark)]) : undefined;
  }
  if (part.kind !== 'expand' || part.expansion.prefix !== startOfTypes) return undefined;
  return copyTypes.some((type) => isStoodFor(type, part.expansion)) ? any([part, word(sharedMark)]) : undefined;
}

/** Whether an expansion of types stands for one of them, as the list of words would say. */
function isStoodFor(type: string, expansion: Expansion): boolean {
  if (expansion.kind === 'pattern') return isLike(`${startOfTypes}${type}`, expansion.like);
  if (expansion.kind !== 'between') return false;
  const { from, to, includesFrom, includesTo } = expansion;
  const [least, most] = [from ?? type, to ?? type];
  return (includesFrom || type !== from) && (includesTo || type !== to) && type >= least && type <= most;
}

/** Whether a text is like a pattern of SQL's LIKE. In the time of both lengths, whatever the pattern. */
function isLike(text: string, pattern: string): boolean {
  const parts = pattern.match(/\\.|[^]/g) ?? [];
  // Where to go on when what follows the last star fits nowhere yet: one character further.
  let [at, part, star, taken] = [0, 0, -1, 0];
  while (at < text.length) {
    const asked = parts[part];
    if (asked === '%') {
      [star, taken] = [part, at];
      part += 1;
    } else if (asked === '_' || (asked !== undefined && asked.slice(-1) === text[at])) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      taken += 1;
      [at, part] = [taken, star + 1];
    } else return false;
  }
  return parts.slice(part).every((asked) => asked === '%');
}
