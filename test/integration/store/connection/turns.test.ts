// Turns: so many at once, and the first to come is the first to go.
import { expect, test } from 'vitest';
import { Turns } from '#store/connection/turns.ts';

test('gives so many turns at once, and each that ends to the one that waited longest', async () => {
  const turns = new Turns(2);
  const [first, second] = [await turns.take(), await turns.take()];
  const seen: string[] = [];
  const later = ['a', 'b'].map(async (name) => {
    const end = await turns.take();
    seen.push(name);
    return end;
  });
  expect(turns.waiting).toBe(2);
  first();
  const endOfA = await later[0];
  expect([seen, turns.waiting]).toEqual([['a'], 1]);
  second();
  const endOfB = await later[1];
  expect([seen, turns.waiting]).toEqual([['a', 'b'], 0]);
  endOfA?.();
  endOfB?.();
  await Promise.all([turns.take(), turns.take()]);
  expect(turns.waiting).toBe(0);
});

test('takes whoever gives up out of the line', async () => {
  const turns = new Turns(1);
  const end = await turns.take();
  const leaving = new AbortController();
  const given = turns.take(leaving.signal);
  const next = turns.take();
  leaving.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  expect(turns.waiting).toBe(1);
  end();
  (await next)();
  await expect(turns.take(leaving.signal)).rejects.toThrow('gone');
  (await turns.take())();
});
