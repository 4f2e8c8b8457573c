// Which elements of mixed content part the words before them from those in them: all others stand inside a line, or inside a word.

/** Elements that stand in lines of their own: those of EAD, and of HTML, which people type as well. */
export const ownLines: ReadonlySet<string> = new Set([
  ...['p', 'item', 'blockquote', 'lb', 'br', 'head', 'list', 'listhead', 'defitem', 'chronlist', 'chronitem'],
  ...['table', 'row', 'address', 'addressline', 'indexentry'],
  ...['div', 'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'tr', 'caption', 'pre', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]);

/** Elements that blanks are around in a line: those, and what stands beside another in one. */
export const apart: ReadonlySet<string> = new Set([
  ...ownLines,
  ...['label', 'entry', 'event', 'head01', 'head02', 'head03', 'td', 'th'],
]);

/** Elements whose text is for programs. */
export const silent: ReadonlySet<string> = new Set(['script', 'style']);
