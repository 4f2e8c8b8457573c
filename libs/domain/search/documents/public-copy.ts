// The public's copy of a published archival object, `<uri>#pui` (contract: behaviour-search.md section 9). Where nothing of the record
// is hidden, one document serves staff and the public: here it turns into the copy, in queries and in replies.
import type { JsonObject } from '../../json.ts';
import { textsOf } from '../../json.ts';
import { kindsWhere, searchOf } from '../declared.ts';
import type { Predicate } from '../query/predicate.ts';
import { lexemes, mapLeaves, matchAny, matchEvery } from '../query/predicate.ts';
import type { LexemeQuery } from '../query/tsquery.ts';
import { any, mapQuery, word } from '../query/tsquery.ts';

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

const copyLexemes: ReadonlySet<string> = new Set(copyTypes.map((type) => `x=types=${type}`));

/** A predicate as the public asks it: types and ids of copies also find the shared documents. */
export const forPublic = (predicate: Predicate): Predicate =>
  mapLeaves(predicate, (leaf) => {
    if (leaf.kind === 'lexemes') return lexemes(withShared(leaf.query));
    const uri = leaf.kind === 'equals' && leaf.column === 'id' ? copiedUri(leaf.value) : null;
    return uri === null
      ? leaf
      : matchAny([leaf, matchEvery([{ kind: 'equals', column: 'id', value: uri }, lexemes(word(sharedMark))])]);
  });

const withShared = (query: LexemeQuery): LexemeQuery =>
  mapQuery(query, (part) =>
    part.kind === 'word' && copyLexemes.has(part.word) ? any([part, word(sharedMark)]) : undefined,
  );
