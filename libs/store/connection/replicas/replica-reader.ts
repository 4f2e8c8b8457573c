// Reads that a replica answers, and the primary where the replica does not.
import { isRefusedByReplica, isServerAway } from '../pg-errors.ts';
import type { Reader } from '../reader.ts';
import type { Transaction, TransactionOptions } from '../transaction.ts';

/** What answers reads while it is in use. */
export type ReadSource = {
  readonly url: string;
  readonly isInUse: boolean;
  readonly reader: Reader;
  transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T>;
  /** Leaves it out until it has answered again. */
  leaveOut(): void;
};

/** Which replica answers, until `isOver`: then, and whenever the replica is left out, the primary does. */
export type Reads = { readonly replica: ReadSource; readonly isOver: () => boolean; readonly onRefused: () => void };

/** Whether the replica answers at this moment. */
export const isOnReplica = ({ replica, isOver }: Reads): boolean => !isOver() && replica.isInUse;

/**
 * Does `work` on the replica, or on the primary: where the replica is left out, or gives up what the primary would do (a conflict with what it
 * replays, an end of the connection). `work` has no effect outside the database, for it may be done twice.
 */
export async function onEither<T>(reads: Reads, work: (where: 'replica' | 'primary') => Promise<T>): Promise<T> {
  const { replica, onRefused } = reads;
  if (!isOnReplica(reads)) return work('primary');
  try {
    return await work('replica');
  } catch (error) {
    if (!isRefusedByReplica(error)) throw error;
    if (isServerAway(error)) replica.leaveOut();
    onRefused();
    return work('primary');
  }
}

/** A reader whose statements go to one or the other, each by itself. */
export function readerOnEither(reads: Reads, primary: Reader): Reader {
  const { reader: own } = reads.replica;
  const ask = <T>(work: (reader: Reader) => Promise<T>): Promise<T> =>
    onEither(reads, (where) => work(where === 'replica' ? own : primary));
  return {
    any: (query) => ask((reader) => reader.any(query)),
    maybeOne: (query) => ask((reader) => reader.maybeOne(query)),
    one: (query) => ask((reader) => reader.one(query)),
    named: (statement, values) => ask((reader) => reader.named(statement, values)),
    byId: (statement, id) => ask((reader) => reader.byId(statement, id)),
    // Good for whichever answers, as what is remembered is asked for by the version of the tree.
    ...(own.positions === undefined ? {} : { positions: own.positions }),
  };
}
