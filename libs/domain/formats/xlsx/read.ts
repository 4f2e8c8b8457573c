// Reads workbooks (ECMA-376) from bytes that are in memory: sheets as rows of texts. What a workbook may inflate to is limited.
import type { XmlNode } from '../xml/tree.ts';
import { descendantsOf } from '../xml/tree.ts';
import type { Part } from './archive.ts';
import { badWorkbook, openArchive } from './archive.ts';
import { noWorkbook, otherArchive } from './other-files.ts';
import { readNumberFormats } from './number-formats.ts';
import { attribute, readPart } from './parts.ts';
import type { SheetRows } from './sheet-rows.ts';
import { readSheetRows } from './sheet-rows.ts';
import { readStrings } from './strings.ts';

export type { SheetRow, SheetRows } from './sheet-rows.ts';

/** A workbook that was opened. `sheet` gives undefined where there is none of that name. */
export type Workbook = { readonly names: readonly string[]; sheet(name: string): SheetRows | undefined };

// Directories, relations and styles of real workbooks are a hundredth of this.
const mostSmallBytes = 20_000_000;

/**
 * Opens a workbook. Fails with `import_failed` where the bytes are none, are an archive that is not as it says (archive.ts), or would
 * inflate to more than `maxInflatedBytes`; `sheet` fails with it where the sheet is beyond what may be held (limits.ts).
 */
export function readXlsx(bytes: Uint8Array, maxInflatedBytes: number): Workbook {
  const parts = openArchive(bytes);
  const total = [...parts.values()].reduce((sum, { name, sizeBytes }) => sum + (isRead(name) ? sizeBytes : 0), 0);
  if (total > maxInflatedBytes) throw badWorkbook(`The workbook inflates to more than ${maxInflatedBytes} bytes`);
  const small = (name: string): Part | undefined => {
    const part = parts.get(name);
    if (part !== undefined && part.sizeBytes > mostSmallBytes)
      throw badWorkbook(`The part ${name} of the workbook inflates to more than ${mostSmallBytes} bytes`);
    return part;
  };
  const workbook = small('xl/workbook.xml');
  if (workbook === undefined) throw badWorkbook([noWorkbook, ...otherArchive(parts)].join(': '));
  const { sheets, counts1904, stringsPart, stylesPart } = readDirectory(workbook, small('xl/_rels/workbook.xml.rels'));
  const strings = readStrings(parts.get(stringsPart));
  const formatOf = readNumberFormats(small(stylesPart));
  return {
    names: [...sheets.keys()],
    sheet: (name) => {
      const part = parts.get(sheets.get(name) ?? '');
      return part === undefined ? undefined : readSheetRows(part, name, { strings, formatOf, counts1904 });
    },
  };
}

const isRead = (name: string): boolean => name.startsWith('xl/') && /\.(xml|rels)$/.test(name);

/** What the workbook says of its parts: their names, whatever their producer called them. */
type Directory = {
  readonly sheets: ReadonlyMap<string, string>;
  readonly counts1904: boolean;
  readonly stringsPart: string;
  readonly stylesPart: string;
};

function readDirectory(workbook: Part, relations: Part | undefined): Directory {
  const [root, relationships] = [readPart(workbook), readPart(relations)];
  const related = (relationships === undefined ? [] : descendantsOf(relationships, 'Relationship')).map((each) => {
    const target = (attribute(each, 'Target') ?? '').replace(/^\.\//, '');
    return {
      id: attribute(each, 'Id') ?? '',
      type: attribute(each, 'Type') ?? '',
      part: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    };
  });
  const targets = new Map(related.map(({ id, part }) => [id, part]));
  const partOf = (type: string): string =>
    related.find((each) => each.type.endsWith(`/${type}`))?.part ?? `xl/${type}.xml`;
  const all = (name: string): readonly XmlNode[] => (root === undefined ? [] : descendantsOf(root, name));
  const properties = all('workbookPr').at(-1);
  return {
    sheets: new Map(
      all('sheet').map((each) => [attribute(each, 'name') ?? '', targets.get(attribute(each, 'id') ?? '') ?? '']),
    ),
    stringsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
    counts1904: properties !== undefined && ['1', 'true'].includes(attribute(properties, 'date1904') ?? ''),
  };
}
