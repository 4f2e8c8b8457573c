// What keeps files outside of the database, as libs/store/files uses it; s3.ts is the one there is. Keys are the database's own: nothing is ever
// written twice under one, so whatever is read under it is what was written, or damaged.

/** A storage of objects by key. Everything throws `unavailable` where the storage does not answer, or refuses. */
export type FileStorage = {
  /** For people, and for what the database notes: s3://bucket/prefix. */
  readonly name: string;
  /** Whether new files go there; false: it is read, and files are moved back into the database. */
  readonly takesNew: boolean;
  /** How many days the object of a file that was removed stays. */
  readonly keepDays: number;
  /** Stores a stream as it comes, holding a few parts of it. Errors of the source are thrown as they are. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes from `from` up to `to` (not included); null where there is no such object, or none of this size. */
  read(key: string, from: number, to: number, sizeBytes: number): Promise<Buffer | null>;
  /** The size of an object; null where there is none. */
  sizeOf(key: string): Promise<number | null>;
  /** Removes an object, and what was sent of one that was never finished. Nothing where there is none. */
  remove(key: string): Promise<void>;
  /** The keys of all objects that are ours by their names, in pieces of a thousand. */
  list(): AsyncGenerator<readonly string[], void, undefined>;
  /** Asks for what costs little, to see whether the storage answers and lets us in. */
  probe(): Promise<void>;
};

/** Keys begin with this, so that what is ours is known among other objects of the bucket. */
export const keyStart = 'files/';
