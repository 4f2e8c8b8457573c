// A network between processes of the service and PostgreSQL that can be slow, silent, cut and away: a TCP server whose connections go on to the server's
// address.
import { once } from 'node:events';
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The network. Dispose to close it. */
export type Network = AsyncDisposable & {
  readonly port: number;
  /** From now on each piece of data takes a time between nothing and `ms`. */
  slow(ms: number): void;
  /** From now on nothing arrives, and nobody is told; it arrives when healed. */
  silence(): void;
  /** Ends all connections that there are. */
  cut(): void;
  /** The same, and who made them is not told. */
  strand(): void;
  /** The same, and refuses new ones. */
  away(): void;
  heal(): void;
};

/** Opens the network on a free port. `target` is where it leads. */
export async function openNetwork(target: NetConnectOpts, random: () => number = Math.random): Promise<Network> {
  const open = new Set<Socket>();
  const stranded = new Set<Socket>();
  const farSides = new Map<Socket, Socket>();
  let slowMs = 0;
  let isAway = false;
  let silent: PromiseWithResolvers<void> | null = null;
  const passing = async (): Promise<void> => {
    if (slowMs > 0) await sleep(random() * slowMs);
    while (silent !== null) await silent.promise;
  };
  const pass = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    const next = (act: () => void): void => {
      last = last.then(passing).then(() => {
        if (!stranded.has(to)) act();
      });
    };
    from.on('data', (piece: Buffer) => next(() => void (to.writable && to.write(piece))));
    from.on('end', () => next(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      open.delete(from);
      next(() => to.destroy());
    });
  };
  const server = createServer((near) => {
    if (isAway) return void near.destroy();
    const far = connect(target);
    for (const socket of [near, far]) open.add(socket.setNoDelay());
    farSides.set(near, far);
    near.on('close', () => {
      farSides.delete(near);
      stranded.delete(near);
    });
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const heal = (): void => {
    slowMs = 0;
    isAway = false;
    silent?.resolve();
    silent = null;
  };
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port,
    slow: (ms) => {
      slowMs = ms;
    },
    silence: () => {
      silent ??= Promise.withResolvers<void>();
    },
    cut,
    strand: () => {
      for (const [near, far] of farSides) {
        stranded.add(near);
        far.destroy();
      }
    },
    away: () => {
      isAway = true;
      cut();
    },
    heal,
    [Symbol.asyncDispose]: async () => {
      heal();
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Where the server of a database URL listens: a Unix socket, or a host and port. */
export function targetOf(databaseUrl: string): NetConnectOpts {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port === '' ? '5432' : port}` }
    : { host, port: Number(port === '' ? '5432' : port) };
}
