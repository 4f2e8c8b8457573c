// The failures of a start that an operator can mend, in words: which setting, what was found, what to do.
import { resolve } from 'node:path';
import type { Config } from '#domain/config.ts';

/** A start that its settings make impossible; the message is for the operator. */
class StartRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartRefused';
  }
}

/** What a process is to the operator: one with settings of its own, or the worker of `npm start`, whose port for numbers is the one after the setting. */
export type Role = 'own' | 'worker of npm start';

/** What the error means for the operator; null where it is none that a setting or the machine explains. Passwords are never shown. */
export function explainStartFailure(error: unknown, config: Config, role: Role = 'own'): string | null {
  if (!(error instanceof Error)) return null;
  // Words for the operator already: ours, migrations that refuse, and the embedded server's own.
  if (error instanceof StartRefused || error.name === 'MigrationRefused') return error.message;
  if (error.message.startsWith('PostgreSQL did not start')) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  return (
    explainListening(error, code, config, role) ??
    explainFiles(error, code, config) ??
    explainOurDatabase(error, config)
  );
}

/** Throws where the worker of `npm start` could not show its numbers because the service itself has that port: it would end again and again beside a service that says it is ready. */
export function checkPortOfWorker(config: Config): void {
  const { HOST, PORT, MUNIMENT_METRICS_HOST, MUNIMENT_METRICS_PORT: given } = config;
  if (given !== 0 && given + 1 === PORT && HOST === MUNIMENT_METRICS_HOST) throw new StartRefused(takenByService(PORT));
}

const takenByService = (port: number): string =>
  `The worker of npm start shows its numbers at the port after MUNIMENT_METRICS_PORT (${port - 1}), which is ${port} and PORT. Choose another: MUNIMENT_METRICS_PORT=${port + 1}.`;

function explainListening(error: Error, code: string, config: Config, role: Role): string | null {
  const { HOST: host, PORT: port } = config;
  const ofNumbers = explainMetrics(error, code, config, role);
  if (ofNumbers !== null) return ofNumbers;
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

/** The same for the port of /metrics, where the error names that one; null otherwise. */
function explainMetrics(error: Error, code: string, config: Config, role: Role): string | null {
  const { MUNIMENT_METRICS_HOST: host, MUNIMENT_METRICS_PORT: port } = config;
  if (port === 0) return null;
  const isNext = role === 'worker of npm start';
  if (code === 'EADDRINUSE' && isNext)
    return port === config.PORT
      ? takenByService(port)
      : `Another program listens on port ${port} of ${host} already, at which the worker of npm start shows its numbers: the one after MUNIMENT_METRICS_PORT (${port - 1}). MUNIMENT_METRICS_PORT names others.`;
  // Neither comes up where the other is there, whoever else listens.
  if (code === 'EADDRINUSE' && port === config.PORT)
    return `PORT and MUNIMENT_METRICS_PORT are both ${port}, and each needs one of its own: MUNIMENT_METRICS_PORT=${port + 1}.`;
  const isItsPort = 'port' in error && error.port === port && (isNext || port !== config.PORT);
  if (code === 'EADDRINUSE' && isItsPort)
    return `Another program listens on port ${port} of ${host} already. MUNIMENT_METRICS_PORT names another.`;
  if (code === 'EADDRNOTAVAIL' && isItsPort)
    return `MUNIMENT_METRICS_HOST is ${host}, which is not an address of this machine.`;
  const isItsName = 'hostname' in error && error.hostname === host && host !== config.HOST;
  return isItsName && (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    ? `MUNIMENT_METRICS_HOST is ${host}, a name that nothing knows.`
    : null;
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
    case 'ENOENT':
      // As in /proc; other files that are not there are no matter of the folder.
      return 'syscall' in error && error.syscall === 'mkdir' ? dataFolder('no folder can be made there') : null;
    case 'ENOSPC':
      return dataFolder('the disk is full');
    default:
      return null;
  }

  function dataFolder(fault: string): string {
    return `The data folder ${folder} cannot be used: ${fault}. MUNIMENT_DATA_DIR names another.`;
  }
}

function explainOurDatabase(error: Error, config: Config): string | null {
  const { DATABASE_DIRECT_URL: direct, DATABASE_URL: url } = config;
  if (direct !== undefined) return explainDatabase(error, direct, 'DATABASE_DIRECT_URL');
  return url === undefined ? null : explainDatabase(error, url, 'DATABASE_URL');
}

/** What the error of a connection to that database means, and what names it, such as a setting; null where it is about something else. */
export function explainDatabase(error: Error, url: string, namedBy: string): string | null {
  const about = (fault: string): string => `The database ${withoutPassword(url)} ${fault}. ${namedBy} names it.`;
  const code = 'code' in error ? String(error.code) : '';
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
