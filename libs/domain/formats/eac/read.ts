// EAC-CPF 2010 and 2.0 to agents: the entry of the reader (behaviour-imports.md section 6). The namespace of the root tells the version;
// a document of 2.0 is rewritten section by section, so that one mapping serves both.
import type { Json } from '../../json.ts';
import { createContext, importFailure, type EadContext, type ImportRecord } from '../ead/context.ts';
import type { ImportReport } from '../ead/report.ts';
import type { ImportAbout } from '../import-types.ts';
import { readElements } from '../xml/elements.ts';
import type { XmlPosition, XmlTag } from '../xml/reader.ts';
import { elementsOf, type XmlNode } from '../xml/tree.ts';
import { readControl } from './control.ts';
import { readDescription, type NoteReader } from './description.ts';
import { kindOfIdentity, readIdentity } from './names.ts';
import { readNote } from './notes.ts';
import { readAlternativeSet, readRelations } from './relations.ts';
import { rewriteControl } from './v2/control.ts';
import { readNote2 } from './v2/notes.ts';
import { eac2Namespace, reportOf2, rewriteCpfDescription } from './v2/rewrite.ts';

/**
 * Yields the agents of a document: one for each `cpfDescription`, subjects and related agents before it. What is no EAC-CPF fails with
 * `import_failed` before any record, as does EAC-CPF 2.0 that describes nobody.
 */
export async function* readEac(chunks: AsyncIterable<Uint8Array>, about: ImportAbout): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let position = (): XmlPosition => ({ line: 1, column: 0, element: '' });
  let control: Readonly<Record<string, Json>> = {};
  let root: Root = { isVersion2: false, line: 1 };
  let described = 0;
  const read = createContext(about, (record) => queue.push(record), () => position());
  const elements = readElements(chunks, {
    isWanted: (tag) => tag.name === 'control' || tag.name === 'cpfDescription',
    root: (tag) => void (root = checkRoot(tag)),
    onPosition: (ask) => void (position = ask),
  });
  for await (const node of elements) {
    const context = root.isVersion2 ? { ...read, report: reportOf2(read.report) } : read;
    if (node.name === 'control') control = readControl(context, root.isVersion2 ? rewriteControl(node, context.report) : node, about.switches.events);
    else {
      described += 1;
      emitAgent(context, root.isVersion2 ? rewriteCpfDescription(node, context.report) : node, control, root.isVersion2 ? readNote2 : readNote);
    }
    yield* queue.splice(0);
  }
  if (root.isVersion2 && described === 0) throw importFailure('The EAC-CPF 2.0 document has no cpfDescription; nothing was created.', { line: root.line, column: 0, element: 'eac' });
  return read.report.report();
}

/** What the root element tells. */
type Root = { readonly isVersion2: boolean; readonly line: number };

/** `eac-cpf` is 2010; `eac` is 2.0 in its namespace alone, since older drafts of the standard have a root of that name too. */
function checkRoot(tag: XmlTag): Root {
  const position = { line: tag.line, column: tag.column, element: tag.name };
  if (tag.name === 'eac' && tag.namespace === eac2Namespace) return { isVersion2: true, line: tag.line };
  if (tag.name === 'eac') throw importFailure(`The document is neither EAC-CPF 2010 nor 2.0: its root element is eac without the namespace ${eac2Namespace}.`, position);
  if (tag.name !== 'eac-cpf') throw importFailure(`The document is not EAC-CPF: its root element is ${tag.name}.`, position);
  return { isVersion2: false, line: tag.line };
}

function emitAgent(context: EadContext, node: XmlNode, control: Readonly<Record<string, Json>>, noteOf: NoteReader): void {
  const [identity, ...others] = elementsOf(node, 'identity');
  const kind = kindOfIdentity(identity);
  if (identity === undefined || kind === undefined) return context.report.drop(node, 'neither a person, a family nor a corporate body', true);
  const names = readIdentity(context, identity, kind);
  if (!Array.isArray(names['names']) || names['names'].length === 0) throw importFailure('The identity has no name.', { line: identity.line, column: 0, element: 'identity' }, { messages: { names: ['At least 1 item(s) is required'] } });
  for (const other of others) context.report.drop(other, 'a description has one identity');
  const body: Record<string, Json> = { ...names, ...control };
  for (const part of elementsOf(node)) {
    if (part.name === 'description') Object.assign(body, readDescription(context, part, kind, noteOf));
    else if (part.name === 'relations') Object.assign(body, readRelations(context, part, kind));
    else if (part.name === 'alternativeSet') Object.assign(body, readAlternativeSet(context, part));
    else if (part.name !== 'identity') context.report.drop(part, 'not imported from cpfDescription');
  }
  context.emit({ ...body, jsonmodel_type: kind.kind, uri: context.nextUri(kind.kind) });
}
