// Runs a schedule of faults against a loaded service and checks, every so many kills and at the end, that nothing acknowledged is lost and nothing
// is half done.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#test/support/random.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { Actor } from './actor.ts';
import { castOf, Crew } from './cast.ts';
import { Client } from './client.ts';
import { Deployment } from './deployment.ts';
import type { Step } from './plan.ts';
import { planOf, wordsOf } from './plan.ts';
import { Stored } from './stored.ts';

/** What is asked of a run. `minutes`: after which no further step begins; `restMs`: how long actors rest between two goes, where it is not the usual time; `fill` puts a database that there was before into the data folder. */
export type RunOptions = {
  readonly seed: number;
  readonly kills: number;
  readonly checkEvery: number;
  readonly minutes: number;
  readonly restMs?: number;
  readonly fill?: (folder: string) => Promise<void>;
  readonly tell: (line: string) => void;
};

/** What came of it. `faults` is empty where all held. */
export type Outcome = {
  readonly faults: readonly string[];
  /** The step after which a check found the first of them. */
  readonly brokenAt: string | null;
  readonly steps: number;
  /** Kills by whom they hit; those that found nobody there, who was starting again, under `nobody`. */
  readonly kills: ReadonlyMap<string, number>;
  readonly disturbances: ReadonlyMap<string, number>;
  readonly skipped: readonly string[];
  readonly checks: number;
  readonly acknowledged: ReadonlyMap<string, number>;
  readonly replies: ReadonlyMap<string, number>;
  readonly deliveries: number;
  readonly deliveriesTwice: number;
  readonly longestRecoveryMs: number;
  readonly seconds: number;
  readonly log: string;
};

const told = ['accession', 'archival_object', 'resource'];
const count = (tally: Map<string, number>, what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1);

/** Runs it. */
export async function runSchedule({
  seed,
  kills,
  checkEvery,
  minutes,
  restMs,
  fill,
  tell,
}: RunOptions): Promise<Outcome> {
  const begun = performance.now();
  const plan = planOf(seed, kills);
  await using deployment = await Deployment.open(seededRandom(seed + 1), fill);
  await using receiver = await startReceiver();
  const client = new Client(() => deployment.urls(), seededRandom(seed + 2));
  await client.login();
  await client.certain('/webhooks', { json: { url: receiver.url, kinds: told, repositories: [], operations: [] } });
  const since = await withStored(deployment, client, async (stored) => (await stored.feedNumbers(told, 0)).at(-1) ?? 0);
  const cast = await castOf(client, seed);
  const hits = new Map<string, number>();
  const disturbed = new Map<string, number>();
  const skipped = new Set<string>();
  let checks = 0;
  let longestRecoveryMs = 0;
  let brokenAt: string | null = null;
  let faults: readonly string[] = [];

  const work = new Crew(cast, (text) => client.faults.push(text), restMs);
  const check = async (step: Step | undefined, isLast: boolean): Promise<void> => {
    const at = performance.now();
    await work.pause();
    checks += 1;
    faults = await withStored(deployment, client, (stored) => faultsOf(stored, client, cast, isLast)).catch(
      (error: unknown) => [`the check itself failed: ${String(error)}`],
    );
    if (faults.length > 0) brokenAt = step === undefined ? 'the beginning' : wordsOf(step);
    tell(`  check ${checks}: ${faults.length === 0 ? 'all holds' : `${faults.length} FAULTS`} (${secondsSince(at)} s)`);
  };

  let killed = 0;
  let checkedAt = 0;
  let steps = 0;
  for (const step of plan) {
    if (performance.now() - begun > minutes * 60_000) {
      tell(`  the time is over after ${killed} of ${kills} kills`);
      break;
    }
    steps += 1;
    work.goOn();
    const at = performance.now();
    const hit = await take(deployment, step, (text) => {
      skipped.add(text);
      tell(`  ${text}`);
    });
    if (step.disturbance !== null) count(disturbed, step.disturbance);
    for (const each of hit) count(hits, each ?? 'nobody');
    killed += hit.length;
    const recovering = performance.now();
    const failure = await deployment.ready().then(
      () => null,
      (error: unknown) => String(error),
    );
    longestRecoveryMs = Math.max(longestRecoveryMs, performance.now() - recovering);
    tell(`${wordsOf(step)} (${killed}/${kills}, ${secondsSince(at)} s)`);
    if (failure !== null) {
      faults = [failure];
      brokenAt = wordsOf(step);
    } else if (killed - checkedAt >= checkEvery) {
      await check(step, false);
      checkedAt = killed;
    }
    if (faults.length > 0) break;
  }
  // Of few kills a busy machine may have made all before each actor had a reply.
  const isBusy = (): boolean => performance.now() - begun < minutes * 60_000;
  if (faults.length === 0) work.goOn();
  while (faults.length === 0 && cast.some((actor) => actor.acknowledged() === 0) && isBusy()) await sleep(50);
  if (faults.length === 0) await check(plan[steps - 1], true);
  await work.end();
  const deliveries = numbersOf(receiver.received);
  if (faults.length === 0) {
    faults = await withStored(deployment, client, async (stored) =>
      deliveryFaults(deliveries, await stored.feedNumbers(told, since)),
    );
    faults = [...faults, ...(await deployment.stop())];
    if (faults.length > 0) brokenAt = 'the end';
  }
  return {
    faults,
    brokenAt,
    steps,
    kills: hits,
    disturbances: disturbed,
    skipped: [...skipped],
    checks,
    acknowledged: new Map(cast.map((actor) => [actor.name, actor.acknowledged()])),
    replies: client.tally,
    deliveries: new Set(deliveries).size,
    deliveriesTwice: deliveries.length - new Set(deliveries).size,
    longestRecoveryMs,
    seconds: Math.round((performance.now() - begun) / 1000),
    log: deployment.output(),
  };
}

