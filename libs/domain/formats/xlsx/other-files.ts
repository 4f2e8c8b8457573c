// Files that are sent as workbooks and are something else, as spreadsheet programs save it: what they are, in words for who has sent them.

/** What is said of a file that is no workbook, before what it is. */
export const noWorkbook = 'The file is no workbook (.xlsx)';

const oldForm = [0xd0, 0xcf, 0x11, 0xe0];
// An archive has zeros among its first numbers, a text has none but in UTF-16.
const lookedAt = 1000;

/** What a file is that is known and no archive; otherwise null. */
export function otherFile(bytes: Uint8Array): string | null {
  if (oldForm.every((byte, index) => bytes[index] === byte))
    return 'it is of the old form (.xls), or has a password; save it as .xlsx, without one';
  const start = bytes.subarray(0, lookedAt);
  if (start.length === 0) return 'it is empty';
  if (start.includes(0)) return null;
  try {
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return /^\s*</.test(text) ? 'it is XML or HTML; save it as .xlsx' : 'it is text, such as CSV';
  } catch {
    return null;
  }
}

const otherForms: readonly (readonly [part: string, says: string])[] = [
  ['xl/workbook.bin', 'it is a binary workbook (.xlsb); save it as .xlsx'],
  ['META-INF/manifest.xml', 'it is of another office program (.ods); save it as .xlsx'],
];

/** What an archive without the parts of a workbook is, where that is known: one text, or none. */
export const otherArchive = (parts: ReadonlyMap<string, unknown>): readonly string[] =>
  otherForms.filter(([part]) => parts.has(part)).map(([, says]) => says);
