// Escaping of text and attribute values for XML 1.0, and removal of the characters it cannot hold.

// The control characters are the point of this expression (XML 1.0, production 2 "Char").
const forbidden =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** A text without the characters that no document can hold. */
export const withoutForbidden = (text: string): string => text.replace(forbidden, '');

/** Whether a text has characters that no document can hold. */
export const hasForbidden = (text: string): boolean => text.search(forbidden) !== -1;

/**
 * Text as it stands between tags; characters that XML 1.0 forbids are left out. CR is written as a reference, or readers would make a line
 * feed of it.
 */
export function escapeText(text: string): string {
  if (!/[&<>\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/.test(text)) return text;
  return withoutForbidden(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}

/** Text as it stands in a double-quoted attribute value. Line ends and tabs are references, or readers would make blanks of them. */
export function escapeAttribute(text: string): string {
  if (!/["&<>\u0000-\u001F\uD800-\uDFFF\uFFFE\uFFFF]/.test(text)) return text;
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
