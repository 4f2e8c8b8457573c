// Settings that are right each by itself and do not fit each other, or the place that the service runs in.
import type { Config } from '../config.ts';
import { connectionsOfWorker } from '../configuration/connections.ts';
import type { Finding, Level } from './finding.ts';
import { finding, someOf } from './finding.ts';

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** Findings about the configuration. `unknown`: variables that look like settings and are none. */
export function judgeSettings(config: Config, unknown: readonly string[]): readonly Finding[] {
  const isOpen = !loopback.has(config.HOST);
  const { MUNIMENT_POOL_SIZE: pool, MUNIMENT_WORKER_CONCURRENCY: jobs } = config;
  const opened = connectionsOfWorker(config);
  const { MUNIMENT_MAX_BODY_BYTES: body, MUNIMENT_MAX_BODIES_BYTES: bodies } = config;
  const found = (level: Level, isSo: boolean, says: string, advice: string): readonly Finding[] =>
    isSo ? [finding(level, 'settings', says, advice)] : [];
  return [
    ...found(
      'problem',
      isOpen && config.MUNIMENT_ADMIN_PASSWORD === 'admin',
      `MUNIMENT_ADMIN_PASSWORD is admin, and HOST is ${config.HOST}, which others reach.`,
      'Set a password that nobody guesses.',
    ),
    ...found(
      'warning',
      unknown.length > 0,
      `No settings are called ${someOf(unknown)}.`,
      'They do nothing: misspelled? docs/configuration.md lists all.',
    ),
    ...found(
      'warning',
      isShorter(config.MUNIMENT_SESSION_LIFETIME_SECONDS, config.MUNIMENT_SESSION_TTL_SECONDS),
      'Sessions end by MUNIMENT_SESSION_LIFETIME_SECONDS before MUNIMENT_SESSION_TTL_SECONDS of idling could end them.',
      'Set a lifetime longer than the idle time.',
    ),
    ...found(
      'warning',
      isShorter(config.MUNIMENT_SESSION_LONG_LIFETIME_SECONDS, config.MUNIMENT_SESSION_LONG_TTL_SECONDS),
      'Sessions end by MUNIMENT_SESSION_LONG_LIFETIME_SECONDS before MUNIMENT_SESSION_LONG_TTL_SECONDS of idling could end them.',
      'Set a lifetime longer than the idle time.',
    ),
    ...found(
      'warning',
      body > bodies,
      `MUNIMENT_MAX_BODY_BYTES (${body}) is more than MUNIMENT_MAX_BODIES_BYTES (${bodies}), which then does not count.`,
      'Give all bodies together at least the room of one, better of four.',
    ),
    ...found(
      'notice',
      opened > pool,
      `A worker runs ${jobs} jobs at once (MUNIMENT_WORKER_CONCURRENCY) and opens ${opened} connections for them, more than the ${pool} of MUNIMENT_POOL_SIZE.`,
      'Lower MUNIMENT_WORKER_CONCURRENCY where connections are scarce.',
    ),
    ...found(
      'warning',
      config.MUNIMENT_OAI_URL !== '' && config.MUNIMENT_PUBLIC_URL.startsWith('http://localhost'),
      `Harvesters come to ${config.MUNIMENT_OAI_URL} and are given addresses of records at ${config.MUNIMENT_PUBLIC_URL}.`,
      'Set MUNIMENT_PUBLIC_URL to the address of the public site.',
    ),
    ...found(
      'notice',
      isOpen && config.MUNIMENT_TRUST_PROXY === '',
      `HOST is ${config.HOST}, and MUNIMENT_TRUST_PROXY is empty: behind a proxy all clients count as one address for the limits of failed logins.`,
      'Name the proxy, such as MUNIMENT_TRUST_PROXY=1. Without one all is well.',
    ),
    ...found(
      'notice',
      config.MUNIMENT_DISK_RESERVE_MB > 0 && config.MUNIMENT_DISK_RESERVE_MB < 256,
      `MUNIMENT_DISK_RESERVE_MB is ${config.MUNIMENT_DISK_RESERVE_MB}: a small disk may still fill between two batches.`,
      'Leave 256 or more.',
    ),
  ];
}

// A lifetime of 0 is none.
const isShorter = (lifetime: number, idle: number): boolean => lifetime > 0 && lifetime < idle;
