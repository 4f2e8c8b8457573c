// How much a run takes on. `npm test` is for every commit and ends in minutes; `npm run test:long` takes every real document, round and kill.

/** Whether this is a long run (MUNIMENT_LONG_TESTS=1). */
export const isLong = process.env['MUNIMENT_LONG_TESTS'] === '1';

/** One of two amounts: that of every run, and that of a long one. */
export const amount = (usual: number, long: number): number => (isLong ? long : usual);

/** Of documents all in a long run, else those of at most so many bytes. */
export const upTo = <Document extends { readonly bytes: { readonly length: number } }>(
  documents: readonly Document[],
  size: number,
): readonly Document[] => documents.filter(({ bytes }) => isLong || bytes.length <= size);
