// kill -9 of workers while they follow the feed and send, and a receiver that fails now and then: every change arrives at least once, and
// the first arrivals are in the order of the feed.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendChange } from '#store/change-log/append.ts';
import { createWebhook } from '#store/webhooks/webhooks.ts';
import { createDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { amount } from '#test/support/long.ts';
import { testProgram } from '#test/support/test-programs.ts';
import type { Receiver } from '#test/support/receiver.ts';
import { startReceiver } from '#test/support/receiver.ts';
import type { Connected } from '#test/support/worker.ts';
import { connect } from '#test/support/worker.ts';

let own: TestDatabase;
let connected: Connected;
let receiver: Receiver;
beforeAll(async () => {
  own = await createDatabase();
  connected = connect(own.url, 4);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await connected[Symbol.asyncDispose]();
  await own.drop();
});

async function spawnSender(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [testProgram('webhook')], {
    env: { ...process.env, TEST_DATABASE_URL: own.url },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
}

const changes = amount(30, 60);
/** How many workers are killed in the middle; the one after them sends what is left. */
const mostKills = amount(2, 1000);

test('no delivery is lost when workers are killed, and their order holds', async () => {
  const { database } = connected;
  await database.transaction((tx) =>
    createWebhook(
      tx,
      {
        url: receiver.url,
        secret: 'a secret of sixteen',
        kinds: ['accession'],
        repositories: [],
        operations: [],
        active: true,
      },
      null,
    ),
  );
  // Every seventh request is refused, every eleventh gets no answer.
  receiver.answer((_request, count) => (count % 11 === 0 ? null : count % 7 === 0 ? 500 : 204));
  const arrived = (): readonly number[] => [
    ...new Set(receiver.received.map(({ json }) => Number(json['lock_version']))),
  ];
  let isOver = false;
  const killing = (async () => {
    let kills = 0;
    while (!isOver) {
      const child = await spawnSender();
      await Promise.race([
        kills < mostKills ? sleep(300 + Math.random() * 900) : new Promise<never>(() => undefined),
        receiver.until(() => arrived().length === changes).catch(() => undefined),
      ]);
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      kills += 1;
    }
    return kills;
  })();
  for (let n = 0; n < changes; n++) {
    await database.transaction((tx) =>
      appendChange(tx, { kind: 'accession', id: 1, repoId: 2, op: 'update', actor: null, lockVersion: n }),
    );
    await sleep(10);
  }
  for (let n = 0; arrived().length < changes && n < 6000; n++) await sleep(100);
  isOver = true;
  expect(await killing).toBeGreaterThan(1);
  expect(arrived()).toEqual(Array.from({ length: changes }, (_, n) => n));
});
