// All figures of an installation, for `muniment doctor`, on connections of their own.
import type { Facts } from '#domain/doctor/facts.ts';
import { Database } from '../connection/database.ts';
import { readReplicaFacts } from './replicas.ts';
import { readServerFacts } from './server.ts';
import { readWorkFacts } from './work.ts';

/** Where to look: `url` goes around a pooler, `pooledUrl` is the service's. `clock` gives this machine's time in milliseconds. */
export type Place = {
  readonly url: string;
  readonly pooledUrl: string;
  readonly migrations: URL;
  readonly clock: () => number;
  /** The replicas, and how far one may be behind, in milliseconds; absent: none. */
  readonly replicas?: { readonly urls: readonly string[]; readonly lagMs: number };
};

/** Reads the figures; no records, and nothing is changed. Fails where the database cannot be reached. */
export async function readFacts({ url, pooledUrl, migrations, clock, replicas: named }: Place): Promise<Facts> {
  const settings = { poolSize: 1, applicationName: 'muniment doctor' };
  await using database = new Database({ url, ...settings });
  await using pooled = new Database({ url: pooledUrl, ...settings });
  const server = await readServerFacts(database.reader, pooled.reader, migrations, clock);
  const { pending, unknown } = server.migrations;
  // Tables of another version may be others.
  const replicas = await readReplicaFacts(database, named?.urls ?? [], named?.lagMs ?? 0);
  return { server, replicas, work: pending.length + unknown.length > 0 ? null : await readWorkFacts(database) };
}
