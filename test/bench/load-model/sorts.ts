// What a simulation is told: sorts of work with what they cost, and the installation that does it.

/** An amount that is always the same, varies exponentially around a mean, or is one of a list, each as likely. */
export type Amount = number | { readonly exponential: number } | { readonly oneOf: readonly number[] };

/**
 * What a piece of work takes, one after another, in seconds: `heldSeconds`, in which it holds its place and nobody computes (the network,
 * the disk); of one core of the worker (of the API where it is no job); of one core of the database.
 */
export type Cost = { readonly heldSeconds: Amount; readonly workerSeconds: Amount; readonly databaseSeconds: Amount };

/**
 * Records that become pending: `single` ones go by the lane of single changes, others by the bulk lane. The seconds are those of one core, for
 * one record. `sets`: of how many different sets the records are one, targets taking them in turn; of a set what is pending already stays where it
 * is. Null: they are new ones each time. `afterwards`: what becomes pending once these are indexed, as dependents do.
 */
export type Fanout = {
  readonly lane: 'single' | 'bulk';
  readonly records: Amount;
  readonly workerSeconds: number;
  readonly databaseSeconds: number;
  readonly sets: number | null;
  readonly afterwards?: Fanout;
};

/**
 * A sort of work. `targets`: how many different records, trees or repositories it concerns, each as likely; Infinity: each time another. `job`: the
 * jobs of a mailbox and target go one after another; null: it is done at once, as requests are. `isLong`: it leaves a worker's last place to
 * others. `pending` begins when it has ended.
 */
export type Sort = {
  readonly name: string;
  readonly perHour: number;
  readonly targets: number;
  readonly job: { readonly mailbox: string; readonly isLong: boolean } | null;
  readonly cost: Cost;
  readonly pending: readonly Fanout[];
};

/** A lane of one worker's indexer: so many loops, each with a batch at a time of at most so many records, and what a batch takes besides its records. */
export type LaneSettings = {
  readonly loops: number;
  readonly batch: number;
  readonly heldSeconds: number;
  readonly workerSeconds: number;
  readonly databaseSeconds: number;
};

/**
 * An installation: workers with so many places for jobs and so many cores each, one indexer in each of them, and a database with so many cores.
 * `claimSeconds`: what passes until a free place has claimed a job.
 * `isOneMachine`: workers, API and database share `databaseCores`, and `workerCores` says nothing; otherwise the API has cores enough.
 */
export type Installation = {
  readonly workers: number;
  readonly slots: number;
  readonly claimSeconds: number;
  readonly workerCores: number;
  readonly databaseCores: number;
  readonly isOneMachine: boolean;
  readonly lanes: { readonly single: LaneSettings; readonly bulk: LaneSettings };
};
