// All figures of an installation, for `muniment doctor`, on connections of their own.
import type { Facts, FileFacts } from '#domain/doctor/facts.ts';
import { operatorWords } from '#domain/errors.ts';
import { readFilePlaces, readWaitingObjects } from '../files/objects.ts';
import type { FileStorage } from '../files/storage.ts';
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
  /** The storage of files; absent or null: none. */
  readonly files?: FileStorage | null;
  /** The replicas, and how far one may be behind, in milliseconds; absent: none. */
  readonly replicas?: { readonly urls: readonly string[]; readonly lagMs: number };
};

/** Reads the figures; no records, and nothing is changed. Fails where the database cannot be reached. */
export async function readFacts({
  url,
  pooledUrl,
  migrations,
  clock,
  replicas: named,
  files = null,
}: Place): Promise<Facts> {
  const settings = { poolSize: 1, applicationName: 'muniment doctor' };
  await using database = new Database({ url, ...settings });
  await using pooled = new Database({ url: pooledUrl, ...settings });
  const server = await readServerFacts(database.reader, pooled.reader, migrations, clock);
  const { pending, unknown } = server.migrations;
  // Tables of another version may be others.
  const replicas = await readReplicaFacts(database, named?.urls ?? [], named?.lagMs ?? 0);
  if (pending.length + unknown.length > 0) return { server, replicas, work: null };
  return { server, replicas, work: await readWorkFacts(database), files: await readFileFacts(database, files) };
}

async function readFileFacts({ reader }: Database, storage: FileStorage | null): Promise<FileFacts> {
  return {
    storage: storage?.name ?? null,
    fault: storage === null ? null : await storage.probe().then(() => null, operatorWords),
    places: await readFilePlaces(reader),
    waiting: await readWaitingObjects(reader, storage?.keepDays ?? 0),
  };
}
