// The limit of a search's own on the time it takes of the database (docs/decisions/0032). A search goes in stages; one that is stopped because it takes too
// long is done again by a bounded number of documents, and where that is too slow as well it is left out, or the search fails.
import { fail } from '#domain/errors.ts';
import type { SearchWarning } from '#domain/search/reply/page.ts';
import type { Transaction } from '../../connection/database.ts';
import { isStopped } from '../../connection/pg-errors.ts';
import { sql } from '../../connection/sql.ts';

/** What a search gives, one after the other: the page with its total, counts of facets, other spellings, reasons. */
type Stage = 'page' | 'facets' | 'suggestions' | 'explanations';

/** How a stage is done: as asked, by a bounded number of documents, by those of a sample alone, or not at all. */
export type Way = 'whole' | 'bounded' | 'sampled' | 'left out';

/** How a stage is done where its documents are not all looked at. */
export type PartWay = 'bounded' | 'sampled';

/** Whether a stage that is done so looks at some of its documents alone. */
export const isPartWay = (way: Way): way is PartWay => way === 'bounded' || way === 'sampled';

/** Documents that are looked at of those found, where looking at all takes too long. */
export const mostBounded = 5000;

/** Documents of these whose values are counted, a hundred of each. */
export const mostFaceted = 2000;

// Shares of the whole time, by how the stage is done. Added up they are more than one: what is left of the whole counts too. A way without a share is none.
const shares: { readonly [stage in Stage]: { readonly [way in Exclude<Way, 'left out'>]: number } } = {
  page: { whole: 0.45, bounded: 0.35, sampled: 0.35 },
  facets: { whole: 0.3, bounded: 0.2, sampled: 0.1 },
  suggestions: { whole: 0.2, bounded: 0, sampled: 0 },
  explanations: { whole: 0.2, bounded: 0, sampled: 0 },
};
const narrower: { readonly [way in Way]: Way } = {
  whole: 'bounded',
  bounded: 'sampled',
  sampled: 'left out',
  'left out': 'left out',
};
const leastMs = 25;
// A search that is quick saves itself the round trips that say how long its later stages may take.
const quickMs = 30;

const leftOut: { readonly [stage in Stage]: SearchWarning } = {
  page: { code: 'page_left_out', message: 'The page was left out: it took too long.' },
  facets: {
    code: 'facets_left_out',
    message: 'Facets were left out: counting took too long. Add a rarer word or a filter.',
  },
  suggestions: {
    code: 'suggestions_left_out',
    message: 'Other spellings were left out: looking for them took too long.',
  },
  explanations: { code: 'explain_left_out', message: '`explain` was left out: it took too long.' },
};

/** The time of one search, through all attempts at it. */
export type TimeLimit = {
  /** The setting of statement_timeout for the stage that begins now, which the next statements belong to. */
  begin(stage: Stage): string;
  /** Begins a later stage of a transaction that is open. */
  enter(tx: Transaction, stage: Stage): Promise<void>;
  /** Has the page, and with it the facets, done by part from the first, where there is a limit. */
  boundPage(way: PartWay): void;
  /** How a stage is to be done. */
  way(stage: Stage): Way;
  /** Takes note that a stage was stopped, so that it is done another way; throws everything else, and `search_stopped` where there is none. */
  stopped(error: unknown): void;
  /** What of the reply is not as asked, for what was left out. */
  warnings(): readonly SearchWarning[];
};

/** Starts the clock. `wholeMs`: what the search may take; null: as long as any statement may. */
export function startTimeLimit(
  wholeMs: number | null,
  now: () => number = performance.now.bind(performance),
): TimeLimit {
  const started = now();
  const ways = new Map<Stage, Way>();
  let current: Stage = 'page';
  const way = (stage: Stage): Way => ways.get(stage) ?? 'whole';
  const begin = (stage: Stage): string => {
    current = stage;
    if (wholeMs === null) return '';
    const how = way(stage);
    const share = how === 'left out' ? 0 : shares[stage][how];
    return String(Math.ceil(Math.max(leastMs, Math.min(share * wholeMs, wholeMs - (now() - started)))));
  };
  const boundPage = (how: PartWay): void => {
    if (wholeMs === null) return;
    ways.set('page', how);
    // What is too much for the page is too much for counting.
    ways.set('facets', how);
  };
  return {
    begin,
    way,
    boundPage,
    enter: async (tx, stage) => {
      const isQuick = now() - started < quickMs && way(stage) === 'whole';
      const setting = begin(stage);
      if (setting !== '' && !isQuick) await tx.run(sql`SELECT set_config('statement_timeout', ${setting}, true)`);
    },
    stopped: (error) => {
      if (wholeMs === null || !isStopped(error)) throw error;
      const next = narrower[way(current)];
      if (current === 'page') {
        if (isPartWay(next)) boundPage(next);
        else throw toStopped(error);
      } else ways.set(current, next === 'left out' || shares[current][next] === 0 ? 'left out' : next);
    },
    warnings: () => [...ways].flatMap(([stage, how]) => (how === 'left out' ? [leftOut[stage]] : [])),
  };
}

/** The failure of a search that took too long, whichever way; other errors as they are. */
export const toStopped = (error: unknown): unknown => (isStopped(error) ? searchStopped(error) : error);

/** The failure of a search that cannot be answered in its time. */
export const searchStopped = (cause?: unknown): Error =>
  fail(
    'search_stopped',
    'The search took longer than a search may. Add a rarer word or a filter, or order it by relevance, title_sort or user_mtime',
    {},
    cause,
  );
