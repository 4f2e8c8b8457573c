// What somebody else does while a transaction of the test is open.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Runs it outside the rule that transactions do not nest. */
export const outside = AsyncLocalStorage.snapshot();
