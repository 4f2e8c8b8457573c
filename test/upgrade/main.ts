// `npm run upgrade-test [-- --from REF --from REF --keep FOLDER]`: whether this tree takes over what earlier states left behind. From the last two releases, or from
// what landed.json says where there are none. Writes test/upgrade/results/<date>.md. Needs git, npm and nothing else.
// `--keep`: where earlier programs are installed and left, so that the next run need not do it again.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '#test/support/service.ts';
import { expectedOf } from './expected.ts';
import type { Difference } from './picture.ts';
import { earlierStates, install } from './releases.ts';
import type { Earlier } from './releases.ts';
import type { Outcome } from './run.ts';
import { tryUpgrade } from './run.ts';

const { values } = parseArgs({
  options: { from: { type: 'string', multiple: true, default: [] }, keep: { type: 'string' } },
});
const tell = (line: string): void => void process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

const sections: string[] = [];
let isRight = true;
for (const earlier of earlierStates(values.from)) {
  tell(`From ${earlier.ref} (${earlier.commit}): it is installed.`);
  using installed = install(earlier, values.keep);
  const outcome = await tryUpgrade(installed.root, tell);
  const faults = [...outcome.faults, ...unexpected(outcome)];
  isRight &&= faults.length === 0;
  for (const fault of faults) tell(`FAULT ${fault}`);
  sections.push(section(earlier, outcome, faults));
}
const date = new Date().toISOString().slice(0, 10);
const folder = join(import.meta.dirname, 'results');
mkdirSync(folder, { recursive: true });
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: projectRoot, encoding: 'utf8' }).trim();
writeFileSync(
  join(folder, `${date}.md`),
  `# Upgrades, ${date}\n\nTo commit ${commit}. To repeat: \`npm run upgrade-test -- --from REF\`, with each of the refs below.\n\n${sections.join('\n')}`,
);
tell(isRight ? 'All holds.' : 'There are faults.');
process.exit(isRight ? 0 : 1);

/** Differences that are no addition and that nobody expects, in words. */
function unexpected({ plain, killed }: Outcome): readonly string[] {
  const words = (what: string, differences: readonly Difference[]): readonly string[] =>
    differences
      .filter((each) => each.sort !== 'added' && expectedOf(each) === undefined)
      .map(({ address, sort, at }) => `${what}: ${address}: ${sort} ${at.slice(0, 2000)}`);
  return [...words('upgraded', plain), ...words('upgraded after kills', killed)];
}

function section({ ref, commit: from }: Earlier, outcome: Outcome, faults: readonly string[]): string {
  const { filled, plain, killed, kills, migrations } = outcome;
  const added = new Set(plain.filter(({ sort }) => sort === 'added').map(({ at }) => at.replaceAll(/\/\d+/g, '/n')));
  const reasons = Map.groupBy(
    plain.filter((each) => each.sort !== 'added'),
    (each) => expectedOf(each) ?? 'not expected',
  );
  const list = (lines: readonly string[]): string =>
    lines.length === 0 ? '' : `\n${lines.map((line) => `- ${line}`).join('\n')}\n`;
  return `## From ${ref} (${from})

${migrations.after - migrations.before} migrations, ${filled.made} records and other things, ${outcome.addresses} addresses compared; ${killed.length} differences after kills, ${plain.length} without.

${faults.length === 0 ? '**All holds.**' : `**${faults.length} faults:**\n${list(faults)}`}

Not known to the earlier state, or refused by it: ${filled.leftOut.length}.
${list(filled.leftOut)}
Killed: ${kills.map(({ at, before, waited }) => `after ${at - before} migrations, in \`${(waited ?? '').replaceAll(/\s+/g, ' ').trim()}\``).join('; ')}.

The earlier program says of the newer database: “${outcome.refusal.trim()}”

Properties that replies have now besides: ${
    added.size === 0
      ? 'none'
      : [...added]
          .toSorted()
          .map((at) => `\`${at}\``)
          .join(', ')
  }.

Changed on purpose since:${reasons.size === 0 ? ' nothing.' : list([...reasons].map(([why, each]) => `${each.length}: ${why}`))}
`;
}
