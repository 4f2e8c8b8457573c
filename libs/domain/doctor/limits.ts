// From where on something is worth a finding. Shares are of 1, times in seconds.

/** The limits. Tests lower them to see a finding of what cannot be made to happen in seconds. */
export type Limits = {
  /** Days until the disk is full: below the first a problem, below the second a warning. */
  readonly diskDays: readonly [number, number];
  /** Free space as a share of the database, where growth is not known. */
  readonly diskShare: number;
  /** Transactions until PostgreSQL refuses writes, as a share of 2^31 used: warning, problem. Vacuum by itself begins at a tenth. */
  readonly wraparound: readonly [number, number];
  /**
   * Dead rows of a table that vacuum should have removed: at least so many, at least such a share of the live ones, for so long. Vacuum comes by itself once a minute, and has enough to do after
   * a large import.
   */
  readonly deadRows: { readonly least: number; readonly share: number; readonly seconds: number };
  readonly transactionSeconds: number;
  readonly connectionShare: number;
  readonly sequenceShare: number;
  readonly queueSeconds: number;
  readonly indexSeconds: number;
  readonly feedSeconds: number;
  readonly harvestSeconds: number;
  readonly webhookSeconds: number;
  readonly backupDays: number;
  readonly clockSeconds: number;
  readonly fileRemovalSeconds: number;
};

/** The limits of the command. */
export const limits: Limits = {
  diskDays: [7, 30],
  diskShare: 0.1,
  wraparound: [0.5, 0.8],
  deadRows: { least: 50_000, share: 0.5, seconds: 900 },
  transactionSeconds: 3600,
  connectionShare: 0.8,
  sequenceShare: 0.8,
  queueSeconds: 300,
  indexSeconds: 300,
  feedSeconds: 60,
  harvestSeconds: 900,
  webhookSeconds: 900,
  backupDays: 2,
  clockSeconds: 5,
  fileRemovalSeconds: 86_400,
};
