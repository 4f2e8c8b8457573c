// Mailboxes of what leads refs from record to record, or takes them out, and of what is to run alone among the records of a repository.

/** The mailbox of what takes from a whole repository, or from its records all that links to them. */
export const repositoryMailbox = (repoId: number): string => `repository/${repoId}`;

/**
 * The mailbox of merges, of their undos, and of jobs that take refs out of others: all of these may go in steps (docs/decisions/0046). Of a repository: that of transfers, with which a holder, or the record itself, would leave it
 * before its refs are led back.
 */
export const holdersMailbox = (repoId: number | null): string =>
  repoId === null ? 'merge' : repositoryMailbox(repoId);
