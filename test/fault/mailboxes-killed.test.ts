// Many mailboxes, several worker processes, failures, and a kill every few seconds: none out of order, none together, none lost, none twice, and
// as many activations as jobs all the time. The whole size, 20,000 jobs of 200 mailboxes, is `npm run bench queue-killed`.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { amount } from '#test/support/long.ts';
import { killWhileMailboxesRun } from '#test/support/mailboxes-killed.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';
import { makeTraceTable } from '#test/support/worker-jobs.ts';

let server: TestDatabase;
let connected: Connected;

beforeAll(async () => {
  server = await createDatabase();
  connected = connect(server.url);
  await makeTraceTable(connected.database);
});
afterAll(async () => {
  await connected[Symbol.asyncDispose]();
  await server.drop();
});

test('keeps order, loses nothing and does nothing twice while workers are killed', async () => {
  const { kills, seconds, samples, ...faults } = await killWhileMailboxesRun(connected, {
    jobs: amount(300, 1000),
    mailboxes: amount(20, 40),
    workers: amount(3, 4),
    killEveryMs: 1000,
    // On a busy machine there would be one for each second that all else takes, and a start with each.
    mostKills: amount(3, 1000),
  });
  expect([kills > 0, samples > 0, seconds > 0]).toEqual([true, true, true]);
  expect(faults).toEqual({ unequalSamples: 0, lost: 0, twice: 0, outOfOrder: 0, wrongEnds: 0, leftActivations: 0 });
});
