// Which tables are held so that a late migration is met in its middle.
import { expect, test } from 'vitest';
import { tablesOfLast } from '#test/upgrade/interrupted.ts';

const tables = ['record', 'link', 'job', 'job_file'];

test.each([
  [
    'the one that only the last changes',
    ['ALTER TABLE record ADD x int;', 'UPDATE job SET x = 1 FROM record;'],
    ['job'],
  ],
  [
    'of the last that changes one of its own',
    ['UPDATE link SET x = 1;', 'UPDATE record SET x = 1;', 'UPDATE link SET x = 2;'],
    ['record'],
  ],
  ['whole names, and none in comments', ['-- as job has it\nUPDATE job_file SET x = 1;'], ['job_file']],
  ['all where no migration names any', ['SELECT 1;'], tables],
  ['all where there is no migration', [], tables],
])('%s', (_, texts, held) => {
  expect(tablesOfLast(texts, tables)).toEqual(held);
});
