// How fast the indexer is: records over the time in which any of its loops was at work.
import { expect, it } from 'vitest';
import { createPace } from '../../../../apps/worker/followers/pace.ts';

it('counts the time of loops that work at once but once, and begins anew when it was taken', async () => {
  let now = 0;
  const pace = createPace(() => now);
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = [first, second].map(({ promise }, n) =>
    pace.during(async () => {
      await promise;
      return { records: 10 * (n + 1) };
    }),
  );
  now = 1000;
  first.resolve();
  await done[0];
  now = 3000;
  second.resolve();
  await done[1];
  now = 9000;
  expect(await pace.during(async () => Promise.resolve(null))).toBeNull();
  expect(pace.take()).toEqual({ records: 30, seconds: 3 });
  expect(pace.take()).toEqual({ records: 0, seconds: 0 });
});
