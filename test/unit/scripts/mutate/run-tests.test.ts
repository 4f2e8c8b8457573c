// The tests of a mutant when their time is over: the one that runs is waited for, and no other is begun.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Step } from '../../../../scripts/mutate/trial.ts';
import { outcomeOf } from '../../../../scripts/mutate/trial.ts';

const project = join(import.meta.dirname, '../../../..');

/** Runs tests of this text for a millisecond in a folder of their own, and gives what they tell. */
async function stepsOf(text: string): Promise<readonly Step[]> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-mutant-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'some.test.mjs'), `import { test } from 'vitest';\n${text}`);
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const program = fork(join(project, 'scripts/mutate/run-tests.ts'), ['1', 'some.test.mjs'], {
    cwd: folder,
    env: Object.fromEntries(environment),
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const steps: Step[] = [];
  // Our own program sends nothing else.
  program.on('message', (message) => void steps.push(message as Step));
  await once(program, 'exit');
  return steps;
}

test('a test that fails after its time has failed', async () => {
  const steps = await stepsOf(`
    test('late', async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      throw new Error('too late');
    });`);
  expect(outcomeOf(steps, false, '')).toMatchObject({ kind: 'failed', file: 'some.test.mjs', failure: 'late' });
});

test('one that passes after its time is the last', async () => {
  const steps = await stepsOf(`
    test('late', () => new Promise((resolve) => setTimeout(resolve, 500)));
    test('next', () => new Promise((_, reject) => setTimeout(reject, 600_000)));`);
  expect(outcomeOf(steps, false, '')).toEqual({ kind: 'passed', ran: ['some.test.mjs'] });
});
