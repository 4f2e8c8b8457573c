// What is said of replicas by their standing.
import { expect, it } from 'vitest';
import { judgeReplicas } from '#domain/doctor/replicas.ts';

const told = (standing: string, behindSeconds = 0): readonly string[] =>
  judgeReplicas([{ name: 'db2:5432/muniment', standing, behindSeconds }]).map(({ level, says }) => `${level}: ${says}`);

it('says nothing of one that is in use, and of others why they are not', () => {
  expect(told('in_use')).toEqual([]);
  expect(told('unreachable')).toEqual(['warning: The replica db2:5432/muniment is left out: it does not answer.']);
  expect(told('behind', 200)).toEqual([
    'warning: The replica db2:5432/muniment is left out: it is too far behind to answer reads, by 3 minutes.',
  ]);
  expect(told('other_timeline')).toEqual([expect.stringContaining('follows another primary')]);
});
