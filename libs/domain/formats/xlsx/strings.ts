// The texts that the cells of a workbook share (ECMA-376, sst): cells name them by number.
import { badWorkbook } from './archive.ts';
import type { Part } from './archive.ts';
import { withoutCodes } from './cells.ts';
import { sheetLimits } from './limits.ts';
import { parsePart } from './parts.ts';

/** Shared texts, trimmed; runs of rich text are joined, phonetic hints are left out. */
export function readStrings(part: Part | undefined): readonly string[] {
  const strings: string[] = [];
  let characters = 0;
  let current = '';
  let isText = false;
  let isHint = false;
  parsePart(part, {
    open: ({ name }) => {
      if (name === 'si') current = '';
      if (name === 'rPh') isHint = true;
      isText = name === 't' && !isHint;
    },
    text: (piece) => {
      if (!isText) return;
      current += piece;
      if (current.length > sheetLimits.cellCharacters)
        throw badWorkbook(`The workbook has a text of more than ${sheetLimits.cellCharacters} characters`, {
          string: strings.length,
        });
    },
    close: (name) => {
      if (name === 't') isText = false;
      if (name === 'rPh') isHint = false;
      if (name !== 'si') return;
      strings.push(withoutCodes(current).trim());
      characters += current.length;
      if (strings.length > sheetLimits.cells || characters > sheetLimits.characters)
        throw badWorkbook(
          `The workbook has more than ${sheetLimits.cells} texts, or more than ${sheetLimits.characters} characters in them`,
        );
    },
  });
  return strings;
}
