// Neighbours: two very common words that stand beside each other are a lexeme of their own (`n=of the`), so that a phrase of such words is
// one look into the index and not a look into the vector of every document that has both (docs/decisions/0015). As Lucene's common grams.
import { lexemes, mapLeaves } from '../query/predicate.ts';
import type { Predicate } from '../query/predicate.ts';
import type { LexemeQuery } from '../query/tsquery.ts';
import { every, mapQuery, word } from '../query/tsquery.ts';

const prefix = 'n=';

/**
 * Words that much of an archive has, in any of the languages that finding aids are mostly written in, as they are folded. What is listed is part
 * of what is stored: another list means another version (version.ts).
 */
const common: ReadonlySet<string> = new Set(
  // Function words: English; French; German; Spanish, Portuguese and Italian; Dutch; the languages of Scandinavia; Polish.
  (
    `a an and are as at be been but by did do for from had has have he her him his i if in into is it its me more my no not of off on one or other our out over per she so some such than that
    the their them there these they this those to under until up was we were what when which who will with within without you your
    au aux avec ce cette ces comme dans de des du elle en est et il ils la le les leur ne nous on ou par pas plus pour qu que qui sa se ses son sont sous sur un une
    am an auf aus bei bis das dem den der des die durch ein eine einem einer eines er fur ist im ihr mit nach nicht oder sich sie sind uber um und unter vom von vor war wie wird zu zum zur
    al com como con da dal dei del della delle di do dos e ed el es gli il las lo los na nel nella no non nos o os para per por si su sua suo sus tra um uma un una uno y
    aan bij door een en het hij in is met naar niet of om op te tot uit van voor zijn
    av den det ett fra i inte med och og om pa som til till ved
    na nie o od oraz po przez sie w we z za ze ` +
    // What descriptions are made of.
    `album albums archival archive archives arts audio barcode box boxes business carton cassette clippings collection collections committee component container copies copy correspondence
    county date dates department diaries diary digital document documents drawings education family file files film finding folder folders general guide history image images index
    inc item items journal journals legal letter letters level linear feet literature manuscript manuscripts map maps material materials media meeting meetings microfilm minutes miscellaneous
    mixed mixedmaterials national negatives new newspaper notes number object objects office official oral oversize paper papers part personal photo photograph photographs photos
    portrait print printed prints program programs project projects publication publications published radio record recording recordings records reel related report reports repositories
    research restricted school science scrapbook scrapbooks series society sound speech speeches state states student subject subjects subseries tape television text title topical tube undated
    unidentified united university video volume volumes whole work works writings year years york ` +
    // Parts of containers and series are mostly numbered.
    '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 b c d ii iii iv v vi'
  ).split(/\s+/),
);

/** Whether a word is common, so that it makes neighbours with others that are. */
export const isCommon = (text: string): boolean => common.has(text);

/** Whether a lexeme stands for two neighbours. */
export const isNeighbours = (lexeme: string): boolean => lexeme.startsWith(prefix);

/** Finds neighbours in the words of one text: to be asked for each common word in the order of positions. */
export class NeighbourFinder {
  #here: { position: number; words: string[] } = { position: -2, words: [] };
  #before: { position: number; words: string[] } = this.#here;

  /** The lexemes that a common word at a position makes with those directly before it. */
  find(lexeme: string, position: number): readonly string[] {
    if (position !== this.#here.position) {
      this.#before = this.#here;
      this.#here = { position, words: [] };
    }
    this.#here.words.push(lexeme);
    return this.#before.position === position - 1 ? this.#before.words.map((left) => join(left, lexeme)) : [];
  }
}

/** A predicate that finds the same with less to look at, where all documents have their neighbours (withNeighbours of its lexeme queries). */
export const findByNeighbours = (predicate: Predicate): Predicate =>
  mapLeaves(predicate, (leaf) => (leaf.kind === 'lexemes' ? lexemes(withNeighbours(leaf.query)) : leaf));

/**
 * A query that finds the same with less to look at: a phrase of two common words is their neighbours, a longer one or one in a field must have
 * those of its neighbours that are common. For finding alone: neighbours have no place, and do not rank.
 */
export const withNeighbours = (query: LexemeQuery): LexemeQuery =>
  mapQuery(query, (part) => (part.kind === 'sequence' ? ofSequence(part) : undefined));

function ofSequence(query: Extract<LexemeQuery, { kind: 'sequence' | 'every' | 'any' }>): LexemeQuery {
  const words = query.parts.map((part) => (part.kind === 'word' && part.isPrefix !== true ? part : undefined));
  const pairs = words.flatMap((left, at) => {
    const right = words[at + 1];
    if (left === undefined || right === undefined) return [];
    const [first, second] = [bareWord(left.word), bareWord(right.word)];
    return isCommon(first) && isCommon(second) ? [word(join(first, second))] : [];
  });
  const isWhole =
    query.parts.length === 2 &&
    words.every((one) => one !== undefined && one.inNotes !== true && !one.word.includes('='));
  return pairs.length === 0 ? query : isWhole ? every(pairs) : every([...pairs, query]);
}

const bareWord = (lexeme: string): string => lexeme.slice(lexeme.indexOf('=') + 1);

const join = (left: string, right: string): string => `${prefix}${left} ${right}`;
