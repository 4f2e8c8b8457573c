// Searches that go on with most of their words (`relax`), an addition of Muniment: pasted citations, one word too many, the other number of a word, a letter
// that is wrong. What plain words a query has, and the query for most of them.
import { toTitleSort } from '../../text/sort-key.ts';
import type { Clause, QueryNode } from './ast.ts';
import type { StemLanguage } from './stemming.ts';
import type { LexemeQuery } from './tsquery.ts';
import { any, every } from './tsquery.ts';
import { findWords, toWordScope } from './words.ts';

/** A word of a query, or what stands without blanks: its text, and the queries for it as it was typed, as it is asked for, and for all its forms. */
export type RelaxedWord = {
  readonly text: string;
  readonly typed: LexemeQuery;
  readonly asked: LexemeQuery;
  readonly inForms: LexemeQuery;
};

/** A query taken apart: its plain words, and what else it asks for, which stays required. */
export type Relaxable = { readonly words: readonly RelaxedWord[]; readonly rest?: QueryNode };

// Beyond so many of the rarest words the others only count for the order: combinations of half of eight are seventy.
const mostCombined = 8;
const mostWords = 32;
const mostWordsCited = 12;
const mostCited = 24;

/** The plain words of a query, those of required groups among them; undefined where it has none. Without `stem`, forms are those of English. */
export function toRelaxable(node: QueryNode, stem?: StemLanguage): Relaxable | undefined {
  const clauses = requiredOf(node);
  const scope = toWordScope(undefined);
  const words = clauses.flatMap(({ occur, node: one }): RelaxedWord[] => {
    if (!isPlain(occur, one)) return [];
    const [typed, asked, inForms] = [undefined, stem, stem ?? ('en' as const)].map((language) =>
      findWords(one.text, scope, language),
    );
    return typed === undefined || asked === undefined || inForms === undefined
      ? []
      : [{ text: one.text, typed, asked, inForms }];
  });
  if (words.length === 0) return undefined;
  const rest = clauses.filter(({ occur, node: one }) => !isPlain(occur, one));
  return {
    words: words.slice(0, mostWords),
    ...(rest.length === 0 ? {} : { rest: { kind: 'group', clauses: rest } }),
  };
}

function isPlain(occur: Clause['occur'], node: QueryNode): node is Extract<QueryNode, { kind: 'term' }> {
  return occur === 'must' && node.kind === 'term' && node.field === undefined;
}

function requiredOf(node: QueryNode): readonly Clause[] {
  const isPlainGroup = (one: QueryNode): one is Extract<QueryNode, { kind: 'group' }> =>
    one.kind === 'group' && one.clauses.every(({ occur }) => occur === 'must');
  if (node.kind !== 'group') return [{ occur: 'must', node }];
  return node.clauses.flatMap((clause) =>
    clause.occur === 'must' && isPlainGroup(clause.node) ? requiredOf(clause.node) : [clause],
  );
}

/**
 * The titles that a citation may quote, as titles are compared (title_sort): what stands between its commas and other marks, or several such parts together, of two
 * words at least, in the order in which they begin. None where there are no marks.
 */
export function citedTitles(words: readonly RelaxedWord[]): readonly string[] {
  const texts = words.map(({ text }) => text);
  const starts = [0, ...texts.flatMap((text, place) => (/[,;:.)\]]$/u.test(text) ? [place + 1] : []))];
  const ends = [...new Set([...starts.slice(1), texts.length])];
  if (ends.length < 2) return [];
  const spans = starts.flatMap((start) =>
    ends
      .filter((end) => end >= start + 2 && end <= start + mostWordsCited)
      .map((end) => toTitleSort(texts.slice(start, end).join(' '))),
  );
  return [...new Set(spans)].filter((title) => title.includes(' ')).slice(0, mostCited);
}

/** How many of so many words a document must have: half of them, and two of three. */
export const leastOf = (words: number): number => Math.ceil(Math.min(words, mostCombined) / 2);

/** The query for documents with most of some words; these come the rarest first. */
export function mostOf(words: readonly LexemeQuery[]): LexemeQuery {
  return atLeast(leastOf(words.length), words.slice(0, mostCombined));
}

function atLeast(least: number, words: readonly LexemeQuery[]): LexemeQuery {
  if (least >= words.length) return every(words);
  if (least <= 1) return any(words);
  const [first, ...others] = words;
  return first === undefined ? every([]) : any([every([first, atLeast(least - 1, others)]), atLeast(least, others)]);
}
