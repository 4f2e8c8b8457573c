// A worker stands back behind what else its machine does. Tried in a process of its own: a priority that was lowered cannot be raised again.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../../apps/worker/running/priority.ts', import.meta.url));

/** The priorities of all threads of a process that has given way by each of some numbers, one after another. */
function prioritiesAfter(...nice: readonly number[]): readonly number[] {
  const script = `
    import { readFileSync, readdirSync } from 'node:fs';
    import { Worker } from 'node:worker_threads';
    const { giveWay } = await import(${JSON.stringify(program)});
    for (const nice of ${JSON.stringify(nice)}) giveWay(nice);
    // One that is made afterwards stands back as well.
    const thread = new Worker('setInterval(() => undefined, 1000)', { eval: true });
    await new Promise((resolve) => thread.once('online', resolve));
    const tasks = readdirSync('/proc/self/task');
    console.log(JSON.stringify(tasks.map((id) => Number(readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ')[16]))));
    process.exit(0);`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }));
}

test.runIf(process.platform === 'linux')('all threads stand back, and never less than they did', () => {
  const [asStarted = 0] = prioritiesAfter();
  expect(new Set(prioritiesAfter(0))).toEqual(new Set([asStarted]));
  const lowered = prioritiesAfter(asStarted + 3, asStarted + 1);
  expect(lowered.length).toBeGreaterThan(2);
  expect(new Set(lowered)).toEqual(new Set([asStarted + 3]));
});