const secondsSince = (at: number): number => Math.round((performance.now() - at) / 100) / 10;

/** Takes one step; gives whom each kill hit. */
async function take(
  deployment: Deployment,
  step: Step,
  tell: (text: string) => void,
): Promise<readonly (string | null)[]> {
  await sleep(step.pauseMs);
  const calm =
    step.disturbance === null ? () => undefined : await deployment.disturb(step.disturbance, step.choice, tell);
  if (step.disturbance !== null) await sleep(step.disturbedMs);
  const hit = [deployment.kill(step.victim, step.choice)];
  if (step.again !== null) {
    await sleep(step.againMs);
    hit.push(deployment.kill(step.again, step.choice));
  }
  if (step.disturbance !== null) await sleep(step.disturbedMs / 2);
  calm();
  return hit;
}

async function withStored<T>(deployment: Deployment, client: Client, look: (stored: Stored) => Promise<T>): Promise<T> {
  await using database = deployment.database();
  return await look(new Stored(database, client));
}

async function faultsOf(
  stored: Stored,
  client: Client,
  cast: readonly Actor[],
  isLast: boolean,
): Promise<readonly string[]> {
  const unrest = await stored.rest(isLast);
  if (unrest.length > 0) return unrest;
  const faults = [...client.faults, ...(await stored.violations())];
  for (const actor of cast) faults.push(...(await actor.verify(stored)));
  if (isLast) faults.push(...(await stored.searchContentFaults()));
  return faults;
}

/** Numbers of the changes that a receiver was told of, as they came. */
const numbersOf = (received: readonly { readonly json: { readonly [name: string]: unknown } }[]): readonly number[] =>
  received.filter(({ json }) => json['type'] === 'change').map(({ json }) => Number(json['number']));

/** Changes that were not delivered, and first deliveries out of order. */
function deliveryFaults(delivered: readonly number[], wanted: readonly number[]): readonly string[] {
  const first = [...new Set(delivered)];
  const missing = wanted.filter((n) => !first.includes(n));
  const isOrdered = first.every((n, at) => at === 0 || n > (first[at - 1] ?? 0));
  return [
    ...(missing.length > 0 ? [`webhooks were not told of ${missing.length} changes, such as ${missing[0]}`] : []),
    ...(isOrdered ? [] : ['webhooks were told of changes in another order than that of the feed']),
  ];
}
