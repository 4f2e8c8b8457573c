// Real documents that are different enough from each other: of many finding aids most show what another one has shown already.
import { isLong } from './long.ts';
import type { ArchiveFile } from './real-data.ts';

// What opening a document and closing it cost beside its bytes: of two documents that show as much, the smaller one is taken.
const costOfOne = 5000;
// Of these the value says how the element is read; types of containers are any words.
const telling = new Set(['level', 'type', 'datetype', 'unittype', 'relationtype']);

/**
 * Documents of XML that hold between them every element within every element, every attribute, and every value of those that say how an element is
 * read, of all the given ones; in their order. All in a long run. `by`: what else they are told apart by.
 */
export function mostDifferent<Document extends ArchiveFile>(
  documents: readonly Document[],
  by: (bytes: Uint8Array) => Set<string> = shapesOf,
): readonly Document[] {
  if (isLong) return documents;
  const left = new Map(documents.map((document) => [document, by(document.bytes)]));
  const chosen = new Set<Document>();
  for (;;) {
    const [next] = [...left]
      .filter(([, shapes]) => shapes.size > 0)
      .map(([document, shapes]) => ({ document, shapes, worth: shapes.size / (document.bytes.length + costOfOne) }))
      .toSorted((a, b) => b.worth - a.worth);
    if (next === undefined) return documents.filter((document) => chosen.has(document));
    chosen.add(next.document);
    left.delete(next.document);
    for (const shapes of left.values()) for (const shape of next.shapes) shapes.delete(shape);
  }
}

/** The names of the elements of a document. */
export const elementsOf = (bytes: Uint8Array): Set<string> =>
  new Set(
    Array.from(
      Buffer.from(bytes)
        .toString('utf8')
        .matchAll(/<([A-Za-z][\w:.-]*)/g),
      ([, name = '']) => name,
    ),
  );

/** What a document shows: elements with the one that they are in, and their attributes. */
function shapesOf(bytes: Uint8Array): Set<string> {
  const shapes = new Set<string>();
  const open: string[] = [];
  const text = Buffer.from(bytes).toString('utf8');
  for (const [, end, element = '', attributes = '', empty] of text.matchAll(
    /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/g,
  )) {
    if (end === '/') {
      open.pop();
      continue;
    }
    shapes.add(`${open.at(-1) ?? ''}/${element}`);
    for (const [, name = '', value = ''] of attributes.matchAll(/([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g))
      shapes.add(`${element}@${name}${telling.has(name) && element !== 'container' ? value.toLowerCase() : ''}`);
    if (empty !== '/') open.push(element);
  }
  return shapes;
}
