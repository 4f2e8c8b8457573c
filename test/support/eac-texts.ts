// The texts of an EAC-CPF document, read without the mapping under test, and texts as they are compared.
import { decodeXml } from '#domain/formats/xml/encoding.ts';
import { createXmlReader } from '#domain/formats/xml/reader.ts';
import type { ArchiveFile } from './real-data.ts';
import { inChunks } from './real-data.ts';

/** The letters and digits of a text, without entities and markup. */
export const essence = (text: string): string =>
  text
    .replace(/&(?:amp;)*(?:amp|lt|gt|quot);/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase();

/** Every text of a document with the elements it stands in, each as name@line. */
export async function textsOf(
  file: ArchiveFile,
): Promise<readonly { readonly text: string; readonly path: readonly string[] }[]> {
  const texts: { text: string; path: readonly string[] }[] = [];
  const path: string[] = [];
  const reader = createXmlReader({
    open: (tag) => void path.push(`${tag.name}@${tag.line}`),
    text: (text) => void (essence(text) === '' || texts.push({ text, path: [...path] })),
    close: () => void path.pop(),
  });
  for await (const text of decodeXml(inChunks(file.bytes))) reader.feed(text);
  reader.end();
  return texts;
}
