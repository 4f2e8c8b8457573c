// The job queue of the simulation by itself: what begins when.
import { expect, test } from 'vitest';
import { createAgenda } from '../../../bench/load-model/agenda.ts';
import { createJobQueue } from '../../../bench/load-model/mailboxes.ts';

type Job = { readonly name: string; readonly mailbox: string; readonly seconds: number; readonly isLong?: boolean };

/** When each job began, in order, as `name at seconds`. All come at once, in the order given. */
function begunOf(jobs: readonly Job[], workers: number, slots: number): readonly string[] {
  const agenda = createAgenda();
  const queue = createJobQueue(agenda, workers, slots, { from: 0, to: 100 });
  const begun: string[] = [];
  for (const { name, mailbox, seconds, isLong = false } of jobs)
    queue.enqueue({
      mailbox,
      isLong,
      run: (ended) => {
        begun.push(`${name} at ${agenda.now}`);
        agenda.after(seconds, ended);
      },
    });
  agenda.run();
  expect(queue.depth).toBe(0);
  return begun;
}

test('jobs of a mailbox run one at a time and in order, though places are free', () => {
  const jobs = ['a', 'b', 'c'].map((name, n) => ({ name, mailbox: 'one', seconds: 3 - n }));
  expect(begunOf(jobs, 2, 4)).toEqual(['a at 0', 'b at 3', 'c at 5']);
});

test('those of other mailboxes pass it, oldest first, as places become free', () => {
  const jobs = [
    { name: 'a1', mailbox: 'a', seconds: 4 },
    { name: 'a2', mailbox: 'a', seconds: 1 },
    { name: 'b1', mailbox: 'b', seconds: 1 },
    { name: 'c1', mailbox: 'c', seconds: 1 },
    { name: 'b2', mailbox: 'b', seconds: 9 },
  ];
  expect(begunOf(jobs, 1, 2)).toEqual(['a1 at 0', 'b1 at 0', 'c1 at 1', 'b2 at 2', 'a2 at 4']);
});

test('long jobs leave the last place of each worker to short ones, but for workers that have one place', () => {
  const jobs = [
    ...['l1', 'l2', 'l3'].map((name) => ({ name, mailbox: name, seconds: 5, isLong: true })),
    { name: 's1', mailbox: 's1', seconds: 1 },
  ];
  expect(begunOf(jobs, 1, 3)).toEqual(['l1 at 0', 'l2 at 0', 's1 at 0', 'l3 at 5']);
  expect(begunOf(jobs, 2, 1)).toEqual(['l1 at 0', 'l2 at 0', 'l3 at 5', 's1 at 5']);
});

test('a mailbox of thousands stays in order', () => {
  const jobs = Array.from({ length: 3500 }, (_, n) => ({ name: `${n}`, mailbox: 'one', seconds: 0.001 }));
  expect(begunOf(jobs, 1, 4).map((line) => Number(line.split(' ')[0]))).toEqual(jobs.map((_, n) => n));
});
