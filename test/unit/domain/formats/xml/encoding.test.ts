// Decoding of XML bytes: marks, declarations, broken bytes.
import { describe, expect, test } from 'vitest';
import { decodeXml, detectEncoding } from '#domain/formats/xml/encoding.ts';
import { bytesOf } from '#test/support/ead-document.ts';

async function decode(bytes: Uint8Array, size?: number): Promise<string> {
  let text = '';
  for await (const piece of decodeXml(bytesOf(bytes, size))) text += piece;
  return text;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('decodeXml', () => {
  test('reads UTF-8 with characters cut between chunks', async () => {
    const text = `<a>${'é😀'.repeat(200)}</a>`;
    expect(await decode(utf8(text), 7)).toBe(text);
  });

  test('leaves the byte order mark out', async () => {
    expect(await decode(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('<a/>')]))).toBe('<a/>');
    expect(await decode(new Uint8Array([0xff, 0xfe, ...Buffer.from('<a>é</a>', 'utf16le')]))).toBe('<a>é</a>');
  });

  test('honours the encoding of the declaration', async () => {
    const head = '<?xml version="1.0" encoding="ISO-8859-1"?><a>';
    expect(await decode(Buffer.concat([Buffer.from(head), Buffer.from([0xe9]), Buffer.from('</a>')]))).toBe(
      `${head}é</a>`,
    );
  });

  test('refuses bytes the encoding does not allow', async () => {
    await expect(decode(Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xff]))).rejects.toMatchObject({ code: 'import_failed' });
  });

  test.each([
    ['UTF-8', [...utf8('<a>\n</a>'), 0xc3], 2],
    ['UTF-16', [...Buffer.from('\ufeff<a>\n</a>', 'utf16le'), 0x20], 2],
    ['Shift_JIS', [...utf8('<?xml version="1.0" encoding="Shift_JIS"?><a/>'), 0x83], 1],
  ])('refuses a document in %s that ends within a character', async (_encoding, bytes, line) => {
    for (const size of [undefined, 1])
      await expect(decode(Uint8Array.from(bytes), size)).rejects.toMatchObject({
        code: 'import_failed',
        error: { line },
      });
  });

  test('names the line of such a byte and what stands before it', async () => {
    await expect(decode(Buffer.from('<a>\n<b>caf\xe9</b></a>', 'latin1'))).rejects.toMatchObject({
      error: { line: 2, message: expect.stringContaining('<b>caf') },
    });
  });

  test('refuses an encoding nobody knows', async () => {
    await expect(decode(utf8('<?xml version="1.0" encoding="klingon"?><a/>'))).rejects.toThrow(/klingon/);
  });
});

describe('detectEncoding', () => {
  test('recognises UTF-16 without a mark and distrusts a declaration of it in single bytes', () => {
    expect(detectEncoding(Buffer.from('<?xml', 'utf16le'))).toBe('utf-16le');
    expect(detectEncoding(Buffer.from('<?xml version="1.0" encoding="UTF-16"?>'))).toBe('utf-8');
  });
});
