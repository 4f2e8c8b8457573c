// Cuts the bytes of one JSON array of objects into blocks of whole elements, without parsing or holding the array.
// The blocks are parsed in threads; this only follows strings and brackets. Batch import, contract trees-and-jobs 2.1.
import { fail } from '../errors.ts';

/** Where some whole elements of the array stand in the file (in bytes), the number of the first one, and how many they are. */
export type BlockRange = {
  readonly start: number;
  readonly length: number;
  readonly first: number;
  readonly count: number;
};

/** Such elements as the text `[e1,e2,…]`. */
export type RecordBlock = BlockRange & { readonly bytes: Uint8Array };

/** Takes the chunks of a file in order and gives the blocks as they are complete; `end` tells that no chunk follows. */
export type RecordScanner = { push(chunk: Uint8Array): Generator<RecordBlock>; end(): Generator<RecordBlock> };

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const malformed = (text: string): Error => fail('malformed_body', `Had some trouble parsing your request: ${text}`);

/**
 * Makes a scanner whose blocks are of about `blockBytes` (an element is never split, so a block may be larger). The text of a
 * block is checked by JSON.parse later; here fail, with `malformed_body`, the things that would hide elements: no array at the top,
 * an element that is no object, text after the array, an array that does not end, an element larger than `largestElement`. The whole
 * elements before such a place are given first.
 * Chunks are kept until their block is complete and may not be written to.
 */
export function createRecordScanner(blockBytes = 500_000, largestElement = 64_000_000): RecordScanner {
  const edge: Edge = { started: false, ended: false, expectElement: true, sawBom: 0 };
  const inside: Inside = { depth: 0, inString: false, escaped: false };
  let total = 0;
  let first = 0;
  let isOpen = false;
  // Bytes of the open block up to the end of its last whole element.
  let wholeBytes = 0;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;

  // Bytes of the chunks before this one, and where the open block begins.
  let passed = 0;
  let start = 0;

  const takeBlock = (): RecordBlock => {
    const block = { bytes: inBrackets(pending, wholeBytes), start, length: wholeBytes, first, count: total - first };
    pending = [];
    pendingBytes = 0;
    wholeBytes = 0;
    first = total;
    isOpen = false;
    return block;
  };
  const keep = (part: Uint8Array): void => {
    pending.push(part);
    pendingBytes += part.length;
    if (pendingBytes - wholeBytes > largestElement)
      throw malformed(`record ${total + 1} is larger than ${largestElement} bytes`);
  };

  return {
    *push(chunk) {
      // Where the text of the open block begins in this chunk. Blanks and commas between its elements are kept as they are.
      let from = isOpen ? 0 : -1;
      for (let at = 0; at < chunk.length;) {
        if (inside.depth > 1) {
          at = endOfElement(chunk, at, inside);
          if (inside.depth > 1) continue;
          total += 1;
          wholeBytes = pendingBytes + at - from;
          if (wholeBytes < blockBytes) continue;
          keep(chunk.subarray(from, at));
          from = -1;
          yield takeBlock();
          continue;
        }
        const byte = chunk[at] ?? 0;
        if (!isBlank(byte)) {
          const next = between(byte, edge, total);
          if (isOpen && (next instanceof Error || edge.ended)) {
            keep(chunk.subarray(from, at));
            from = -1;
            yield takeBlock();
          }
          if (next instanceof Error) throw next;
          inside.depth = next;
          if (next === 2 && !isOpen) {
            isOpen = true;
            from = at;
            start = passed + at;
          }
        }
        at += 1;
      }
      if (from >= 0) keep(chunk.subarray(from));
      passed += chunk.length;
    },
    *end() {
      if (edge.ended) return;
      if (total > first) yield takeBlock();
      throw malformed(edge.started ? 'the JSON array does not end' : 'the body must be a JSON array of records');
    },
  };
}

/** The first `length` bytes of the parts, put together between brackets. */
export function inBrackets(parts: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length + 2);
  bytes[0] = openBracket;
  let at = 1;
  for (const part of parts) {
    bytes.set(part.subarray(0, length + 1 - at), at);
    at = Math.min(at + part.length, length + 1);
  }
  bytes[at] = closeBracket;
  return bytes;
}

