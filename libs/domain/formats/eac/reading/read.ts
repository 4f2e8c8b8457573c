// EAC-CPF 2010 and 2.0 to agents: the entry of the reader (behaviour-imports.md section 6). The namespace of `eac` tells the version;
// a document of 2.0 is rewritten section by section, so that one mapping serves both.
import type { Json } from '../../../json.ts';
import { createContext, importFailure } from '../../reading/context.ts';
import type { ReadingContext, ImportRecord } from '../../reading/context.ts';
import { sayingWhy } from '../../reading/report.ts';
import type { ImportReport } from '../../reading/report.ts';
import type { ImportAbout } from '../../define-import.ts';
import { readElements } from '../../xml/elements.ts';
import type { XmlPosition, XmlTag } from '../../xml/reader.ts';
import { descendantsOf, elementOf, elementsOf } from '../../xml/tree.ts';
import type { XmlNode } from '../../xml/tree.ts';
import { readControl } from './control.ts';
import { readDescription } from './description.ts';
import type { NoteReader } from './description.ts';
import { kindOfIdentity, readIdentity } from './names.ts';
import { readNote } from './notes.ts';
import { readAlternativeSet, readRelations } from './relations.ts';
import { rewriteControl } from './v2/control.ts';
import { readNote2 } from './v2/notes.ts';
import { eac2Namespace, reportOf2, rewriteCpfDescription } from './v2/rewrite.ts';

/**
 * Yields the agents of a document: one for each `cpfDescription`, subjects and related agents before it. A file may hold several documents
 * in an envelope, as answers and lists of other systems do. What holds no EAC-CPF fails with `import_failed` before any record, as does
 * EAC-CPF 2.0 that describes nobody.
 */
export async function* readEac(
  chunks: AsyncIterable<Uint8Array>,
  about: ImportAbout,
): AsyncGenerator<ImportRecord, ImportReport, void> {
  const queue: ImportRecord[] = [];
  let position = (): XmlPosition => ({ line: 1, column: 0, element: '' });
  let root: XmlTag | undefined;
  let count = 0;
  const versions: boolean[] = [];
  const read = createContext(
    about,
    (record) => queue.push(record),
    () => position(),
  );
  const elements = readElements(chunks, {
    // Documents come in the order in which they were wanted.
    isWanted: (tag) => (tag.name === 'eac-cpf' || tag.name === 'eac') && versions.push(isVersion2(tag)) > 0,
    root: (tag) => void (root = tag),
    onPosition: (ask) => void (position = ask),
  });
  for await (const node of elements) {
    count += 1;
    emitDocument(read, node, versions.shift() === true, about.switches.events);
    yield* queue.splice(0);
  }
  if (count === 0 && root !== undefined)
    throw importFailure(`The document is not EAC-CPF: its root element is ${root.name}.`, {
      line: root.line,
      column: root.column,
      element: root.name,
    });
  return sayingWhy(
    read.report.report(),
    count,
    'no cpfDescription tells of an agent',
    ({ element }) => element === 'cpfDescription',
  );
}

/** `eac-cpf` is 2010; `eac` is 2.0 in its namespace alone, since older drafts of the standard have a root of that name too. */
function isVersion2(tag: XmlTag): boolean {
  if (tag.name === 'eac' && tag.namespace !== eac2Namespace) {
    throw importFailure(
      `The document is neither EAC-CPF 2010 nor 2.0: its root element is eac without the namespace ${eac2Namespace}.`,
      { line: tag.line, column: tag.column, element: tag.name },
    );
  }
  return tag.name === 'eac';
}

/** The agents of one document; all of them have its control data. */
function emitDocument(read: ReadingContext, document: XmlNode, isVersion2: boolean, hasEvents: boolean): void {
  const context = isVersion2 ? { ...read, report: reportOf2(read.report) } : read;
  const [control] = elementsOf(document, 'control');
  const properties =
    control === undefined
      ? {}
      : readControl(context, isVersion2 ? rewriteControl(control, context.report) : control, hasEvents);
  const descriptions = descendantsOf(document, 'cpfDescription');
  if (isVersion2 && descriptions.length === 0)
    throw importFailure('The EAC-CPF 2.0 document has no cpfDescription; nothing was created.', {
      line: document.line,
      column: 0,
      element: 'eac',
    });
  for (const node of descriptions)
    emitAgent(
      context,
      isVersion2 ? rewriteCpfDescription(node, context.report) : node,
      properties,
      isVersion2 ? readNote2 : readNote,
    );
}

function emitAgent(
  context: ReadingContext,
  node: XmlNode,
  control: Readonly<Record<string, Json>>,
  noteOf: NoteReader,
): void {
  const [identity, ...others] = elementsOf(node, 'identity');
  const kind = kindOfIdentity(identity);
  if (identity === undefined || kind === undefined)
    return context.report.drop(node, 'neither a person, a family nor a corporate body', true);
  const names = readIdentity(context, identity, kind);
  if (!Array.isArray(names['names']) || names['names'].length === 0)
    throw importFailure(
      'The identity has no name.',
      { line: identity.line, column: 0, element: 'identity' },
      { messages: { names: ['At least 1 item(s) is required'] } },
    );
  for (const other of others) context.report.drop(other, 'a description has one identity');
  const body: Record<string, Json> = { ...names, ...control };
  for (const part of elementsOf(node)) {
    if (part.name !== 'identity' && elementOf(node, part.name) !== part)
      context.report.drop(part, `only the first ${part.name} is imported`);
    else if (part.name === 'description') Object.assign(body, readDescription(context, part, kind, noteOf));
    else if (part.name === 'relations') Object.assign(body, readRelations(context, part, kind));
    else if (part.name === 'alternativeSet') Object.assign(body, readAlternativeSet(context, part));
    else if (part.name !== 'identity') context.report.drop(part, 'not imported from cpfDescription');
  }
  context.emit({ ...body, jsonmodel_type: kind.kind, uri: context.nextUri(kind.kind) });
}
