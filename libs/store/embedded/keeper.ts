// Keeps the embedded server running for a service that runs for months: PostgreSQL restarts its own processes, but nobody restarts its
// main one (killed by the system when memory is short, or by hand).
import { setTimeout as sleep } from 'node:timers/promises';
import type { EmbeddedOptions, EmbeddedServer } from './server.ts';
import { startEmbedded } from './server.ts';

/** A server that is started again where it dies. Dispose to stop it. */
export type KeptServer = AsyncDisposable & { readonly url: string };

/** How often the server is looked at; what waits for it meanwhile is answered with `unavailable`. */
const lookMs = 1000;
/** Where it does not start (a full disk) the next try comes later and later, up to this. */
const longestPauseMs = 15_000;

/** Starts or adopts the server of the data folder as startEmbedded does, and starts it again whenever it is gone. */
export async function keepEmbedded(options: EmbeddedOptions): Promise<KeptServer> {
  const { log } = options;
  let server: EmbeddedServer = await startEmbedded(options);
  const { url } = server;
  const stopping = new AbortController();

  const watch = async (): Promise<void> => {
    for (let pauseMs = lookMs; !stopping.signal.aborted;) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined); // Ended by the stop, which the loop sees.
      if (stopping.signal.aborted || server.isRunning()) continue;
      log('database_died');
      try {
        server = await startEmbedded(options);
        // A data folder with a long path has its socket elsewhere, and at another place each time: then only a new start of everything helps.
        pauseMs = lookMs;
        log(server.url === url ? 'database_restarted' : 'database_moved', {
          advice: server.url === url ? undefined : 'start the service again',
        });
      } catch (error) {
        pauseMs = Math.min(longestPauseMs, pauseMs * 2);
        log('database_restart_failed', { error: error instanceof Error ? error.message : String(error) });
      }
    }
  };
  const watching = watch();
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await watching;
      await server.stop();
    },
  };
}
