// A data folder as the first start of the service leaves it, with its first worker's work done, for tests of what comes later. One is made for the whole
// run, and each test has a copy: making the cluster, the tables and the index of the reference data takes most of what such a start takes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { inject } from 'vitest';
import { openForService } from '../../apps/open.ts';
import { readServiceConfig } from '../../apps/service-config.ts';
import { cleanEnvironment, makeDataDir } from './service.ts';
import { settle } from './settled.ts';

/** Makes a data folder that was started and stopped once; its administrator has the password that is kept in it. Dispose as one of `makeDataDir`. */
export async function startedDataDir(): Promise<ReturnType<typeof makeDataDir>> {
  const data = makeDataDir();
  await fillWithStarted(data.path);
  return data;
}

/** Makes a folder that is there and empty such a one. */
export async function fillWithStarted(folder: string): Promise<void> {
  const home = dirname(decodeURIComponent(new URL(inject('clusterUrl')).hostname));
  // A server that is not the run's own has no folder here.
  if (!basename(home).startsWith('muniment-test-')) return start(folder);
  // With its owners: the server's files are another user's where we are root.
  const { status, stderr } = spawnSync('cp', ['-a', `${await firstStarted(home)}/.`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`);
}

/** The folder that copies are made of. It goes with the folder of the run's cluster, in which it is; of several processes one makes it. */
async function firstStarted(home: string): Promise<string> {
  const place = join(home, 'first-started');
  const making = `${place}.making`;
  for (; !existsSync(place); await sleep(100)) {
    try {
      mkdirSync(making);
    } catch {
      continue; // Another process is at it.
    }
    try {
      if (existsSync(place)) continue;
      await using data = makeDataDir();
      await start(data.path);
      renameSync(data.path, place);
    } finally {
      rmdirSync(making);
    }
  }
  return place;
}

/** Starts what `npm start` does with a data folder, in this process, and stops it when its worker has nothing left to do. */
async function start(folder: string): Promise<void> {
  const config = readServiceConfig(cleanEnvironment({ MUNIMENT_DATA_DIR: folder }));
  const opened = await openForService(config, pino({ level: 'silent' }), 'api');
  try {
    await settle(opened.url);
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}
