// The failures of a start that an operator can mend, in words: which setting, what was found, what to do.
import { resolve } from 'node:path';
import type { Config } from '#domain/config.ts';

/** What the error means for the operator; null where it is none that a setting or the machine explains. Passwords are never shown. */
export function explainStartFailure(error: unknown, config: Config): string | null {
  if (!(error instanceof Error)) return null;
  // Words for the operator already: migrations that refuse, and the embedded server's own.
  if (error.name === 'MigrationRefused' || error.message.startsWith('PostgreSQL did not start')) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  return (
    explainListening(error, code, config) ?? explainFiles(error, code, config) ?? explainDatabase(error, code, config)
  );
}

function explainListening(error: Error, code: string, { HOST: host, PORT: port }: Config): string | null {
  switch (code) {
    case 'EADDRINUSE':
      return `Another program listens on port ${port} of ${host} already, perhaps another Muniment. Stop it, or choose another port: PORT=${port + 1}.`;
    case 'EADDRNOTAVAIL':
      return `HOST is ${host}, which is not an address of this machine. 127.0.0.1 serves this machine alone, 0.0.0.0 all networks.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'hostname' in error && error.hostname === host
        ? `HOST is ${host}, a name that nothing knows. 127.0.0.1 serves this machine alone, 0.0.0.0 all networks.`
        : null;
    default:
      return null;
  }
}

function explainFiles(error: Error, code: string, config: Config): string | null {
  const folder = resolve(config.MUNIMENT_DATA_DIR);
  const isListening = 'syscall' in error && error.syscall === 'listen';
  switch (code) {
    case 'EACCES':
      return isListening
        ? `Port ${config.PORT} may not be used by this user: ports below 1024 need rights of their own.`
        : dataFolder('this user may not write there');
    case 'EPERM':
    case 'EROFS':
      return dataFolder('it cannot be written');
    case 'ENOTDIR':
    case 'EEXIST':
      return dataFolder('something that is not a folder is in its place');
    case 'ENOSPC':
      return dataFolder('the disk is full');
    default:
      return null;
  }

  function dataFolder(fault: string): string {
    return `The data folder ${folder} cannot be used: ${fault}. MUNIMENT_DATA_DIR names another.`;
  }
}

function explainDatabase(error: Error, code: string, config: Config): string | null {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url === undefined) return null;
  const about = (fault: string): string => `The database ${withoutPassword(url)} ${fault}. DATABASE_URL names it.`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENOENT':
      return about(`does not answer (${code}): is the server running, and reachable from here?`).replace('?.', '?');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return about('is on a host whose name is not known here');
    case '28P01':
    case '28000':
      return about(`refuses the user: ${error.message}`);
    case '3D000':
      return about('does not exist on its server: create it first (createdb)');
    case '42501':
      return about(`does not let this user make tables: ${error.message}`);
    case '08P01':
      return about(
        `does not take our connections: ${error.message}. A pooler must let the options of connections pass (docs/operations.md)`,
      );
    case '57P03':
    case '53300':
      return about(`takes no connections now: ${error.message}`);
    default:
      // pg's own words for a connection that ended or took too long have no code.
      return /timeout expired|Connection terminated/.test(error.message) ? about('does not answer') : null;
  }
}

/** The URL as an operator may see it in a log. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return '(which is no URL: postgresql://user:password@host:5432/name)';
  const url = new URL(text);
  if (url.password !== '') url.password = '***';
  if (url.searchParams.has('password')) url.searchParams.set('password', '***');
  return url.href;
}
