// Punctuation at the end of a text.

/** A text without the run of some characters at its end, and without the white space around that run. A text that ends otherwise stays as it is. */
export function withoutTail(text: string, characters: string): string {
  // By hand: an expression for it looks at every run within the text once for each of its characters.
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (end > 0 && characters.includes(trimmed.charAt(end - 1))) end -= 1;
  return end === trimmed.length ? text : trimmed.slice(0, end).trimEnd();
}
