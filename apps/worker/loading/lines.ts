// The bytes of an upload of lines as the array that blocks are cut from: gzip is opened, ends of lines become commas.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { fail } from '#domain/errors.ts';

const lineFeed = 0x0a;
const comma = 0x2c;
const blank = 0x20;
const isBlank = (byte: number): boolean => byte === blank || byte === lineFeed || byte === 0x0d || byte === 0x09;

/**
 * The records of the lines as one JSON array. JSON texts of one line have no line ends of their own; empty lines are passed over. However the bytes
 * are cut into chunks, each record comes at the same place: a load reads them twice, and a stream that unpacks, or a file, cuts them as time allows.
 * Fails with `malformed_body` where what is packed is damaged, or not whole.
 */
export async function* linesAsArray(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('[');
  let isAfterRecord = false;
  // Whether the end of the last line is kept back: it becomes a comma where another record comes, and a blank where none does.
  let isEnded = false;
  for await (const chunk of refusingDamage(opened(chunks))) {
    // The chunk is ours to change: nobody else has it.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    // Between records alone: within one, a chunk that begins with a blank may be cut in the middle of a text.
    if (isEnded || !isAfterRecord) while (start < bytes.length && isBlank(bytes[start] ?? 0)) bytes[start++] = blank;
    if (isEnded) yield bytes.subarray(0, start);
    if (start === bytes.length) continue;
    if (isEnded) yield Buffer.of(comma);
    isAfterRecord = true;
    isEnded = false;
    let end = bytes.length;
    for (let at = bytes.indexOf(lineFeed, start); at !== -1 && !isEnded; at = bytes.indexOf(lineFeed, at + 1)) {
      let next = at + 1;
      while (next < bytes.length && isBlank(bytes[next] ?? 0)) bytes[next++] = blank;
      isEnded = next === bytes.length;
      if (isEnded) end = at;
      else bytes[at] = comma;
    }
    yield bytes.subarray(start, end);
    if (isEnded) yield bytes.subarray(end + 1);
  }
  yield Buffer.from(isEnded ? ' ]' : ']');
}

/** The same bytes. Nobody need read them again to learn that they cannot be unpacked. */
async function* refusingDamage(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    throw fail(
      'malformed_body',
      `Had some trouble parsing your request: what is packed with gzip is damaged, or not whole (${error.message})`,
      {},
      error,
    );
  }
}

/** The bytes, unpacked where they are gzip (they begin with 1f 8b). */
async function* opened(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    if (first.done === true) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  };
  if (first.done === true || first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* rest();
  const source = Readable.from(rest(), { objectMode: false });
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  // A stream without an encoding gives buffers.
  for await (const piece of source.pipe(unpacked)) yield piece as Buffer;
}
