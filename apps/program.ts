// What the programs of the service have in common: configuration, log, an orderly end on a signal, and a start that fails with words
// for the operator in place of a stack.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { unknownVariables } from '#domain/config.ts';
import type { Config } from '#domain/config.ts';
import { currentTracer } from '#store/observing/tracing.ts';
import { LogOutput } from './log-output.ts';
import { RecentLog } from './recent-log.ts';
import { readServiceConfig } from './service-config.ts';
import type { Role } from './start-failure.ts';
import { explainStartFailure } from './start-failure.ts';

/** A program that runs. What it opens it hands to `opened`, which closes it in reverse order at the end, also where the start fails. */
export type Program = {
  readonly config: Config;
  readonly log: Logger;
  /** The last lines of the log. */
  readonly recentLog: RecentLog;
  readonly opened: AsyncDisposableStack;
  /** Ends the program; `why` is for the log. Further calls do nothing. */
  readonly stop: (why: string) => void;
};

/** Exit codes: a wrong configuration (sysexits EX_CONFIG: starting again is of no use), and everything else that goes wrong. */
const exitCodes = { configuration: 78, failure: 1 } as const;
/** The longest that an end may take, beside MUNIMENT_DRAIN_SECONDS, before the process goes without: systemd and containers would kill it a moment later. */
const patienceMs = 50_000;

/**
 * Runs `start` and keeps the program until SIGINT, SIGTERM, SIGHUP or `stop`. A signal that comes during the start waits for its end.
 * `name` stands as `process` in every line of the log. `onSignal: 'ignore'` is for a child whose parent says when.
 */
export async function runProgram(
  name: string,
  start: (program: Program) => Promise<void>,
  onSignal: 'stop' | 'ignore' = 'stop',
): Promise<void> {
  const config = readConfigOrEnd();
  const recentLog = new RecentLog();
  const log = pino(
    { level: config.LOG_LEVEL, base: { process: name, pid: process.pid }, ...traceOfLines(config) },
    pino.multistream([
      { level: 'trace', stream: new LogOutput() },
      { level: 'trace', stream: recentLog },
    ]),
  );
  const unknown = unknownVariables(process.env);
  // A child has its parent's variables, and the parent has said so.
  if (unknown.length > 0 && onSignal === 'stop')
    log.warn({ event: 'unknown_variables', variables: unknown }, 'no such setting: misspelled?');
  const opened = new AsyncDisposableStack();
  const beginning = Promise.withResolvers<void>();
  let isStopping = false;
  const end = async (why: string): Promise<void> => {
    log.info({ event: `${name}_stopping`, why });
    await beginning.promise;
    const mostMs = patienceMs + config.MUNIMENT_DRAIN_SECONDS * 1000;
    const isClosed = await Promise.race([opened.disposeAsync().then(() => true), sleep(mostMs, false)]);
    if (isClosed) log.info({ event: `${name}_stopped` });
    else log.error({ event: `${name}_cut`, seconds: mostMs / 1000 }, 'the end took too long');
    process.exit(isClosed ? 0 : exitCodes.failure);
  };
  const stop = (why: string): void => {
    if (isStopping) return;
    isStopping = true;
    end(why).catch((error: unknown) => {
      log.error({ event: `${name}_stop_failed`, err: error });
      process.exit(exitCodes.failure);
    });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (onSignal === 'stop') stop(signal);
    });
  try {
    if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
      // Loaded by those alone who want it. The first to be opened is closed last, when all spans have ended.
      const { startTelemetry } = await import('./telemetry.ts');
      opened.use(startTelemetry(config, name, log));
    }
    await start({ config, log, recentLog, opened, stop });
  } catch (error) {
    await opened.disposeAsync().catch((closing: unknown) => log.error({ event: `${name}_stop_failed`, err: closing }));
    endOfFailedStart(error, config, log, onSignal === 'ignore' ? 'worker of npm start' : 'own');
  }
  beginning.resolve();
}

/** Lines that are written within a span say which. */
function traceOfLines(config: Config): { readonly mixin?: () => object } {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return {};
  return {
    mixin: () => {
      const current = currentTracer()?.current() ?? null;
      return current === null ? {} : { trace_id: current.traceId, span_id: current.spanId };
    },
  };
}

function readConfigOrEnd(): Config {
  try {
    return readServiceConfig(process.env);
  } catch (error) {
    process.stderr.write(
      `\nMuniment could not start. ${error instanceof Error ? error.message : String(error)}\nEvery variable is in docs/configuration.md.\n\n`,
    );
    process.exit(exitCodes.configuration);
  }
}

/** What the operator can mend is told in words; only what nobody foresaw comes with its stack, in the log. */
function endOfFailedStart(error: unknown, config: Config, log: Logger, role: Role): never {
  const explained = explainStartFailure(error, config, role);
  if (explained === null) log.fatal({ event: 'start_failed', err: error });
  else log.fatal({ event: 'start_failed' }, explained);
  process.stderr.write(
    `\nMuniment could not start. ${explained ?? (error instanceof Error ? error.message : String(error))}\n\n`,
  );
  process.exit(exitCodes.failure);
}
