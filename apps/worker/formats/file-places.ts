// Of which of several files the records of an upload are: an import job stores the records of all its files as one upload, and whoever
// mends a fault must know the file that it is in.

/** The files of an import in the order in which they are read. */
export type FilePlaces = {
  /** A file is being read from now on. */
  begin(name: string): void;
  /** It was read to its end, and gave so many records. */
  end(records: number): void;
  /** The name of the file that has this record of the upload (counted from 1), of null the one that is being read; null where there is none. */
  nameOf(record: number | null): string | null;
};

/** Makes the account of an import. */
export function filePlaces(): FilePlaces {
  const read: { readonly name: string; readonly upTo: number }[] = [];
  let open: string | null = null;
  return {
    begin(name) {
      open = name;
    },
    end(records) {
      if (open !== null) read.push({ name: open, upTo: (read.at(-1)?.upTo ?? 0) + records });
      open = null;
    },
    nameOf: (record) => (record === null ? open : (read.find(({ upTo }) => record <= upTo)?.name ?? null)),
  };
}
