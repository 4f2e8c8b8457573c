// `npm run fault [-- --kills 200 --seed 1 --check-every 10 --minutes 60]`: kills processes of a loaded service by a schedule that follows from the
// seed, and checks every acknowledged write and every invariant. Writes test/fault/results/<date>-seed<N>.md. The suite runs a short one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Outcome } from './schedule/run.ts';
import { runSchedule } from './schedule/run.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1e6) },
    'check-every': { type: 'string', default: '10' },
    minutes: { type: 'string', default: '120' },
  },
});
const [kills, seed, checkEvery, minutes] = [values.kills, values.seed, values['check-every'], values.minutes].map(
  Number,
);
if (![kills, seed, checkEvery, minutes].every((value) => Number.isInteger(value) && (value ?? 0) > 0)) {
  process.stderr.write('Usage: npm run fault -- [--kills 200] [--seed N] [--check-every 10] [--minutes 120]\n');
  process.exit(2);
}
const tell = (line: string): void => void process.stdout.write(`${line}\n`);
tell(`${kills} kills, seed ${seed}`);
const begun = new Date();
const outcome = await runSchedule({
  seed: seed ?? 1,
  kills: kills ?? 1,
  checkEvery: checkEvery ?? 1,
  minutes: minutes ?? 1,
  tell,
});
const date = begun.toISOString().slice(0, 10);
const folder = join(import.meta.dirname, 'results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `${date}-seed${seed}.md`);
writeFileSync(file, report(outcome));
tell(
  `\n${outcome.faults.length === 0 ? 'All holds.' : `seed ${seed}, ${outcome.brokenAt}:\n${outcome.faults.join('\n')}`}\n${file}`,
);
if (outcome.faults.length > 0) {
  const log = join(mkdtempSync(join(tmpdir(), 'muniment-fault-')), 'log');
  writeFileSync(log, outcome.log);
  tell(`What the processes wrote: ${log}`);
}
process.exit(outcome.faults.length === 0 ? 0 : 1);

function report(found: Outcome): string {
  const sum = (tally: ReadonlyMap<string, number>): number => [...tally.values()].reduce((total, n) => total + n, 0);
  const list = (tally: ReadonlyMap<string, number>): string =>
    [...tally]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([what, n]) => `${what}: ${n}`)
      .join(', ');
  const done = sum(found.kills);
  return `${[
    `# Faults by schedule, ${date}, seed ${seed}`,
    `${done} kills of ${kills} in ${found.steps} steps, ${found.checks} checks, ${Math.round(found.seconds / 60)} minutes${commit()}, on ${availableParallelism()} cores.${done < (kills ?? 0) ? ` The run was ended before the rest${found.faults.length > 0 ? ', at what a check found' : ' for want of time'}.` : ''}`,
    `To repeat: \`npm run fault -- --kills ${kills} --seed ${seed}\` (the schedule is the same; when within a request a blow falls is not).`,
    found.faults.length === 0
      ? '**All holds**: every acknowledged write is there as it was acknowledged, none is there in half or twice, and no invariant is broken.'
      : `**${found.faults.length} faults**, found after ${found.brokenAt}:\n\n${found.faults.map((fault) => `- ${fault}`).join('\n')}`,
    `Killed: ${list(found.kills)}. (\`nobody\`: the process was just starting again.)`,
    `Disturbances while something was killed: ${list(found.disturbances)}.${found.skipped.map((text) => ` ${text}.`).join('')}`,
    `Acknowledged writes, all looked at in each check after them: ${sum(found.acknowledged)} (${list(found.acknowledged)}).`,
    `Replies: ${list(found.replies)}. Changes that a webhook was told of: ${found.deliveries}; told again: ${found.deliveriesTwice}.`,
    `The longest time from a blow, and the end of its disturbance, until all processes were ready again: ${Math.round(found.longestRecoveryMs / 100) / 10} s.`,
  ].join('\n\n')}\n`;
}

function commit(): string {
  try {
    return `, commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()}`;
  } catch {
    return '';
  }
}