/** The same blocks again from the same bytes: cut where the ranges say, without a look at the text. */
export async function* cutBlocks(
  chunks: AsyncIterable<Uint8Array>,
  ranges: readonly BlockRange[],
): AsyncGenerator<RecordBlock> {
  let passed = 0;
  let at = 0;
  let pending: Uint8Array[] = [];
  for await (const chunk of chunks) {
    for (let range = ranges[at]; range !== undefined && range.start < passed + chunk.length; range = ranges[at]) {
      const end = range.start + range.length - passed;
      pending.push(chunk.subarray(Math.max(0, range.start - passed), Math.min(end, chunk.length)));
      if (end > chunk.length) break;
      yield { ...range, bytes: inBrackets(pending, range.length) };
      pending = [];
      at += 1;
    }
    passed += chunk.length;
  }
  if (at < ranges.length) throw new Error('the second reading of the batch is shorter than the first');
}

/** The blocks of a stream of chunks; see createRecordScanner. */
export async function* scanRecords(
  chunks: AsyncIterable<Uint8Array>,
  blockBytes?: number,
  largestElement?: number,
): AsyncGenerator<RecordBlock> {
  const scanner = createRecordScanner(blockBytes, largestElement);
  for await (const chunk of chunks) yield* scanner.push(chunk);
  yield* scanner.end();
}

/** Where the scan stands. Depth: 0 outside the array, 1 between elements, 2 and more inside one. */
type Inside = { depth: number; inString: boolean; escaped: boolean };

/** A table of bytes: 1 for those given. */
function bytesThatMatter(bytes: readonly number[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of bytes) table[byte] = 1;
  return table;
}

const mattersInString = bytesThatMatter([quote, backslash]);
const mattersOutside = bytesThatMatter([quote, openBrace, openBracket, closeBrace, closeBracket]);

/** Follows an element from `at` to the byte after its end (the depth is then 1) or to the end of the chunk. The hot loop: locals alone. */
function endOfElement(chunk: Uint8Array, at: number, inside: Inside): number {
  let { depth, inString, escaped } = inside;
  const end = chunk.length;
  let here = at;
  while (here < end && depth > 1) {
    if (escaped) {
      escaped = false;
      here += 1;
      continue;
    }
    const table = inString ? mattersInString : mattersOutside;
    while (here < end && table[chunk[here] ?? 0] === 0) here += 1;
    if (here === end) break;
    const byte = chunk[here];
    here += 1;
    if (byte === quote) inString = !inString;
    else if (byte === backslash) escaped = true;
    else depth += byte === openBrace || byte === openBracket ? 1 : -1;
  }
  inside.depth = depth;
  inside.inString = inString;
  inside.escaped = escaped;
  return here;
}

type Edge = { started: boolean; ended: boolean; expectElement: boolean; sawBom: number };

/** One byte outside any element: the brackets and commas of the array itself. Gives the depth after it, or what is wrong. */
function between(byte: number, edge: Edge, total: number): number | Error {
  if (!edge.started) {
    // A byte order mark (EF BB BF) may come first.
    const bom = [0xef, 0xbb, 0xbf];
    if (edge.sawBom < 3 && byte === bom[edge.sawBom]) {
      edge.sawBom += 1;
      return 0;
    }
    if (byte !== openBracket) return malformed('the body must be a JSON array of records');
    edge.started = true;
    return 1;
  }
  if (edge.ended) return malformed('there is text after the JSON array');
  if (byte === openBrace && edge.expectElement) {
    edge.expectElement = false;
    return 2;
  }
  if (byte === comma && !edge.expectElement) {
    edge.expectElement = true;
    return 1;
  }
  if (byte === closeBracket && (!edge.expectElement || total === 0)) {
    edge.ended = true;
    return 0;
  }
  return malformed(
    `unexpected ${JSON.stringify(String.fromCharCode(byte))} after record ${total}: every element must be an object`,
  );
}
