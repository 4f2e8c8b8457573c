// How the replicas of an installation stand, for `muniment doctor`: as a process of the service would find them.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReplicaFacts } from '#domain/doctor/facts.ts';
import type { Database } from '../connection/database.ts';
import { Replicas } from '../connection/replicas/replicas.ts';

const mostMs = 3000;

/** Watches the replicas until all would be in use, at most three seconds, and tells how each stands. None: nothing is asked. */
export async function readReplicaFacts(
  database: Database,
  urls: readonly string[],
  lagMs: number,
): Promise<readonly ReplicaFacts[]> {
  if (urls.length === 0) return [];
  await using replicas = new Replicas(database, { urls, lagMs, poolSize: 1 });
  const end = performance.now() + mostMs;
  while (performance.now() < end && !replicas.all.every((one) => one.isInUse)) await sleep(50);
  return replicas.all.map(({ name, standing, behindMs }) => ({ name, standing, behindSeconds: behindMs / 1000 }));
}
