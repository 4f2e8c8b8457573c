// Bytes of an XML document to text: byte order mark first, then the encoding of the XML declaration, then UTF-8
// (XML 1.0, appendix F). Decoding is strict: a byte that is not valid in the encoding ends the reading.
import { fail } from '../../errors.ts';
import { notXml } from './other-files.ts';

type Decoder = InstanceType<typeof TextDecoder>;
/** Decodes the pieces of one document in turn; `stream` is false for the last. Throws `import_failed` for bytes that are not valid, with their line. */
export type Decode = (bytes: Uint8Array, stream: boolean) => string;

const headBytes = 256;
const sliceBytes = 65_536;

/**
 * Yields the text of a document in pieces of at most 64 KiB of bytes, whatever the size of the incoming chunks.
 * Throws `import_failed` for an unknown encoding, for bytes the encoding does not allow, and for files that are known to be no XML.
 */
export async function* decodeXml(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let head = new Uint8Array(0);
  let decode: Decode | undefined;
  for await (const chunk of chunks) {
    if (decode !== undefined) {
      yield* decodeSlices(decode, chunk);
      continue;
    }
    head = join(head, chunk);
    if (head.length < headBytes) continue;
    decode = documentDecoder(head);
    yield* decodeSlices(decode, head);
    head = new Uint8Array(0);
  }
  if (decode === undefined) {
    decode = documentDecoder(head);
    yield* decodeSlices(decode, head);
  }
  // No text is left, as decoding is strict: a document that ends within a character is refused here.
  decode(new Uint8Array(0), false);
}

/** The encoding label of a document from its first bytes (256 are enough for any declaration). */
export function detectEncoding(head: Uint8Array): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0x3c && second === 0x00) return 'utf-16le';
  if (first === 0x00 && second === 0x3c) return 'utf-16be';
  const start = String.fromCharCode(...head.subarray(0, headBytes));
  const declared = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1]?.toLowerCase();
  // A declaration that can be read byte by byte is not in a two-byte encoding, whatever it says.
  if (declared === undefined || /^(utf|ucs)-?(16|2|32|4)/.test(declared)) return 'utf-8';
  return declared;
}

/** The decoder of a document that somebody sends, who may have taken another file for one. */
function documentDecoder(head: Uint8Array): Decode {
  const message = notXml(head);
  if (message !== null) throw fail('import_failed', { message, line: 1, column: 0, element: '' });
  return xmlDecoder(head);
}

/** The decoder of a document from its first bytes; throws `import_failed` for an encoding that nobody knows. */
export const xmlDecoder = (head: Uint8Array): Decode => countingLines(createDecoder(head));

function createDecoder(head: Uint8Array): Decoder {
  const encoding = detectEncoding(head);
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (cause) {
    throw fail(
      'import_failed',
      { message: `The encoding "${encoding}" of the document is not known.`, line: 1, column: 0, element: '' },
      {},
      cause,
    );
  }
}

function* decodeSlices(decode: Decode, bytes: Uint8Array): Generator<string, void, void> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    const text = decode(bytes.subarray(start, start + sliceBytes), true);
    if (text !== '') yield text;
  }
}

/** Decodes one slice after the other; a byte that is not valid fails with the line it is in. */
function countingLines(decoder: Decoder): Decode {
  let line = 1;
  const { encoding } = decoder;
  return (bytes, stream) => {
    try {
      const text = decoder.decode(bytes, { stream });
      line += newlinesIn(text);
      return text;
    } catch (cause) {
      const text = new TextDecoder(encoding).decode(bytes);
      const before = text.slice(0, Math.max(0, text.indexOf('\ufffd')));
      const message = `The document holds bytes that are not valid ${encoding}${before === '' ? '' : `, after "${before.slice(-40).replace(/\s+/g, ' ')}"`}.`;
      throw fail(
        'import_failed',
        { message, line: line + newlinesIn(before), column: 0, element: '', encoding },
        {},
        cause,
      );
    }
  };
}

/** How many line feeds a text has. */
export function newlinesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first, 0);
  joined.set(second, first.length);
  return joined;
}
