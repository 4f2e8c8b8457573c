// The report counts what type-checks, lists survivors with the tests that they came through, and says how to repeat the run.
import { expect, test } from 'vitest';
import type { Verdict } from '../../../../scripts/mutate/judge.ts';
import { mutantsOf } from '../../../../scripts/mutate/mutants.ts';
import { readOptions } from '../../../../scripts/mutate/options.ts';
import type { Result } from '../../../../scripts/mutate/report.ts';
import { writeReport } from '../../../../scripts/mutate/report.ts';

const [mutant] = mutantsOf('libs/f.ts', '\nx = a || b;\n');

function result(verdict: Verdict): Result {
  if (mutant === undefined) throw new Error('the source has a mutant');
  return { mutant, verdict, seconds: 2 };
}

test('a report', () => {
  const results = [
    result({ kind: 'killed', ran: ['test/unit/a.test.ts'], by: 'test/unit/a.test.ts: works' }),
    result({ kind: 'survived', ran: ['test/unit/a.test.ts', 'test/contract/b.test.ts'], by: null }),
    result({ kind: 'timeout', ran: ['test/unit/a.test.ts'], by: 'test/unit/a.test.ts: no sign of life' }),
  ];
  const about = {
    title: 'Run',
    command: 'npm run mutate -- --seed 1',
    drawn: 5,
    asked: 3,
    places: 9,
    unfit: ['test/c.test.ts'],
  };
  const text = writeReport(results, about);
  expect(text).toContain('Killed 1 of 3; 1 survived, 1 timed out. 2 of the 5 drawn did not type-check');
  expect(text).toContain('`npm run mutate -- --seed 1`');
  expect(text).toContain(`--mutants ${mutant?.id} `);
  expect(text).toContain('| logic | 3 | 1 |');
  expect(text).toContain(
    `| libs/f.ts:2 (${mutant?.id}) | logic | \`\` x = a \\|\\| b; \`\` | \`\` x = a && b; \`\` | unit/a, contract/b |`,
  );
  expect(text).toContain('fail without a mutant: test/c.test.ts');
  expect(text).not.toContain('Not all');
  expect(writeReport(results, { ...about, asked: 200 })).toContain('Not all: the run was ended after 3 of 200.');
  expect(writeReport(results, { ...about, asked: 200, drawn: 9 })).not.toContain('Not all');
});

test('a whole run is reported in its place, a part of one nowhere', () => {
  expect(readOptions(['--seed', '4'], '2026-01-31')).toMatchObject({
    count: 200,
    seed: 4,
    report: 'test/mutation/results/2026-01-31-seed4.md',
  });
  expect(readOptions(['--only', 'libs/**'], '2026-01-31')).toMatchObject({ only: 'libs/**', report: null });
  expect(readOptions(['--mutants', 'a,b'], '2026-01-31')).toMatchObject({
    mutants: ['a', 'b'],
    count: 2,
    report: null,
  });
  expect(readOptions(['--seed', 'x'], '2026-01-31')).toBeNull();
});
