// What a run of tests told is read rightly: a failure names its file, silence is no failure, and a run without tests no pass.
import { expect, test } from 'vitest';
import type { Step } from '../../../../scripts/mutate/trial.ts';
import { outcomeOf } from '../../../../scripts/mutate/trial.ts';

const begun = (file: string): Step => ({ step: 'begun', file });
const ended = (file: string, failure: string | null = null): Step => ({ step: 'ended', file, failure });
const finished = (...errors: readonly string[]): Step => ({ step: 'finished', errors });

test('all files passed', () => {
  const steps = [begun('a'), { step: 'working' } as const, ended('a'), begun('b'), ended('b'), finished()];
  expect(outcomeOf(steps, false, '')).toEqual({ kind: 'passed', ran: ['a', 'b'] });
});

test('a file failed', () => {
  const steps = [begun('a'), ended('a'), begun('b'), ended('b', 'does it'), finished()];
  expect(outcomeOf(steps, false, '')).toEqual({ kind: 'failed', ran: ['a', 'b'], file: 'b', failure: 'does it' });
});

test('an error outside of tests is a failure of the last file', () => {
  const outcome = outcomeOf([begun('a'), ended('a'), finished('lost')], false, '');
  expect(outcome).toMatchObject({ kind: 'failed', file: 'a', failure: 'lost' });
});

test('silence names the file that was running', () => {
  expect(outcomeOf([begun('a'), ended('a'), begun('b')], true, '')).toMatchObject({ kind: 'silent', file: 'b' });
});

test('where nothing ran the set-up failed', () => {
  expect(outcomeOf([], false, 'no such table\n')).toMatchObject({
    kind: 'failed',
    file: null,
    failure: 'no such table',
  });
  expect(outcomeOf([finished()], false, '')).toMatchObject({ kind: 'failed', file: null });
});
