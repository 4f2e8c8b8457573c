// How large the heaps of a worker may grow, its main thread's and those of its other threads.

/**
 * In MB. Below 2 GB V8 lets a heap grow to twice at most of what is alive in it before it collects; above, which is its default on a machine
 * of 8 GB and more, to four times (100,000 components: 320 MB in place of 480). A task that needs more fails alone, and the process goes on.
 */
export const heapLimitMb = 1536;

/** Options of Node for a worker process; package.json's script `worker` has the same. */
export const heapOptions: readonly string[] = [`--max-old-space-size=${heapLimitMb}`, '--max-semi-space-size=8'];
