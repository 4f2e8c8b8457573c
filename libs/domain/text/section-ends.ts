// Where sections end that begin and end with marks: comments, instructions, CDATA, elements whose content is no text.

/**
 * Finds ends behind places that only go forward. What was found, or was not, is kept: an end looked for from each of many beginnings would
 * take a hostile text's length squared.
 */
export class SectionEnds {
  readonly #text: string;
  readonly #next = new Map<RegExp, { readonly index: number; readonly end: number } | null>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The place behind the first match of `closing` (a global expression) that begins at `from` or later; null where there is none. */
  after(closing: RegExp, from: number): number | null {
    const known = this.#next.get(closing);
    if (known === null) return null;
    if (known !== undefined && known.index >= from) return known.end;
    closing.lastIndex = from;
    const found = closing.exec(this.#text);
    const next = found === null ? null : { index: found.index, end: closing.lastIndex };
    this.#next.set(closing, next);
    return next?.end ?? null;
  }
}
