// Work on a connection that ends when a signal says so: what the server does for it then is canceled, so that a statement of minutes, or
// one that waits for somebody's lock, does not hold up whoever asked for the end.
import net from 'node:net';
import type pg from 'pg';

/** The code of a request to cancel (PostgreSQL protocol 3, CancelRequest): 1234 in its upper half, 5678 in the lower. */
const cancelCode = 80_877_102;
const patienceMs = 2000;
const longestPauseMs = 1000;

/**
 * Runs `work` on the connection. Where the signal aborts, the statement that runs is canceled, again and again until the work has ended,
 * and the signal's reason is thrown, whatever the work gave. No request to cancel is under way any more when this returns; still lend such a
 * connection to nobody else. Without a signal it is the work alone.
 */
export async function endWith<T>(
  client: pg.ClientBase,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work();
  signal.throwIfAborted();
  const over = new AbortController();
  let canceling: Promise<void> | undefined;
  const onAbort = (): void => {
    canceling = cancelUntil(client, over.signal);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const value = await work();
    signal.throwIfAborted();
    return value;
  } catch (error) {
    // What the server says of a canceled statement says nothing of why.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
    over.abort();
    await canceling;
  }
}

// A request that comes between two statements has no effect, so one is not enough.
async function cancelUntil(client: pg.ClientBase, over: AbortSignal): Promise<void> {
  for (let pauseMs = 50; !over.aborted; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    await requestCancel(client);
    await pause(pauseMs, over);
  }
}

/** As node-postgres keeps them: the server's name for the connection, and where the server is. */
type Addressed = {
  readonly processID: number;
  readonly secretKey: number;
  readonly host: string;
  readonly port: number;
};

/**
 * Asks the server, over a connection of its own, to cancel what the given one does. A pooler of connections passes that on to whichever
 * server's process is at work for it, which pg_cancel_backend() cannot. In the clear, as libpq does it: the request tells nothing but a number
 * that is worth something to this connection alone. Resolves once the server has acted, or cannot be reached.
 */
async function requestCancel(client: pg.ClientBase): Promise<void> {
  // Fields of node-postgres that its types leave out.
  const { processID, secretKey, host, port } = client as unknown as Addressed;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, cancelCode, processID, secretKey].entries())
    request.writeInt32BE(value | 0, index * 4);
  await new Promise<void>((resolve) => {
    const socket = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host);
    socket.setTimeout(patienceMs, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('connect', () => socket.write(request));
    socket.on('data', () => undefined);
    // The server closes when it has passed the request on.
    socket.once('close', () => resolve());
  });
}

async function pause(ms: number, over: AbortSignal): Promise<void> {
  if (over.aborted) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    over.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
