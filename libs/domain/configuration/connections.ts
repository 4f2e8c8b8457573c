// How many database connections a process opens, by what it does with them.

// Many a job holds a connection and asks for a second one, and so do the four loops of the indexer. One must be left for whoever asks, and one for those who hold none.
const besideJobs = 6;

/** The connections of a worker: MUNIMENT_POOL_SIZE, and six more than the jobs that it runs at once at least. With fewer these may hold all of them and wait for more. */
export const connectionsOfWorker = (config: {
  readonly MUNIMENT_POOL_SIZE: number;
  readonly MUNIMENT_WORKER_CONCURRENCY: number;
}): number => Math.max(config.MUNIMENT_POOL_SIZE, config.MUNIMENT_WORKER_CONCURRENCY + besideJobs);
