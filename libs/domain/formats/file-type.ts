// What a file to import is, told by its beginning.
import { readBeginning } from './reading/beginning.ts';
import { allRecognitions } from './recognitions.ts';

/**
 * What a file is, from its first bytes (`beginningBytes` are enough) and its name: an import type, 'json' for records of a batch import, or null
 * where that cannot be told.
 */
export function fileType(firstBytes: Uint8Array, name: string): string | null {
  const beginning = readBeginning(firstBytes);
  const known = allRecognitions.find(({ recognises }) => recognises(beginning));
  if (known !== undefined) return known.importType;
  const text = beginning.text.trim();
  if (text.startsWith('[')) return 'json';
  // A prologue longer than what is looked at.
  return /\.xml$/i.test(name) && text === '' && firstBytes.length > 0 ? 'ead_xml' : null;
}
