// Files that are sent as XML and are something else: what they are, and what to do, in words for who has sent them.

// The leader of a record in ISO 2709: its length, and in the last four of its 24 places the form of the entries of its directory.
const binaryMarc = /^\d{5}[\x20-\x7e]{15}4500/;

const starts: readonly (readonly [start: RegExp, says: string])[] = [
  [binaryMarc, 'The file is MARC in its binary form (ISO 2709), not XML; convert it to MARCXML'],
  [/^PK\x03\x04/, 'The file is an archive or a workbook, not XML; send what is in it'],
  [/^\x1f\x8b/, 'The file is compressed, not XML; send what is in it'],
  [/^%PDF-/, 'The file is a PDF, not XML'],
];

/** What a file with these first bytes is, where it is known and no XML; otherwise null. */
export function notXml(head: Uint8Array): string | null {
  const start = String.fromCharCode(...head.subarray(0, 24));
  const [, says] = starts.find(([pattern]) => pattern.test(start)) ?? [];
  return says === undefined ? null : `${says}.`;
}
