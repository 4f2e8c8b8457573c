// Titles as somebody types: what was typed as words, which of them an index can look for cheaply, and which of the titles found are best.
// An addition of Muniment. All costs are bounded: an adapter reads so many words and so many titles, whatever was typed.
import type { JsonObject } from '../../json.ts';
import { textOf } from '../../json.ts';
import { analyseRuns } from '../../text/analyse.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';
import { toTitleSort } from '../../text/sort-key.ts';
import type { LexemeQuery } from '../query/tsquery.ts';
import { any, word } from '../query/tsquery.ts';

/** Suggestions of a reply at most, and where nobody says. */
export const mostTitles = { asked: 50, usual: 10 } as const;

/** What is looked at: characters and words that were typed, words of the list that begin alike, those of them that are taken, documents that all these may be in. */
export const mostLookedAt = { characters: 400, words: 8, alike: 4000, taken: 24, documents: 200_000 } as const;

/** A word as the index has it. `isWhole`: of a script without blanks, where no word begins with another. */
type TypedWord = { readonly word: string; readonly isWhole: boolean };

/** What was typed: its words, each once, and what the sort keys of titles begin with that begin so (empty: none). */
export type TypedText = { readonly words: readonly TypedWord[]; readonly start: string };

/** A request for titles. `types` empty: of records of all kinds. */
export type TitleRequest = { readonly typed: TypedText; readonly types: readonly string[]; readonly limit: number };

/** A title found: the document, the words of the title that begin as those typed, as they are written. */
export type SuggestedTitle = {
  readonly id: string;
  readonly uri: string;
  readonly title: string;
  readonly primary_type: string;
  readonly repository: string;
  readonly words: readonly string[];
};

/** What the word list has that begins as a word: how many words (at most `alike`), in how many documents these are together, and the most frequent. */
export type AlikeWords = {
  readonly count: number;
  readonly documents: number;
  readonly frequent: readonly { readonly word: string; readonly df: number }[];
};

/** A document whose title may be suggested: its number, sort key and the factor of its kind. */
export type TitleCandidate = { readonly no: number; readonly title: string; readonly factor: number };

/**
 * How titles are looked for. All parts of `query` must be there, of words too widespread one of the more frequent that begin so. `loose`: the other
 * words alone, where there are both sorts. `left`: the widespread words, which every title found is to have.
 */
export type TitleSearch = {
  readonly query: readonly LexemeQuery[];
  readonly loose: readonly LexemeQuery[] | null;
  readonly left: readonly string[];
};

/** Reads what was typed. Never throws. */
export function readTyped(text: string): TypedText {
  const typed = withoutMarkup([...text].slice(0, mostLookedAt.characters).join(''));
  const found = new Map<string, TypedWord>();
  for (const run of analyseRuns(typed)) {
    const parts =
      run.isPairs && run.parts.length > 1
        ? run.parts.slice(0, -1).map(([, pair]) => pair ?? '')
        : run.parts.map(([first]) => first ?? '');
    for (const part of parts) if (part !== '') found.set(part, { word: part, isWhole: run.isPairs });
  }
  return { words: [...found.values()].slice(0, mostLookedAt.words), start: toTitleSort(typed) };
}

/** Chooses what is looked for, from what the word list has of each word that is not whole. Null where nothing was typed that has words. */
export function toTitleSearch(typed: TypedText, alike: ReadonlyMap<string, AlikeWords>): TitleSearch | null {
  if (typed.words.length === 0) return null;
  const narrow: LexemeQuery[] = [];
  const wide: { readonly word: string; readonly alike: AlikeWords }[] = [];
  for (const { word: one, isWhole } of typed.words) {
    const known = alike.get(one);
    if (isWhole) narrow.push(word(inTitle(one)));
    else if (known === undefined || (known.count < mostLookedAt.alike && known.documents <= mostLookedAt.documents))
      narrow.push({ kind: 'word', word: inTitle(one), isPrefix: true });
    else wide.push({ word: one, alike: known });
  }
  // The more there are, the more has to be compared for each document.
  const documents = mostLookedAt.documents / Math.max(wide.length, 1);
  const query = [
    ...narrow,
    ...wide.map((one) => any(takenOf(one.word, one.alike, documents).map((other) => word(inTitle(other))))),
  ];
  return { query, loose: narrow.length > 0 && wide.length > 0 ? narrow : null, left: wide.map((one) => one.word) };
}

const inTitle = (one: string): string => `t=${one}`;

// The word itself, and the more frequent ones that begin so, as long as they are together in few enough documents.
function takenOf(one: string, { frequent }: AlikeWords, most: number): readonly string[] {
  const taken = [one];
  let documents = 0;
  for (const { word: other, df } of frequent) {
    if (other === one || documents + df > most) continue;
    documents += df;
    taken.push(other);
  }
  return taken;
}

/**
 * The numbers of the best candidates, each once: titles that are or begin as what was typed, then those that have its words whole; collections
 * and names before components; short before long. A title without one of the `left` words is none.
 */
export function rankTitles(
  typed: TypedText,
  candidates: readonly TitleCandidate[],
  left: readonly string[],
  limit: number,
): readonly number[] {
  const words = typed.words.map((one) => ({ ...one, word: unpadded(one.word) }));
  const required = new Set(left.map(unpadded));
  const scored = new Map<number, TitleCandidate & { readonly score: number }>();
  for (const candidate of candidates) {
    if (scored.has(candidate.no)) continue;
    const own = unpadded(candidate.title).split(' ');
    const begins = typed.start !== '' && candidate.title.startsWith(typed.start);
    const lacks =
      !begins && words.some(({ word: one }) => required.has(one) && !own.some((other) => other.startsWith(one)));
    if (lacks) continue;
    const whole = words.filter(({ word: one }) => own.includes(one)).length / Math.max(words.length, 1);
    const score =
      (candidate.title === typed.start ? 1 : 0) +
      (begins ? 2 : 0) +
      whole +
      candidate.factor / 2 -
      Math.min(own.length, 20) / 20;
    scored.set(candidate.no, { ...candidate, score });
  }
  return [...scored.values()]
    .sort((a, b) => b.score - a.score || (a.title < b.title ? -1 : a.title > b.title ? 1 : a.no - b.no))
    .slice(0, limit)
    .map(({ no }) => no);
}

// Sort keys have digits padded to ten.
const unpadded = (text: string): string => text.replace(/(?<![0-9])0+(?=[0-9])/g, '');

/** A document as a suggestion, from its stored JSON text. */
export function toSuggestedTitle(typed: TypedText, stored: string): SuggestedTitle {
  // The index stores what document.ts made: an object.
  const document = JSON.parse(stored) as JsonObject;
  const title = textOf(document, 'title') ?? '';
  const text = (name: string): string => textOf(document, name) ?? '';
  return {
    id: text('id'),
    uri: text('uri'),
    title,
    primary_type: text('primary_type'),
    repository: text('repository'),
    words: completedWords(typed, title),
  };
}

/** The words of a title that begin as those typed, as they are written, each once. */
function completedWords(typed: TypedText, title: string): readonly string[] {
  const text = withoutMarkup(title);
  const fits = (variant: string): boolean => typed.words.some(({ word: one }) => variant.startsWith(one));
  const found = analyseRuns(text).flatMap((run) =>
    [...run.parts.flat(), ...(run.joined === undefined ? [] : [run.joined])].some(fits)
      ? [text.slice(run.start, run.end)]
      : [],
  );
  return [...new Set(found)];
}
