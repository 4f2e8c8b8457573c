// "Did you mean": which words of a query may be misspelt, which words of the index they may stand for, and the query with these.
// An addition of Muniment. Which words the caller may know of is for the adapter to look up.
import type { Clause, PhraseNode, QueryNode, TermNode } from '../query/ast.ts';
import { analyseRuns } from '../../text/analyse.ts';
import { findField } from '../fields.ts';

/** A search with fewer hits is worth a suggestion, if one was asked for. */
export const fewHits = 5;

/** Words of a query that are looked at, the first ones; words that may stand for one, and suggestions of a reply, at most. */
export const mostSuggested = { words: 4, candidates: 6, suggestions: 3 } as const;

/** Words to put in the place of others. */
export type Corrections = ReadonlyMap<string, string>;

/** A query that finds more: the words put in the place of others, and how many documents it finds, counted up to a thousand. */
export type Suggestion = { readonly corrections: Corrections; readonly query: QueryNode; readonly hits: number };

/** A word of the index and in about how many documents it is. */
export type CountedWord = { readonly word: string; readonly df: number };

const shortest = 3;
const longest = 40;

/** The plain words that a query asks for, each once, in order: not those it refuses, nor identifiers, numbers and patterns. */
export function wordsToCheck(node: QueryNode): readonly string[] {
  return [...new Set(wordsOf(node))].slice(0, mostSuggested.words);
}

function wordsOf(node: QueryNode): readonly string[] {
  switch (node.kind) {
    case 'term':
    case 'phrase':
      return isCorrected(node)
        ? analyseRuns(node.text).flatMap((run) => (isCheckable(run) ? (run.parts[0] ?? []) : []))
        : [];
    case 'boost':
      return wordsOf(node.node);
    case 'group':
      return node.clauses.flatMap(({ occur, node: part }) => (occur === 'not' ? [] : wordsOf(part)));
    default:
      return [];
  }
}

/** The query with other words in the places of some; the same words within negations stay. */
export function correct(node: QueryNode, corrections: Corrections): QueryNode {
  switch (node.kind) {
    case 'term':
    case 'phrase':
      return isCorrected(node) ? { ...node, text: correctText(node.text, corrections) } : node;
    case 'boost':
      return { ...node, node: correct(node.node, corrections) };
    case 'group':
      return {
        ...node,
        clauses: node.clauses.map((clause): Clause =>
          clause.occur === 'not' ? clause : { ...clause, node: correct(clause.node, corrections) },
        ),
      };
    default:
      return node;
  }
}

function correctText(text: string, corrections: Corrections): string {
  let done = '';
  let at = 0;
  for (const run of analyseRuns(text)) {
    const better = isCheckable(run) ? corrections.get(run.parts[0]?.[0] ?? '') : undefined;
    if (better === undefined) continue;
    done += text.slice(at, run.start) + better;
    at = run.end;
  }
  return done + text.slice(at);
}

// Words with room between them are looked for in every document that has them all, which a correction could make very many.
const isCorrected = (node: TermNode | PhraseNode): boolean =>
  (node.field === undefined || findField(node.field)?.type === 'text') && (node.kind === 'term' || node.slop === 0);

type Run = ReturnType<typeof analyseRuns>[number];

// One written word of letters.
function isCheckable(run: Run): boolean {
  const [variants, ...others] = run.parts;
  const word = variants?.[0] ?? '';
  return (
    !run.isPairs &&
    others.length === 0 &&
    variants?.length === 1 &&
    /^[\p{L}\p{M}]+$/u.test(word) &&
    [...word].length >= shortest &&
    word.length <= longest
  );
}

/** The words one mistake away: a letter too many, too few, wrong, or two changed about. Other letters than a to z are not guessed. */
export function toNearSpellings(word: string): readonly string[] {
  const letters = [...word];
  const guessed = /^[a-z]+$/.test(word) ? [...'abcdefghijklmnopqrstuvwxyz'] : [];
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('');
    const [here, next] = [letters[at] ?? '', letters[at + 1] ?? ''];
    const after = letters.slice(at + 1).join('');
    if (at < letters.length) found.add(before + after);
    if (next !== '') found.add(before + next + here + letters.slice(at + 2).join(''));
    for (const letter of guessed) {
      found.add(before + letter + here + after);
      if (at < letters.length) found.add(before + letter + after);
    }
  }
  found.delete(word);
  found.delete('');
  return [...found];
}

/** The beginning that words two mistakes away are looked for under: longer for longer words, so that there are few. */
export function toCommonStart(word: string): string {
  const letters = [...word];
  return letters.slice(0, letters.length >= 6 ? 3 : 2).join('');
}

/** Those words of the index that one of a query may stand for, the most likely first: fewest mistakes, then most documents. */
export function rankCandidates(word: string, known: readonly CountedWord[]): readonly string[] {
  const most = [...word].length <= 4 ? 1 : 2;
  return known
    .map((candidate) => ({ ...candidate, distance: toDistance(word, candidate.word, most) }))
    .filter(({ distance }) => distance > 0 && distance <= most)
    .sort((a, b) => a.distance - b.distance || b.df - a.df || (a.word < b.word ? -1 : 1))
    .map(({ word: found }) => found);
}

/** Mistakes between two words: letters too many, too few or wrong, neighbours changed about. Counts no further than `most` + 1. */
export function toDistance(a: string, b: string, most: number): number {
  const [left, right] = [[...a], [...b]];
  if (Math.abs(left.length - right.length) > most) return most + 1;
  let earlier: readonly number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isEqual = left[row - 1] === right[column - 1];
      const isTurned =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isEqual ? 0 : 1),
          ...(isTurned ? [(earlier[column - 2] ?? 0) + 1] : []),
        ),
      );
    }
    if (Math.min(...current) > most) return most + 1;
    earlier = above;
    above = current;
  }
  return above[right.length] ?? most + 1;
}

/**
 * Corrections to try, the likeliest first: the best candidate for every doubtful word at once, then each other candidate in the place of
 * that word's best.
 */
export function toAttempts(candidates: ReadonlyMap<string, readonly string[]>): readonly Corrections[] {
  const best = new Map(
    [...candidates].flatMap(([word, [first]]) => (first === undefined ? [] : [[word, first] as const])),
  );
  if (best.size === 0) return [];
  const others = [...candidates].flatMap(([word, found]) =>
    found.slice(1).map((other): Corrections => new Map([...best, [word, other]])),
  );
  return [best, ...others].slice(0, 2 * mostSuggested.suggestions);
}
