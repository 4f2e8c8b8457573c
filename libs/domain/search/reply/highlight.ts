// Marks the words of a query in stored texts: the same analysis as the index, so that what was found is what is marked.
import { analyseRuns } from '../../text/analyse.ts';
import { withoutMarkup } from '../../text/mixed-content.ts';

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
  const until = from + fragmentLength >= plain.length ? plain.length : Math.max(from + fragmentLength, first.end);
  let fragment = '';
  let at = from;
  for (const hit of hits.filter((run) => run.start >= from && run.end <= until)) {
    fragment += `${escapeHtml(plain.slice(at, hit.start))}<span class="searchterm">${escapeHtml(plain.slice(hit.start, hit.end))}</span>`;
    at = hit.end;
  }
  return fragment + escapeHtml(plain.slice(at, until));
}

// A little before the first hit, at the beginning of a word.
function startOfFragment(text: string, hit: number): number {
  const blank = text.indexOf(' ', Math.max(0, hit - 40));
  return blank >= 0 && blank < hit ? blank + 1 : hit;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>]/g, (character) => (character === '&' ? '&amp;' : character === '<' ? '&lt;' : '&gt;'));
}
