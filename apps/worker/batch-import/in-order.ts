// Streams with work going on ahead of the reader: several items at a time, results in the order of the items.

/**
 * Maps a stream with at most `ahead` calls of `work` under way. The first failure in the order of the items is thrown, also where the
 * stream itself fails later, once the calls under way have settled.
 */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  ahead: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const waiting: Promise<Result>[] = [];
  let streamFailure: { readonly error: unknown } | undefined;
  try {
    try {
      for await (const item of items) {
        const result = work(item);
        // Its failure is met where it is awaited; until then it must not count as unhandled.
        result.catch(() => undefined);
        waiting.push(result);
        const oldest = waiting.length >= ahead ? waiting.shift() : undefined;
        if (oldest !== undefined) yield await passedOn(oldest);
      }
    } catch (error) {
      if (error instanceof WorkFailure) throw error.cause;
      streamFailure = { error };
    }
    for (let result = waiting.shift(); result !== undefined; result = waiting.shift()) yield await result;
    if (streamFailure !== undefined) throw streamFailure.error;
  } finally {
    await Promise.allSettled(waiting);
  }
}

/** Tells a failure of the work from one of the stream. */
class WorkFailure extends Error {}

async function passedOn<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw new WorkFailure('work failed', { cause: error });
  }
}

/** The same stream, read ahead by up to `count` items while the reader is busy. */
export async function* readAhead<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  const waiting: Promise<IteratorResult<Item>>[] = [];
  try {
    for (;;) {
      while (waiting.length < count) {
        const next = iterator.next();
        next.catch(() => undefined);
        waiting.push(next);
      }
      const step = await waiting.shift();
      if (step === undefined || step.done === true) return;
      yield step.value;
    }
  } finally {
    await iterator.return?.();
    await Promise.allSettled(waiting);
  }
}
