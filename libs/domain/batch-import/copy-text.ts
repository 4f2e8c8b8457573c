// Rows as PostgreSQL's COPY text format takes them: tab-separated, \N for null, backslash escapes.
// One string a block is built and encoded once; that is several times faster than a buffer a row.

/** A value of a column. Objects are given as their JSON text. */
export type CopyValue = string | number | boolean | null;

const special = /[\\\t\n\r]/;

function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** One line of COPY text, with its line end. */
export function copyLine(values: readonly CopyValue[]): string {
  let line = '';
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (at > 0) line += '\t';
    if (value === null || value === undefined) line += '\\N';
    else if (typeof value === 'string') line += escapeText(value);
    else if (typeof value === 'boolean') line += value ? 't' : 'f';
    else line += String(value);
  }
  return `${line}\n`;
}

/** The same line with a last column that is JSON text: it has no control characters, so that backslashes alone are escaped. */
export function copyLineWithJson(values: readonly CopyValue[], json: string): string {
  return `${copyLine(values).slice(0, -1)}\t${json.includes('\\') ? json.replaceAll('\\', '\\\\') : json}\n`;
}
