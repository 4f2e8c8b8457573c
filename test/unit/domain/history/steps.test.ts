// Steps between the states of a record.
import { expect, it } from 'vitest';
import type { State } from '#domain/history/steps.ts';
import { stateOf, stepsOf } from '#domain/history/steps.ts';

const state = (n: number | null, lockVersion: number, op: string | null): State => ({
  n,
  lockVersion,
  label: `L${lockVersion}`,
  by: `w${lockVersion}`,
  at: `at${lockVersion}`,
  op,
  actor: op === null ? null : `a${n}`,
  replacedAt: op === null ? null : `r${n}`,
});
const told = (states: readonly State[]): unknown =>
  stepsOf(states).map(({ version, op, by, at }) => [version, op, by, at]);

it('a record that was never saved again has its creation', () => {
  expect(told([state(null, 0, null)])).toEqual([[0, 'create', 'w0', 'at0']]);
});

it('each save is told by what it replaced, newest first', () => {
  expect(told([state(1, 0, 'update'), state(2, 1, 'unlink'), state(null, 1, null)])).toEqual([
    [1, 'unlink', 'a2', 'r2'],
    [1, 'update', 'a1', 'r1'],
    [0, 'create', 'w0', 'at0'],
  ]);
});

it('a version has several states where something changed without a new one, each found by its place', () => {
  const states = [state(1, 0, 'publish'), state(2, 0, 'update'), state(null, 1, null)];
  expect(told(states)).toEqual([
    [1, 'update', 'a2', 'r2'],
    [0, 'publish', 'a1', 'r1'],
    [0, 'create', 'w0', 'at0'],
  ]);
  expect([
    stateOf(states, 0)?.n,
    stateOf(states, 0, 0)?.n,
    stateOf(states, 0, 1)?.n,
    stateOf(states, 0, 2),
    stateOf(states, 0, 9),
  ]).toEqual([2, 1, 2, null, null]);
});

it('a version after some that were not kept is told by who wrote it', () => {
  expect(told([state(1, 0, 'update'), state(null, 4, null)])).toEqual([
    [4, 'update', 'w4', 'at4'],
    [0, 'create', 'w0', 'at0'],
  ]);
});

it('a deletion is a step without content, and what comes after it an undelete', () => {
  const states = [state(1, 0, 'delete'), state(null, 2, null)];
  expect(told(states)).toEqual([
    [2, 'undelete', 'w2', 'at2'],
    [1, 'delete', 'a1', 'r1'],
    [0, 'create', 'w0', 'at0'],
  ]);
  expect([stateOf(states, 1), stateOf(states, 2)?.lockVersion]).toEqual([null, 2]);
});
