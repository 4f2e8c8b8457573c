// The short form of `npm run fault`: everything that loads a service, and a few kills of a fixed seed; all that was acknowledged is there.
import { expect, test } from 'vitest';
import { fillWithStarted } from '../support/first-started.ts';
import { amount } from '../support/long.ts';
import { usualRestMs } from './schedule/cast.ts';
import { disturbances, planOf, victims } from './schedule/plan.ts';
import { runSchedule } from './schedule/run.ts';

const kills = amount(4, 12);
const seed = 7;

test('a schedule follows from its seed, and lets nothing out', () => {
  const plan = planOf(seed, 200);
  expect(plan).toEqual(planOf(seed, 200));
  expect(plan).not.toEqual(planOf(seed + 1, 200));
  expect(plan.reduce((sum, { again }) => sum + (again === null ? 1 : 2), 0)).toBe(200);
  expect(new Set(plan.map(({ victim }) => victim))).toEqual(new Set(victims));
  expect(new Set(plan.map(({ disturbance }) => disturbance))).toEqual(new Set([null, ...disturbances]));
});

test('nothing acknowledged is lost and nothing is half done, whatever is killed', async () => {
  const lines: string[] = [];
  const outcome = await runSchedule({
    seed,
    kills,
    // The check at the end is the only one of so few kills.
    checkEvery: kills + 1,
    minutes: 10,
    // Every actor has work under way at each kill all the same, and what starts again has the processor for it.
    restMs: amount(1000, usualRestMs),
    fill: fillWithStarted,
    tell: (line) => void lines.push(line),
  });
  for (const text of outcome.skipped) process.stdout.write(`${text}\n`);
  expect(outcome.faults, `seed ${seed}, ${outcome.brokenAt}\n${lines.join('\n')}`).toEqual([]);
  expect(outcome.steps).toBeGreaterThan(2);
  for (const [name, acknowledged] of outcome.acknowledged) expect(acknowledged, name).toBeGreaterThan(0);
  expect(outcome.deliveries).toBeGreaterThan(0);
});
