// A small disk of its own for the data folder, which can be filled: a file system in memory, where one may be mounted (Linux, as root).
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processState, stopServer } from '#store/embedded/postmaster.ts';
import { makeDataDir } from '#test/support/service.ts';

/** The data folder. `fill` leaves nothing free and `empty` gives it back; both null where the disk is not ours to fill. */
export type Disk = AsyncDisposable & {
  readonly path: string;
  readonly fill: (() => void) | null;
  readonly empty: () => void;
};

const megabytes = 1536;
const device = 'muniment-fault';

/** Makes a data folder on a disk of its own where that can be done. */
export function makeDisk(): Disk {
  unmountAbandoned();
  const data = makeDataDir();
  const isMounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, device, data.path], { stdio: 'ignore' }).status ===
      0;
  if (!isMounted)
    return {
      path: data.path,
      fill: null,
      empty: () => undefined,
      [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
    };
  chmodSync(data.path, 0o755);
  const ballast = join(data.path, 'ballast');
  return {
    path: data.path,
    fill: () => {
      for (let free = freeBytes(data.path); free > 0; free = Math.min(free, freeBytes(data.path))) {
        try {
          writeFileSync(ballast, Buffer.alloc(Math.min(free, 16 * 1024 * 1024)), { flag: 'a' });
        } catch (error) {
          if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
          throw error;
        }
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    [Symbol.asyncDispose]: async () => {
      rmSync(ballast, { force: true });
      // What is left of a server there would keep the disk busy.
      await stopServer(join(data.path, 'pg'), 10_000);
      spawnSync('umount', ['-l', data.path], { stdio: 'ignore' });
      await data[Symbol.asyncDispose]();
    },
  };
}

const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
};

/** What a run left that was killed itself. */
function unmountAbandoned(): void {
  if (process.getuid?.() !== 0 || !existsSync('/proc/mounts')) return;
  for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
    const [mounted, path = ''] = line.split(' ');
    const pid = Number(/-(\d+)-[^/]*$/.exec(path)?.[1]);
    if (mounted === device && processState(pid) !== 'running') spawnSync('umount', ['-l', path], { stdio: 'ignore' });
  }
}
