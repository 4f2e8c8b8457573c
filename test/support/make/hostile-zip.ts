// Archives made to do harm, byte by byte: whatever a directory may state that is not so.
import { deflateRawSync } from 'node:zlib';

/** A part, and what the archive says of it where that is not so. */
export type HostilePart = {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly statesBytes?: number;
  readonly at?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly zip64Bytes?: bigint;
};

/** What the end of the archive says where that is not so. */
export type HostileEnd = { readonly count?: number; readonly start?: number };

// Twenty thousand empty parts would start the packer as often.
const nothing = deflateRawSync('');

/** An archive of these parts. */
export function hostileZip(parts: readonly HostilePart[], end: HostileEnd = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const packed = part.bytes === '' ? nothing : deflateRawSync(part.bytes);
    const name = Buffer.from(part.name);
    const [stated, method] = [part.statesBytes ?? Buffer.byteLength(part.bytes), part.method ?? 8];
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x0403_4b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt16LE(name.length, 26);
    const more = part.zip64Bytes === undefined ? Buffer.alloc(0) : Buffer.alloc(12);
    if (part.zip64Bytes !== undefined) {
      more.writeUInt16LE(1, 0);
      more.writeUInt16LE(8, 2);
      more.writeBigUInt64LE(part.zip64Bytes, 4);
    }
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x0201_4b50, 0);
    entry.writeUInt16LE(part.flags ?? 0, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(part.zip64Bytes === undefined ? stated : 0xffff_ffff, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt16LE(more.length, 30);
    entry.writeUInt32LE(part.at ?? offset, 42);
    directory.push(entry, name, more);
    pieces.push(local, name, packed);
    offset += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x0605_4b50, 0);
  last.writeUInt16LE(Math.min(end.count ?? parts.length, 0xffff), 8);
  last.writeUInt16LE(Math.min(end.count ?? parts.length, 0xffff), 10);
  last.writeUInt32LE(list.length, 12);
  last.writeUInt32LE(end.start ?? offset, 16);
  return Buffer.concat([...pieces, list, last]);
}

/** The parts of a workbook of one sheet, whose XML and shared texts are given. */
export function workbookParts(
  sheet: string | Uint8Array,
  { name = 'Sheet', strings = '' }: { readonly name?: string; readonly strings?: string | Uint8Array } = {},
): readonly HostilePart[] {
  return [
    {
      name: 'xl/workbook.xml',
      bytes: `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="${name}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      bytes: '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    ...(strings === '' ? [] : [{ name: 'xl/sharedStrings.xml', bytes: strings }]),
    { name: 'xl/worksheets/sheet1.xml', bytes: sheet },
  ];
}
