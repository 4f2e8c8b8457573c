// The command lines of initdb and postgres: encoding and sort order that are the same on every machine, memory by what
// there is, Unix socket only.
import { totalmem } from 'node:os';

/** Name of the database superuser, who owns everything; access is by the socket's folder, which only the server's user may enter. */
export const databaseUser = 'muniment';

/** Arguments of `initdb`. The builtin locale provider needs no locale of the machine, so sort order is the same everywhere. */
export function initdbArguments(clusterDir: string, isDurable: boolean): string[] {
  return [
    '-D',
    clusterDir,
    '-U',
    databaseUser,
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--locale=C.UTF-8',
    '--no-instructions',
    ...(isDurable ? [] : ['--no-sync']),
  ];
}

/** Arguments of `postgres`. `settings` come last and win over our own. The programs have no lz4 or zstd: wal_compression is pglz. */
export function serverArguments(
  clusterDir: string,
  socketDir: string,
  settings: Readonly<Record<string, string>>,
): string[] {
  const all = {
    shared_buffers: `${sharedBuffersMegabytes(totalmem(), process.constrainedMemory())}MB`,
    max_connections: '200',
    max_wal_size: '4GB',
    wal_compression: 'pglz',
    shared_preload_libraries: 'pg_stat_statements',
    timezone: 'UTC',
    log_timezone: 'UTC',
    unix_socket_permissions: '0700',
    ...settings,
  };
  return [
    '-D',
    clusterDir,
    '-k',
    socketDir,
    '-h',
    '',
    '-p',
    '5432',
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/**
 * A sixteenth of the memory, between 128 MB and 1 GB: Node's processes live on the same machine. `limitBytes` is what the processes may have of
 * it, as a container's; 0 where nobody says, and more than there is where nobody limits it.
 */
export function sharedBuffersMegabytes(machineBytes: number, limitBytes: number): number {
  const bytes = limitBytes > 0 ? Math.min(machineBytes, limitBytes) : machineBytes;
  return Math.min(1024, Math.max(128, Math.floor(bytes / 16 / 1024 / 1024)));
}
