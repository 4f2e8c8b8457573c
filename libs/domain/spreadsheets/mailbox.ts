// Spreadsheets are made one at a time for each person: that only reads, so nobody who writes waits for it, and no one takes all places of the workers.

/** The mailbox of spreadsheets that somebody asks for. */
export const sheetMailbox = ({ repoId, actor }: { readonly repoId: number; readonly actor: string | null }): string =>
  `sheet/${repoId}/${actor ?? ''}`;
