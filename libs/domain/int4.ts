// The whole numbers that the database holds where ids, versions, positions and limits are stored (PostgreSQL's integer).

/** The largest of them. */
export const largestInt4 = 2_147_483_647;
