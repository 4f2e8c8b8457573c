// Queries that ask only what many documents have in common, their type and repository: these are answered from counts that the index
// keeps by scope (docs/decisions/0015), without looking at documents.
import { everyDocument, noDocument } from '../lexeme.ts';
import { leavesOf } from './predicate.ts';
import type { Predicate } from './predicate.ts';
import { sharedMark } from '../documents/public-copy.ts';
import type { LexemeQuery } from './tsquery.ts';

/** The fields whose exact lexemes the vector of a scope has; the trigger of migration 0019 names the same. */
const scopeFields = ['types', 'primary_type', 'repository', 'publish', 'suppressed'] as const;

const others: ReadonlySet<string> = new Set([everyDocument, noDocument, sharedMark]);
const prefixes = scopeFields.map((name) => `x=${name}=`);

/** Whether all documents of a scope match a predicate, or none: it speaks of lexemes of scopes alone. True of match-all. */
export const asksScopesOnly = (predicate: Predicate): boolean =>
  leavesOf(predicate).every((leaf) => leaf.kind === 'lexemes' && isOfScopes(leaf.query));

function isOfScopes(query: LexemeQuery): boolean {
  switch (query.kind) {
    case 'word':
      return (
        query.isPrefix !== true &&
        query.inNotes !== true &&
        (others.has(query.word) || prefixes.some((prefix) => query.word.startsWith(prefix)))
      );
    case 'every':
    case 'any':
      return query.parts.every(isOfScopes);
    case 'not':
      return isOfScopes(query.part);
    default:
      return false;
  }
}
