// What printing uses of `linebreak`, which has no types of its own.
declare module 'linebreak' {
  /** Places at which a text may be broken into lines (UAX #14), in order. */
  export default class LineBreaker {
    constructor(text: string);
    /** The next place, as an index of UTF-16 units; null at the end. */
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}
