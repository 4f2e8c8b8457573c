// PostgreSQL 17 with Patroni, etcd and haproxy under a loaded service: the primary is killed, handed over, frozen and cut off, and etcd goes away. Nothing that
// was acknowledged is lost, and the processes of the service come back by themselves. MUNIMENT_PATRONI_ROOT names the folder that failover/make-root.sh made.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSql } from '#test/support/run-sql.ts';
import type { Name } from './failover/cluster.ts';
import { cannotRun } from './failover/programs.ts';
import { Scene } from './failover/scene.ts';

const missing = cannotRun();
if (missing !== null) console.warn(`SKIPPED: failover is not tried, since ${missing}.`);

/** What is done to the primary; resolves when all that was disturbed is well again. */
type Blow = (scene: Scene, primary: Name) => Promise<void>;

const anotherLeads = async ({ cluster }: Scene, before: Name): Promise<Name> => {
  for (;;) {
    const now = await cluster.leader();
    if (now !== before) return now;
    await sleep(100);
  }
};

/** Somebody who reaches the old primary alone writes there; gives how that ends: never with success. */
function writeBeside({ cluster }: Scene, old: Name, table: string): Promise<'acknowledged' | 'refused'> {
  return runSql(cluster.urlBeside(old), `CREATE TABLE ${table} ()`).then(
    () => 'acknowledged' as const,
    () => 'refused' as const,
  );
}

const blows: readonly (readonly [string, Blow])[] = [
  [
    'the primary is killed, with its Patroni',
    async (scene, primary) => {
      await scene.cluster.killNode(primary);
      await anotherLeads(scene, primary);
      await scene.probe.untilWritten();
      scene.cluster.startNode(primary);
    },
  ],
  [
    "the primary's main process is killed, and its Patroni goes on",
    async ({ cluster, probe }, primary) => {
      cluster.killServer(primary);
      await sleep(1000);
      await probe.untilWritten();
    },
  ],
  [
    'the lead is handed over',
    async ({ cluster, probe }, primary) => {
      const heir = (await cluster.members()).find(({ role }) => role === 'sync_standby')?.name;
      if (heir === undefined) throw new Error('nobody to hand over to');
      await cluster.switchover(primary, heir);
      await probe.untilWritten();
    },
  ],
  [
    'the machine of the primary stands still, and goes on after another one leads',
    async (scene, primary) => {
      const goOn = scene.cluster.freeze(primary);
      await anotherLeads(scene, primary);
      await scene.probe.untilWritten();
      goOn();
    },
  ],
  [
    'the network of the primary is silent',
    async (scene, primary) => {
      const heal = scene.cluster.isolate(primary);
      const fenced = sleep(3000).then(() => writeBeside(scene, primary, 'written_beside'));
      await anotherLeads(scene, primary);
      await scene.probe.untilWritten();
      expect(await fenced).toBe('refused');
      heal();
    },
  ],
  [
    'Patroni of the primary stands still, and its PostgreSQL takes writes',
    async (scene, primary) => {
      const goOn = scene.cluster.freeze(primary, 'patroni');
      await anotherLeads(scene, primary);
      await scene.probe.untilWritten();
      const fenced = writeBeside(scene, primary, 'written_beside');
      expect(await Promise.race([fenced, sleep(3000, 'waits')])).toBe('waits');
      goOn();
      expect(await fenced).toBe('refused');
    },
  ],
  [
    'two of three etcd are away',
    async ({ cluster, probe }) => {
      const back = await cluster.etcdAway();
      await sleep(15_000);
      await probe.untilWritten();
      back();
    },
  ],
  [
    'the synchronous replica is killed',
    async ({ cluster, probe }) => {
      const replica = (await cluster.members()).find(({ role }) => role === 'sync_standby')?.name;
      if (replica === undefined) throw new Error('no synchronous replica');
      await cluster.killNode(replica);
      await probe.untilWritten();
      cluster.startNode(replica);
    },
  ],
];

describe.skipIf(missing !== null)('a cluster of PostgreSQL under Patroni', () => {
  const opened = new AsyncDisposableStack();
  let scene: Scene;
  const tell = (line: string): void => void process.stdout.write(`${line}\n`);

  beforeAll(async () => {
    scene = opened.use(await Scene.open(45));
    tell(await scene.cluster.versions());
  });
  afterAll(async () => {
    await opened.disposeAsync();
  });

  it.each(blows)('%s: nothing acknowledged is lost, and all go on', async (name, blow) => {
    scene.goOn();
    await scene.cluster.settled();
    await scene.probe.untilWritten();
    await sleep(2000);
    const primary = await scene.cluster.leader();
    const at = performance.now();
    await blow(scene, primary);
    const { writes, reads } = scene.probe.silenceSince(at);
    await scene.cluster.settled();
    const whole = Math.round((performance.now() - at) / 100) / 10;
    const faults = await scene.faults();
    tell(
      `${name}: no write for ${writes} s, no read for ${reads} s, three machines again after ${whole} s; ${scene.acknowledged()} acknowledged writes are there`,
    );
    if (faults.length > 0) process.stdout.write(scene.output().split('\n').slice(-200).join('\n'));
    expect(faults).toEqual([]);
  });
});
