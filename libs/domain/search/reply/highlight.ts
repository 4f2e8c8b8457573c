// Marks the words of a query in stored texts: the same analysis as the index, so that what was found is what is marked.
import type { Json, JsonObject } from '../../json.ts';
import { analyseRuns } from '../../text/analyse.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';
import { findField } from '../fields.ts';
import type { CompiledQuery } from '../query/compile.ts';
import type { ExpandedWords, LexemeQuery } from '../query/tsquery.ts';
import { wordsOf } from '../query/tsquery.ts';
import { textsIn } from '../documents/words.ts';
import { withCopies } from './page.ts';
import type { SearchResult } from './page.ts';

const fragmentLength = 100;

/** The words to mark: whole lexemes, and the beginnings that prefix patterns ask for. */
export type MarkedWords = { readonly words: ReadonlySet<string>; readonly beginnings: readonly string[] };

/** A fragment of about 100 characters with the words of a query marked, or undefined where the text has none. HTML in it is escaped. */
export function highlight(text: string, marked: MarkedWords): string | undefined {
  const plain = withoutMarkup(text);
  const isMarked = (word: string) =>
    marked.words.has(word) || marked.beginnings.some((beginning) => word.startsWith(beginning));
  const hits = analyseRuns(plain).filter((run) =>
    [...(run.joined === undefined ? [] : [run.joined]), ...run.parts.flat()].some(isMarked),
  );
  const [first] = hits;
  if (first === undefined) {
    return undefined;
  }
  const from = plain.length <= fragmentLength ? 0 : startOfFragment(plain, first.start);
  const until =
    from + fragmentLength >= plain.length
      ? plain.length
      : Math.max(wholeCharacters(plain, from + fragmentLength), first.end);
  let fragment = '';
  let at = from;
  for (const hit of hits.filter((run) => run.start >= from && run.end <= until)) {
    fragment += `${escapeHtml(plain.slice(at, hit.start))}<span class="searchterm">${escapeHtml(plain.slice(hit.start, hit.end))}</span>`;
    at = hit.end;
  }
  return fragment + escapeHtml(plain.slice(at, until));
}

// A little before the first hit, at the beginning of a word, or of the text where that is near.
function startOfFragment(text: string, hit: number): number {
  if (hit <= 40) return 0;
  const blank = text.indexOf(' ', hit - 40);
  return blank >= 0 && blank < hit ? blank + 1 : hit;
}

// Half of a surrogate pair is no text that programs elsewhere read.
const wholeCharacters = (text: string, end: number): number =>
  (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
}

/** Marked fragments of hits, of copied fields too. Bare words are marked; a field's words wherever they stand in the document. */
export function markHits(
  hits: SearchResult['hits'],
  compiled: CompiledQuery,
  expanded: ExpandedWords,
): NonNullable<SearchResult['highlighting']> {
  const bare = (lexeme: string) => lexeme.slice(lexeme.indexOf('=') + 1);
  const words = new Set(compiled.scores.flatMap((term) => wordsOf(term.query, expanded)).map(bare));
  const beginnings = compiled.scores.flatMap((term) => prefixesOf(term.query)).map(bare);
  return Object.fromEntries(
    hits.map(({ id, stored }) => {
      // The index stores what document.ts made: an object of fields.
      const document = withCopies(JSON.parse(stored) as JsonObject, 'R-B');
      // A copy is marked as what it copies: of notes, which are long, once.
      const fragments = new Map<Json | undefined, string | undefined>();
      const fragmentOf = (value: Json | undefined): string | undefined => {
        if (!fragments.has(value)) fragments.set(value, firstMarked(textsIn(value), { words, beginnings }));
        return fragments.get(value);
      };
      const marked = Object.entries(document).flatMap(([name, value]): (readonly [string, readonly string[]])[] => {
        const fragment = findField(name)?.type === 'text' ? fragmentOf(value) : undefined;
        return fragment === undefined ? [] : [[name, [fragment]]];
      });
      return [id, Object.fromEntries(marked)];
    }),
  );
}

/** The fragment of the first text that has one. */
function firstMarked(texts: readonly string[], marked: MarkedWords): string | undefined {
  for (const text of texts) {
    const fragment = highlight(text, marked);
    if (fragment !== undefined) return fragment;
  }
  return undefined;
}

function prefixesOf(query: LexemeQuery): readonly string[] {
  switch (query.kind) {
    case 'word':
      return query.isPrefix === true ? [query.word] : [];
    case 'every':
    case 'any':
    case 'sequence':
      return query.parts.flatMap(prefixesOf);
    default:
      return [];
  }
}
