// Files that are sent as CSV and are something else, as spreadsheet programs save it: what they are, in words for who has sent them.

const starts: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'The file is a workbook (.xlsx) or another archive'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'The file is a workbook of an old form (.xls)'],
  [[0xff, 0xfe], 'The file is text in UTF-16, which is not valid UTF-8, in line 1'],
  [[0xfe, 0xff], 'The file is text in UTF-16, which is not valid UTF-8, in line 1'],
];

/** What a file with these first bytes is, where it is known and no CSV; otherwise null. */
export function notCsv(bytes: Uint8Array): string | null {
  const [, says] = starts.find(([start]) => start.every((byte, index) => bytes[index] === byte)) ?? [];
  return says === undefined ? null : `${says}; it must be CSV with commas, in UTF-8.`;
}

/** What is between the cells of a heading that came out as one cell: null where that is no other sign than the comma. */
export function otherSeparator(cells: readonly string[]): string | null {
  const [only, ...others] = cells.filter((cell) => cell !== '');
  if (only === undefined || others.length > 0) return null;
  const name = only.includes('\t') ? 'tabs' : only.includes(';') ? 'semicolons' : null;
  return name === null ? null : `The cells stand between ${name}; in CSV they must stand between commas`;
}
