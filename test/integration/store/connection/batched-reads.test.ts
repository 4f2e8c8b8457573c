// Single reads that come together share a statement, without waiting for a slow one and without sharing its faults.
import { expect, test } from 'vitest';
import { fail } from '#domain/errors.ts';
import { Gather } from '#store/connection/batched-reads.ts';

type Statement = { readonly ids: readonly number[]; answer(): void; refuse(error: unknown): void };

/** A Gather on a database that answers when told; `has` says which ids exist, `patienceMs` how long a statement holds others up. */
function gatherOn(
  has: (id: number) => boolean = () => true,
  patienceMs?: number,
): { readonly gather: Gather; readonly sent: Statement[] } {
  const sent: Statement[] = [];
  const gather = new Gather(
    (_name, _text, ids) =>
      new Promise((resolve, reject) => {
        // The rows that the tests ask for are {id}.
        sent.push({ ids, answer: () => resolve(ids.filter(has).map((id) => ({ id })) as never[]), refuse: reject });
      }),
    patienceMs,
  );
  return { gather, sent };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('reads of one turn of the event loop go as one statement, each id once', async () => {
  const { gather, sent } = gatherOn((id) => id !== 3);
  const reads = [1, 2, 1, 3].map((id) => gather.row('s', 'SELECT', id));
  await turn();
  expect(sent.map(({ ids }) => ids)).toEqual([[1, 2, 3]]);
  sent[0]?.answer();
  expect(await Promise.all(reads)).toEqual([{ id: 1 }, { id: 2 }, { id: 1 }, undefined]);
});

test('reads that come while a statement is under way wait for its end and then go together', async () => {
  const { gather, sent } = gatherOn(undefined, 3_600_000);
  void gather.row('s', 'SELECT', 1);
  await turn();
  const later = [gather.row('s', 'SELECT', 2), gather.row('s', 'SELECT', 3)];
  await turn();
  expect(sent).toHaveLength(1);
  sent[0]?.answer();
  await turn();
  expect(sent[1]?.ids).toEqual([2, 3]);
  sent[1]?.answer();
  expect(await Promise.all(later)).toEqual([{ id: 2 }, { id: 3 }]);
});

test('a slow statement holds nobody up', async () => {
  const { gather, sent } = gatherOn();
  void gather.row('s', 'SELECT', 1);
  await turn();
  const quick = gather.row('s', 'SELECT', 2);
  await expect.poll(() => sent.map(({ ids }) => ids)).toEqual([[1], [2]]);
  sent[1]?.answer();
  expect(await quick).toEqual({ id: 2 });
});

test('different statements do not wait for each other, also where they have no name', async () => {
  const { gather, sent } = gatherOn();
  void gather.row('', 'SELECT a', 1);
  void gather.row('', 'SELECT b', 1);
  await turn();
  expect(sent).toHaveLength(2);
});

test('a record that cannot be read fails alone', async () => {
  const { gather, sent } = gatherOn();
  const reads = [1, 2].map((id) => gather.row('s', 'SELECT', id));
  const settled = Promise.allSettled(reads);
  await turn();
  sent[0]?.refuse(new Error('bad'));
  await turn();
  expect(sent.slice(1).map(({ ids }) => ids)).toEqual([[1], [2]]);
  sent[1]?.refuse(new Error('bad'));
  sent[2]?.answer();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

test('a database that is gone fails all at once, without another try', async () => {
  const { gather, sent } = gatherOn();
  const settled = Promise.allSettled([1, 2].map((id) => gather.row('s', 'SELECT', id)));
  await turn();
  sent[0]?.refuse(fail('unavailable', 'The database is not reachable'));
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(sent).toHaveLength(1);
});
