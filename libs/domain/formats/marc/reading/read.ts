// MARCXML to records: the entry of the readers (behaviour-imports.md sections 4 and 5). Record by record, streaming.
import { createContext, importFailure } from '../../reading/context.ts';
import type { ImportRecord } from '../../reading/context.ts';
import { sayingWhy } from '../../reading/report.ts';
import type { ImportReport } from '../../reading/report.ts';
import type { ImportAbout } from '../../define-import.ts';
import { readElements } from '../../xml/elements.ts';
import { undeclared } from '../../xml/reader.ts';
import type { XmlPosition } from '../../xml/reader.ts';
import { emitAgentAuthority } from '../../marc-authority/reading/agent.ts';
import { emitAuthority } from './authority-heading.ts';
import { marcNamespace } from './beginning.ts';
import { parseMarcRecord, strangeParts } from './record.ts';
import type { MarcRecord } from './record.ts';
import { emitAccession, emitHeadings, emitResource } from './resource.ts';

/** What is made of each record. */
export type MarcTarget = 'resource' | 'accession' | 'headings' | 'agent';

/**
 * Yields the records of a file: those that others link before them. A file without any `record` of MARCXML fails with `import_failed`
 * unless it is an empty `collection`.
 */
export async function* readMarc(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
  target: MarcTarget,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let position = (): XmlPosition => ({ line: 1, column: 0, element: '' });
  let root = { line: 1, column: 0, name: '' };
  let count = 0;
  const context = createContext(
    about,
    (record) => queue.push(record),
    () => position(),
  );
  const elements = readElements(chunks, {
    isWanted: (tag) =>
      tag.name === 'record' &&
      (tag.namespace === marcNamespace || tag.namespace === '' || tag.namespace.startsWith(undeclared)),
    root: (tag) => void (root = tag),
    onPosition: (ask) => void (position = ask),
    keepsSpace: true,
  });
  for await (const node of elements) {
    count += 1;
    const record = parseMarcRecord(node);
    for (const part of strangeParts(node)) context.report.drop(part, 'no part of a MARC record');
    if (record.fields.length === 0)
      throw importFailure('The record holds no datafield of MARCXML.', {
        line: node.line,
        column: 0,
        element: 'record',
      });
    emit(context, record, target, about);
    yield* queue.splice(0);
  }
  if (count === 0 && root.name !== 'collection')
    throw importFailure(`The document is not MARCXML: its root element is ${root.name} and it holds no record.`, {
      line: root.line,
      column: root.column,
      element: root.name,
    });
  return sayingWhy(context.report.report(), count, 'no record names an agent or subject', ({ reason }) =>
    reason.startsWith('the record is'),
  );
}

function emit(
  context: ReturnType<typeof createContext>,
  record: MarcRecord,
  target: MarcTarget,
  about: ImportAbout,
): void {
  // Type of record z is authority data (MARC 21, leader position 6).
  const isAuthority = record.leader.charAt(6) === 'z';
  if (target === 'agent') return emitAgentAuthority(context, record, about.switches);
  if (isAuthority) return emitAuthority(context, record);
  if (target === 'resource') return emitResource(context, record);
  return target === 'accession' ? emitAccession(context, record, about.today) : emitHeadings(context, record);
}
