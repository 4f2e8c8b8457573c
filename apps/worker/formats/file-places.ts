// Of which of several files, and of which row of a sheet, the records of an upload are: an import job stores the records of all its files as
// one upload, and whoever mends a fault must know the file and the row that it is in.

/** Where a record is from; null: nothing to be told. */
export type Place = { readonly file: string | null; readonly line: number | null };

/** The files of an import in the order in which they are read. */
export type FilePlaces = {
  /** A file is being read from now on; null where its name need not be told. */
  begin(name: string | null): void;
  /** It was read to its end, and gave so many records; of a sheet, `lines` are those of their rows. */
  end(records: number, lines?: readonly number[]): void;
  /** Where this record of the upload (counted from 1) is from; of null the file that is being read. */
  placeOf(record: number | null): Place;
};

/** Makes the account of an import. */
export function filePlaces(): FilePlaces {
  const read: {
    readonly name: string | null;
    readonly after: number;
    readonly upTo: number;
    readonly lines: readonly number[];
  }[] = [];
  let open: string | null = null;
  return {
    begin(name) {
      open = name;
    },
    end(records, lines = []) {
      const after = read.at(-1)?.upTo ?? 0;
      read.push({ name: open, after, upTo: after + records, lines });
      open = null;
    },
    placeOf(record) {
      if (record === null) return { file: open, line: null };
      const found = read.find(({ upTo }) => record <= upTo);
      return { file: found?.name ?? null, line: found?.lines[record - found.after - 1] ?? null };
    },
  };
}
