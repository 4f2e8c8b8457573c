// The parts of a workbook's archive (ZIP; APPNOTE 6.3): found by the directory at its end, and inflated piece by piece. What the directory
// says is checked: a part gives the bytes that it states and no more, and no two parts stand on the same bytes.
import { Inflate } from 'fflate';
import { fail } from '../../errors.ts';
import { noWorkbook, otherFile } from './other-files.ts';

/** A part: its name, the size that the directory states, and its bytes as they are inflated. */
export type Part = { readonly name: string; readonly sizeBytes: number; pieces(): Generator<Uint8Array, void, void> };

/** The failure of a workbook as a whole or at a place in it. */
export const badWorkbook = (message: string, place: { readonly [name: string]: string | number } = {}): Error =>
  fail('import_failed', { message, ...place });

const mostParts = 10_000;
const shownCharacters = 100;
// Deflate makes at most 1032 bytes of one, so a step makes 8 MB at most.
const stepBytes = 8192;
const endBytes = 22;
const longestComment = 65_535;
const max16 = 0xffff;
const max32 = 0xffff_ffff;

type Directory = { readonly count: number; readonly start: number };
type Entry = {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly method: number;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly offset: number;
};

/** Opens an archive that is in memory. Fails with `import_failed` where it is none, has more than 10,000 parts, parts that overlap, are there twice, or have names that lead out of it. */
export function openArchive(bytes: Uint8Array): ReadonlyMap<string, Part> {
  const other = otherFile(bytes);
  if (other !== null) throw badWorkbook(`${noWorkbook}: ${other}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const directory = findDirectory(view);
    if (directory.count > mostParts) throw badWorkbook(`The workbook has more than ${mostParts} parts`);
    return toParts(bytes, view, [...entriesOf(view, directory)], directory.start);
  } catch (error) {
    // Reading beyond the end: the directory promises what is not there.
    throw error instanceof RangeError ? notOne(error) : error;
  }
}

const notOne = (cause?: unknown): Error => fail('import_failed', { message: noWorkbook }, {}, cause);

function findDirectory(view: DataView): Directory {
  for (let at = view.byteLength - endBytes; at >= Math.max(0, view.byteLength - endBytes - longestComment); at--) {
    if (view.getUint32(at, true) !== 0x0605_4b50 || at + endBytes + view.getUint16(at + 20, true) > view.byteLength)
      continue;
    const [count, start] = [view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
    return count === max16 || start === max32 ? findLargeDirectory(view, at - 20) : { count, start };
  }
  throw notOne();
}

/** The directory of an archive whose numbers need 64 bits (APPNOTE 4.3.14); its locator stands before the end. */
function findLargeDirectory(view: DataView, locator: number): Directory {
  if (locator < 0 || view.getUint32(locator, true) !== 0x0706_4b50) throw notOne();
  const at = large(view, locator + 8);
  if (view.getUint32(at, true) !== 0x0606_4b50) throw notOne();
  return { count: large(view, at + 32), start: large(view, at + 48) };
}

const large = (view: DataView, at: number): number => Number(view.getBigUint64(at, true));

function* entriesOf(view: DataView, { count, start }: Directory): Generator<Entry> {
  const decoder = new TextDecoder();
  let at = start;
  for (let n = 0; n < count; n++) {
    if (view.getUint32(at, true) !== 0x0201_4b50) throw notOne();
    const [nameBytes, moreBytes, commentBytes] = [
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
    ];
    const name = decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + 46, nameBytes));
    const given = {
      sizeBytes: view.getUint32(at + 24, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    };
    yield {
      name,
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      ...withLarge(view, at + 46 + nameBytes, moreBytes, given),
    };
    at += 46 + nameBytes + moreBytes + commentBytes;
  }
}

type Numbers = { readonly sizeBytes: number; readonly packedBytes: number; readonly offset: number };

/** Numbers that are too large for their places stand in an extra field, in this order (APPNOTE 4.5.3). */
function withLarge(view: DataView, start: number, length: number, given: Numbers): Numbers {
  const numbers: { sizeBytes: number; packedBytes: number; offset: number } = { ...given };
  for (let at = start; at + 4 <= start + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let place = at + 4;
    for (const name of ['sizeBytes', 'packedBytes', 'offset'] as const) {
      if (given[name] !== max32) continue;
      numbers[name] = large(view, place);
      place += 8;
    }
  }
  return numbers;
}

function toParts(
  bytes: Uint8Array,
  view: DataView,
  entries: readonly Entry[],
  directoryStart: number,
): ReadonlyMap<string, Part> {
  const parts = new Map<string, Part>();
  let end = 0;
  for (const entry of [...entries].sort((a, b) => a.offset - b.offset)) {
    const shown = JSON.stringify(entry.name.slice(0, shownCharacters));
    if (/(?:^|[\\/])\.\.(?:[\\/]|$)|^[\\/]|^[A-Za-z]:/.test(entry.name))
      throw badWorkbook(`The workbook has a part whose name leads out of it: ${shown}`);
    if (parts.has(entry.name)) throw badWorkbook(`The workbook has the part ${shown} twice`);
    if (view.getUint32(entry.offset, true) !== 0x0403_4b50)
      throw badWorkbook(`The part ${shown} of the workbook is not where the directory says`);
    const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
    if (entry.offset < end || start + entry.packedBytes > directoryStart)
      throw badWorkbook(`The part ${shown} of the workbook overlaps another`);
    end = start + entry.packedBytes;
    parts.set(entry.name, {
      name: entry.name,
      sizeBytes: entry.sizeBytes,
      pieces: () => inflated(entry, shown, bytes.subarray(start, start + entry.packedBytes)),
    });
  }
  return parts;
}

function* inflated(
  { isEncrypted, method, sizeBytes }: Entry,
  shown: string,
  packed: Uint8Array,
): Generator<Uint8Array, void, void> {
  if (isEncrypted) throw badWorkbook('The workbook is encrypted');
  if (method !== 0 && method !== 8)
    throw badWorkbook(`The part ${shown} of the workbook is packed in a way that cannot be read`);
  const made: Uint8Array[] = method === 0 ? [packed] : [];
  const inflate = new Inflate((piece) => void made.push(piece));
  let total = 0;
  for (let at = 0; at < packed.length; at += stepBytes) {
    if (method === 8) step(inflate, packed.subarray(at, at + stepBytes), at + stepBytes >= packed.length, shown);
    for (const piece of made.splice(0)) {
      total += piece.length;
      if (total > sizeBytes)
        throw badWorkbook(
          `The part ${shown} of the workbook inflates to more than the ${sizeBytes} bytes that it states`,
        );
      yield piece;
    }
  }
  if (total !== sizeBytes) throw badWorkbook(`The part ${shown} of the workbook is damaged`);
}

function step(inflate: Inflate, bytes: Uint8Array, isLast: boolean, shown: string): void {
  try {
    inflate.push(bytes, isLast);
  } catch (cause) {
    throw fail('import_failed', { message: `The part ${shown} of the workbook is damaged` }, {}, cause);
  }
}
