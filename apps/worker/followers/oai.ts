// Keeps what harvesters see up with the change feed (docs/decisions/0012). Any number of workers may run it.
import type { Database } from '#store/connection/database.ts';
import { feedChannel, follow } from '#store/change-log/followers.ts';
import type { Listener } from '#store/connection/listener.ts';
import { createWaker } from '#store/connection/listener.ts';
import { applyOaiEntries, ensureOaiItems, oaiFollower, workOffOai } from '#store/oai/follow.ts';

/** What runOai needs. `onError` hears of failed rounds; they are tried again. */
export type OaiSettings = {
  readonly database: Database;
  readonly listener: Listener;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
};

/** Has the list filled where there is none yet, then follows until the signal. */
export async function runOai(settings: OaiSettings): Promise<void> {
  const { database, signal, onError } = settings;
  for (let isFilled = false; !isFilled && !signal.aborted;) {
    try {
      await ensureOaiItems(database);
      isFilled = true;
    } catch (error) {
      onError(error);
      await createWaker().wait(5000, signal);
    }
  }
  if (!signal.aborted) await Promise.all([follow(database, oaiFollower, applyOaiEntries, settings), workOff(settings)]);
}

/** Works off what the follower has put down: beside it, so that small changes do not wait for large ones. */
async function workOff({ database, listener, signal, onError }: OaiSettings): Promise<void> {
  const bell = createWaker();
  const unsubscribe = await listener.subscribe(feedChannel, bell.wake);
  while (!signal.aborted) {
    try {
      if (!(await workOffOai(database))) await bell.wait(1000, signal);
    } catch (error) {
      onError(error);
      await bell.wait(5000, signal);
    }
  }
  unsubscribe();
}
