// The threads of the product's tasks, shared by all that a test process runs one after another: starting them costs more than most tests.
// They keep nothing between tasks; test/integration/worker/threads/pool.test.ts starts and ends pools of its own, and so does every service process.
import type { Threads } from '../../apps/worker/threads/pool.ts';
import { startThreads } from '../../apps/worker/threads/pool.ts';

let threads: Promise<Threads> | undefined;

/** The threads of this process, started when they are first asked for. They end with the process; nobody closes them. */
export const sharedThreads = (): Promise<Threads> => (threads ??= startThreads(2));
