// Which of its ways a search takes to its page: by relevance or by fields, whole or by part, with page numbers or as a walk.
import type { Position, SearchRequest, SortKey } from '#domain/search/query/request.ts';
import type { Transaction } from '../../connection/database.ts';
import { sql } from '../../connection/sql.ts';
import type { Fragment } from '../../connection/sql.ts';
import { readCursorPage } from './cursor-pages.ts';
import { countDocuments } from './expand.ts';
import type { Match } from './match.ts';
import { readBoundedPage, readRankedPage } from './query.ts';
import type { FoundPage, Slice } from './query.ts';
import { countedWords, toScore, toTitleWords } from './ranking.ts';
import { toSecondRound } from './second-round.ts';
import { readSortedPage, readWalkedPage } from './sorted-page.ts';
import type { Matching } from './sorted-page.ts';
import { mostBounded, searchStopped } from './time-limit.ts';
import type { Way } from './time-limit.ts';

/** A page that was found. `last`: of a walk, the position of its last document; `isPart`: that not all that is found was looked at. */
export type Found = FoundPage & { readonly last?: Position; readonly isPart?: boolean };

/** The page in the way of the search. `isPart`: that not all that is found was looked at. */
export async function readFound(tx: Transaction, request: SearchRequest, match: Match, way: Way): Promise<Found> {
  const isBounded = way !== 'whole' && match.scopes === null;
  const wanted = request.cursor === undefined ? request.page * request.pageSize : request.pageSize;
  // Very many words are looked up once, and not for each document of an order.
  const most = match.narrow === match.condition ? (isBounded ? Math.max(leastWalked, 4 * wanted) : undefined) : 0;
  const bounded: Bounded = {
    ...match,
    ...(isBounded ? { size: null, sampleAlone: way === 'sampled' } : {}),
    ...(most === undefined ? {} : { most }),
  };
  const { isPart = false, ...found } =
    request.cursor === undefined
      ? await readPage(tx, request, bounded, isBounded)
      : await readCursorPage(tx, request, bounded);
  // That a sample has none of what is asked for does not say that there is none; and a walk by it would leave out the rest.
  if (way === 'sampled' && (found.total === 0 || request.cursor !== undefined)) throw searchStopped();
  const isNarrow =
    isBounded && request.cursor === undefined && isRankedFirst(request) && match.narrow !== match.condition;
  return isPart || isNarrow ? { ...found, isPart: true } : found;
}

/** What is matched, and how far it is looked at. */
type Bounded = Omit<Match, 'size'> & Matching;

// Documents of an order that are looked at where looking at all that is found takes too long; or four for each that is wanted.
const leastWalked = 2000;

function isRankedFirst({ sort: [first] }: SearchRequest): boolean {
  return first === undefined || (first.field === 'score' && first.isDescending);
}

async function readPage(tx: Transaction, request: SearchRequest, match: Bounded, isBounded: boolean): Promise<Found> {
  const { compiled, condition, narrow, expanded } = match;
  const slice = { offset: (request.page - 1) * request.pageSize, size: request.pageSize };
  const isRanked = isRankedFirst(request);
  const needsScore = request.sort.some((key) => key.field === 'score');
  if (compiled.scores.length === 0 || !(isRanked || needsScore)) {
    const keys = request.sort.filter((key) => key.field !== 'score');
    return readPageByFields(tx, match, { keys, score: sql.fragment`0`, slice }, isBounded);
  }
  const counted = await countDocuments(tx, countedWords(compiled.scores, expanded));
  const head = toScore(compiled.scores, 'head', counted, expanded);
  if (isBounded && isRanked)
    return readBoundedPage(
      tx,
      { ...match, condition: narrow },
      {
        head: toScore(compiled.scores, 'head', counted, expanded, 'bounded'),
        inTitle: toTitleWords(compiled.scores, expanded),
        key: compiled.key,
      },
      slice,
      request.sort.slice(1),
    );
  return isRanked
    ? readRankedPage(
        tx,
        condition,
        {
          head,
          second: toSecondRound(compiled, counted, expanded),
          key: compiled.key,
          tier: compiled.tier,
        },
        slice,
        request.sort.slice(1),
      )
    : readPageByFields(tx, match, { keys: request.sort, score: head, slice }, isBounded);
}

type Ordering = { readonly keys: readonly SortKey[]; readonly score: Fragment; readonly slice: Slice };

/** The page by fields, or in the order of entry; the latter, which says nothing, is that of some documents where gathering all takes too long. */
async function readPageByFields(
  tx: Transaction,
  match: Bounded,
  { keys, score, slice }: Ordering,
  isBounded: boolean,
): Promise<Found> {
  const { condition, narrow, visibleWords, scopes } = match;
  if (isBounded && keys.length === 0)
    return readBoundedPage(tx, { ...match, condition: narrow }, { head: score, inTitle: null, key: undefined }, slice);
  const isCounted = isBounded || scopes !== null;
  const walked = isCounted ? await readWalkedPage(tx, match, keys, score, slice) : null;
  if (walked !== null) return walked;
  // What asks for scopes alone may have no word by which the index finds anything: then who asks has some.
  const gathered = scopes === null ? condition : sql.fragment`${condition} AND ${visibleWords}`;
  if (!isBounded) return readSortedPage(tx, gathered, keys, score, slice);
  const { total, page } = await readSortedPage(tx, condition, keys, score, slice);
  return { total: Math.min(total, mostBounded), page, isPart: total >= mostBounded };
}
