// Mailboxes of merges, of what is to run alone among the records of a repository, and of deletions in steps.

/** The mailbox of merges: of global records, or of a repository. */
export const mergeMailbox = (repoId: number | null): string => (repoId === null ? 'merge' : `merge/${repoId}`);

/** The mailbox of what takes from a whole repository, or from its records all that links to them. */
export const repositoryMailbox = (repoId: number): string => `repository/${repoId}`;

/**
 * The mailbox of jobs that take refs out of others in steps (docs/decisions/0046). Global records: that of merges, which lead refs over in steps. Of a repository: that of transfers, with which a holder, or the record itself, would leave it
 * before its refs are given back.
 */
export const holdersMailbox = (repoId: number | null): string =>
  repoId === null ? mergeMailbox(null) : repositoryMailbox(repoId);
