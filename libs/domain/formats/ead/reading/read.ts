// EAD 2002 to records: the entry of the reader (behaviour-imports.md section 3). Bytes in, batch-import records out, streaming.
import { decodeXml } from '../../xml/encoding.ts';
import { createXmlReader, defaultXmlLimits } from '../../xml/reader.ts';
import type { XmlLimits, XmlPosition, XmlReader } from '../../xml/reader.ts';
import type { EadOptions } from './context.ts';
import { createContext, importFailure } from '../../reading/context.ts';
import type { ImportRecord } from '../../reading/context.ts';
import type { ImportReport } from '../../reading/report.ts';
import { createWalker } from './walker.ts';

export type { EadOptions } from './context.ts';
export type { ImportRecord } from '../../reading/context.ts';
export type { ImportReport } from '../../reading/report.ts';

// Documents with a DTD use entities of their own for names and signs that come again and again.
const eadLimits: XmlLimits = { ...defaultXmlLimits, entityCharacters: 1_000_000 };

/**
 * Yields the records of one finding aid: agents, subjects, top containers and digital objects before the record that links
 * them, components after the components inside them, the resource last; so refs point both ways among temporary URIs.
 * Returns the report (also given to `options.onReport`). Memory holds the open components and the keys of shared records.
 * Throws `import_failed` {message, line, column, element} for what is not well-formed, not EAD 2002, or lacks what a record needs;
 * records already yielded are then worth nothing.
 */
export async function* readEad(
  chunks: AsyncIterable<Uint8Array>,
  options: EadOptions,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let reader: XmlReader | undefined;
  const position = (): XmlPosition => reader?.position() ?? { line: 1, column: 0, element: '' };
  const context = createContext(options, (record) => queue.push(record), position);
  const walker = createWalker(context);
  let isStarted = false;
  reader = createXmlReader(
    { ...walker, open: (tag) => ((isStarted = true), walker.open(tag)) },
    options.limits ?? eadLimits,
  );
  for await (const text of decodeXml(chunks)) {
    reader.feed(text);
    yield* take(queue);
  }
  if (!isStarted) throw importFailure('The document holds no element.', position());
  reader.end();
  walker.finish();
  yield* take(queue);
  const report = context.report.report();
  options.onReport?.(report);
  return report;
}

/** Empties the queue; one piece of text gives a bounded number of records. */
function* take(queue: ImportRecord[]): Generator<ImportRecord, void, void> {
  const records = queue.splice(0);
  yield* records;
}
