// EAC-CPF (2010) to agents: the entry of the reader (behaviour-imports.md section 6).
import type { Json } from '../../json.ts';
import { createContext, importFailure, type EadContext, type ImportRecord } from '../ead/context.ts';
import type { ImportReport } from '../ead/report.ts';
import type { ImportAbout } from '../import-types.ts';
import { readElements } from '../xml/elements.ts';
import type { XmlPosition, XmlTag } from '../xml/reader.ts';
import { elementsOf, type XmlNode } from '../xml/tree.ts';
import { readControl } from './control.ts';
import { readDescription } from './description.ts';
import { kindOfIdentity, readIdentity } from './names.ts';
import { readAlternativeSet, readRelations } from './relations.ts';

/**
 * Yields the agents of a document: one for each `cpfDescription`, subjects and related agents before it. EAC-CPF 2.0, which has other
 * elements, and what is no EAC-CPF fail with `import_failed` before any record.
 */
export async function* readEac(chunks: AsyncIterable<Uint8Array>, about: ImportAbout): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let position = (): XmlPosition => ({ line: 1, column: 0, element: '' });
  let control: Readonly<Record<string, Json>> = {};
  const context = createContext(about, (record) => queue.push(record), () => position());
  const elements = readElements(chunks, {
    isWanted: (tag) => tag.name === 'control' || tag.name === 'cpfDescription',
    root: (tag) => checkRoot(tag),
    onPosition: (ask) => void (position = ask),
  });
  for await (const node of elements) {
    if (node.name === 'control') control = readControl(context, node, about.switches.events);
    else emitAgent(context, node, control);
    yield* queue.splice(0);
  }
  return context.report.report();
}

function checkRoot(tag: XmlTag): void {
  const position = { line: tag.line, column: tag.column, element: tag.name };
  if (tag.name === 'eac' || tag.namespace.includes('/eac/v2')) throw importFailure('The document is EAC-CPF 2.0. Only EAC-CPF 2010 can be imported; nothing was created.', position);
  if (tag.name !== 'eac-cpf') throw importFailure(`The document is not EAC-CPF: its root element is ${tag.name}.`, position);
}

function emitAgent(context: EadContext, node: XmlNode, control: Readonly<Record<string, Json>>): void {
  const [identity] = elementsOf(node, 'identity');
  const kind = kindOfIdentity(identity);
  if (identity === undefined || kind === undefined) return context.report.drop(node, 'neither a person, a family nor a corporate body', true);
  const names = readIdentity(context, identity, kind);
  if (!Array.isArray(names['names']) || names['names'].length === 0) throw importFailure('The identity has no name.', { line: identity.line, column: 0, element: 'identity' }, { messages: { names: ['At least 1 item(s) is required'] } });
  const body: Record<string, Json> = { ...names, ...control };
  for (const part of elementsOf(node)) {
    if (part.name === 'description') Object.assign(body, readDescription(context, part, kind));
    else if (part.name === 'relations') Object.assign(body, readRelations(context, part, kind));
    else if (part.name === 'alternativeSet') Object.assign(body, readAlternativeSet(context, part));
    else if (part.name !== 'identity') context.report.drop(part, 'not imported from cpfDescription');
  }
  context.emit({ ...body, jsonmodel_type: kind.kind, uri: context.nextUri(kind.kind) });
}
