// The values that XLink allows for showing and following a link; others, which lists of an installation may hold, are none.

const shows: ReadonlySet<string> = new Set(['new', 'replace', 'embed', 'other', 'none']);
const actuations: ReadonlySet<string> = new Set(['onLoad', 'onRequest', 'other', 'none']);

/** A value of xlink:show, or undefined. */
export const showOf = (text: string | undefined): string | undefined =>
  text !== undefined && shows.has(text) ? text : undefined;

/** A value of xlink:actuate, or undefined. */
export const actuateOf = (text: string | undefined): string | undefined =>
  text !== undefined && actuations.has(text) ? text : undefined;
