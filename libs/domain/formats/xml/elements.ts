// The wanted elements of a document, one after the other as trees: for formats whose files are lists of small records.
import { decodeXml } from './encoding.ts';
import { createXmlReader } from './reader.ts';
import type { XmlLimits, XmlPosition, XmlReader, XmlTag } from './reader.ts';
import { createTreeBuilder } from './tree.ts';
import type { TreeBuilder, XmlNode } from './tree.ts';

/** Which elements are wanted; `root` may refuse the document by throwing. `onPosition` receives a way to ask where the reading is. */
export type ElementFilter = {
  isWanted(tag: XmlTag): boolean;
  root?(tag: XmlTag): void;
  onPosition?(position: () => XmlPosition): void;
  readonly limits?: XmlLimits | undefined;
  readonly keepsSpace?: boolean;
};

/** Yields each outermost wanted element; memory holds those of one piece of text. Throws `import_failed` as the XML reader does. */
export async function* readElements(
  chunks: AsyncIterable<Uint8Array>,
  filter: ElementFilter,
): AsyncGenerator<XmlNode, void, void> {
  const finished: XmlNode[] = [];
  let builder: TreeBuilder | undefined;
  let isStarted = false;
  const reader: XmlReader = createXmlReader(
    {
      open(tag) {
        if (!isStarted) filter.root?.(tag);
        isStarted = true;
        if (builder === undefined && filter.isWanted(tag)) builder = createTreeBuilder(undefined, filter.keepsSpace);
        builder?.open(tag);
      },
      text: (text) => builder?.text(text),
      close() {
        const node = builder?.close();
        if (node === undefined) return;
        builder = undefined;
        finished.push(node);
      },
    },
    filter.limits,
  );
  filter.onPosition?.(() => reader.position());
  for await (const text of decodeXml(chunks)) {
    reader.feed(text);
    yield* finished.splice(0);
  }
  reader.end();
  yield* finished.splice(0);
}
