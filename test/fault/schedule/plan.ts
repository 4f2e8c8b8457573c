// What is done to a service, in which order and after which pauses: all of it follows from a seed. When exactly a blow falls within a request
// does not: processes are not stopped for it.
import { seededRandom } from '#test/support/random.ts';

/** What is killed with SIGKILL. The first API, its worker and PostgreSQL are those of `npm start`; the other two reach PostgreSQL through the network. */
export const victims = [
  'worker',
  'other worker',
  'API',
  'other API',
  'database',
  'database process',
  'everything',
] as const;
export type Victim = (typeof victims)[number];

/** What is wrong while a process is killed, or where nothing is. */
export const disturbances = [
  'connections dropped',
  'network cut',
  'network slow',
  'network silent',
  'worker stopped',
  'worker overtaken',
  'disk full',
] as const;
export type Disturbance = (typeof disturbances)[number];

/** One step. `again` is killed `againMs` after the first, while others still recover. `choice`, from 0 to 1, picks one of several processes. */
export type Step = {
  readonly n: number;
  readonly pauseMs: number;
  readonly disturbance: Disturbance | null;
  readonly disturbedMs: number;
  readonly victim: Victim;
  readonly again: Victim | null;
  readonly againMs: number;
  readonly choice: number;
};

/** The steps of a seed, with so many kills together. Everything comes up about equally often: each is drawn from a deck that is shuffled anew when it is empty. */
export function planOf(seed: number, kills: number): readonly Step[] {
  const random = seededRandom(seed);
  const draw = deck(victims, random);
  const disturb = deck(disturbances, random);
  const steps: Step[] = [];
  for (let left = kills; left > 0;) {
    const isDisturbed = random() < 0.5;
    const isTwice = left > 1 && random() < 0.2;
    steps.push({
      n: steps.length + 1,
      pauseMs: Math.round(300 + random() * 1700),
      disturbance: isDisturbed ? disturb() : null,
      disturbedMs: Math.round(500 + random() * 2500),
      victim: draw(),
      again: isTwice ? draw() : null,
      againMs: Math.round(random() * 1500),
      choice: random(),
    });
    left -= isTwice ? 2 : 1;
  }
  return steps;
}

function deck<T>(cards: readonly T[], random: () => number): () => T {
  let left: T[] = [];
  return () => {
    if (left.length === 0) left = [...cards];
    const [card] = left.splice(Math.floor(random() * left.length), 1);
    if (card === undefined) throw new Error('an empty deck');
    return card;
  };
}

/** A step in words, as it stands in the schedule. */
export const wordsOf = ({ n, disturbance, victim, again }: Step): string =>
  `step ${n}: ${disturbance === null ? '' : `${disturbance}, then `}${victim} killed${again === null ? '' : `, then ${again} while it recovers`}`;
