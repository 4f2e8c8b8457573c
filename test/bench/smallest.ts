// The sizes at which benchmarks show that they run, by the variables of the environment that set them (`npm run bench -- --small`).

/** Variables and their values. One that a benchmark has is here too, but for what chooses among its parts. */
export const smallest: { readonly [variable: string]: string } = {
  BENCH_BACKLOG: '200',
  BENCH_BATCHES: '2',
  BENCH_BODY_BYTES: '2000000',
  BENCH_COMPONENTS: '2500',
  BENCH_DOCUMENTS: '3000',
  BENCH_IDLE_MS: '1000',
  BENCH_IMPORT: '3000',
  BENCH_MAILBOXES: '20',
  BENCH_MEMORY: '2000',
  BENCH_MOVES: '10',
  BENCH_QUEUED: '200',
  BENCH_REQUESTS: '10',
  BENCH_ROUNDS: '1',
  BENCH_ROWS: '500',
  BENCH_SECONDS: '1',
  BENCH_SECOND_UP_TO: '2000',
  BENCH_SIZES: '1000,2000',
};
