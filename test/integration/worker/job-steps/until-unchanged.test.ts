// Work that is begun anew where others changed what it had read: twice beside them, the third time with the tree in hand.
import { expect, test } from 'vitest';
import { fail } from '#domain/errors.ts';
import { ListChanged } from '#store/trees/reorder.ts';
import { untilUnchanged } from '../../../../apps/worker/job-steps/until-unchanged.ts';

const tried = async (fails: (nth: number) => Error | null) => {
  const lines: string[] = [];
  const held: boolean[] = [];
  const value = await untilUnchanged(
    { log: (line) => void lines.push(line) },
    'they are sorted anew',
    async (isHeld) => {
      held.push(isHeld);
      const error = fails(held.length);
      if (error !== null) throw error;
      return held.length;
    },
  ).catch((error: unknown) => error);
  return { value, held, lines: lines.length };
};

test('is done once where nothing changes, and told each time that something did', async () => {
  expect(await tried(() => null)).toEqual({ value: 1, held: [false], lines: 0 });
  expect(await tried((nth) => (nth < 2 ? new ListChanged() : null))).toEqual({
    value: 2,
    held: [false, false],
    lines: 1,
  });
  expect(await tried((nth) => (nth < 3 ? new ListChanged() : null))).toEqual({
    value: 3,
    held: [false, false, true],
    lines: 2,
  });
});

test('fails with what it fails with, and with the change where the tree in hand did not help', async () => {
  const refused = fail('bad_parameter', { parent: ['Not a node'] });
  expect(await tried(() => refused)).toEqual({ value: refused, held: [false], lines: 0 });
  expect(await tried(() => new ListChanged())).toMatchObject({ value: { code: 'conflict' }, lines: 2 });
});
