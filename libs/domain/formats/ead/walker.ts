// The path through an EAD document (2002 or EAD3, whose parts are rewritten as EAD 2002): which elements are entered, which are collected and mapped as one, which are passed over.
// Only `ead`, `archdesc`, `dsc`, `descgrp` and components are entered, so memory holds one part of one component at a time.
import type { XmlHandlers, XmlTag } from '../xml/reader.ts';
import { createTreeBuilder, type TreeBuilder, type XmlNode } from '../xml/tree.ts';
import { closeComponent, closeResource, isComponent, openComponent } from './components.ts';
import { importFailure, type EadContext } from './context.ts';
import { readControlAccess } from './controlaccess.ts';
import { readDid } from './did.ts';
import { createDraft, isPublic, type Draft } from './draft.ts';
import { readHeader, type HeaderFields } from './header.ts';
import { readNote } from './notes.ts';
import { normaliseEad3 } from '../ead3/normalise.ts';

/** An entered element: whose record its content belongs to (none in `ead` itself), and whether it ends that record. */
type Frame = { readonly name: string; readonly line: number; readonly draft: Draft | undefined; readonly isOwner: boolean };

/** Handlers for a reader, and `finish` for the end of the document, which emits the resource. */
export type EadWalker = XmlHandlers & { finish(): void };

/** Elements that only group description: their content belongs to the record around them (`add`, `admininfo`: EAD 1.0). */
const groups: ReadonlySet<string> = new Set(['descgrp', 'dsc', 'add', 'admininfo']);

/** Makes the walker of one document. Its calls throw `import_failed` for what cannot be imported. */
export function createWalker(context: EadContext): EadWalker {
  const frames: Frame[] = [];
  let builder: TreeBuilder | undefined;
  let isEadPublic = true;
  let isEad3 = false;
  let header: HeaderFields | undefined;
  let resource: Draft | undefined;

  const collect = (tag: XmlTag): void => {
    builder = createTreeBuilder();
    builder.open(tag);
  };
  const enter = (tag: XmlTag, draft: Draft | undefined, isOwner: boolean): void => {
    frames.push({ name: tag.name, line: tag.line, draft, isOwner });
  };
  const openInEad = (tag: XmlTag): void => {
    isEad3 ||= tag.name === 'control';
    if (tag.name !== 'archdesc') return collect(tag);
    if (resource !== undefined) throw importFailure('The document holds more than one archdesc.', context.position());
    resource = createDraft(context, 'resource', tag, isEadPublic);
    enter(tag, resource, false);
  };
  const openInDraft = (tag: XmlTag, draft: Draft): void => {
    if (isComponent(tag.name)) enter(tag, openComponent(context, draft, resource?.uri ?? draft.uri, tag), true);
    else if (groups.has(tag.name)) enter(tag, draft, false);
    else collect(tag);
  };
  const finishNode = (collected: XmlNode): void => {
    for (const node of isEad3 ? normaliseEad3(collected, context.report, (list, code, text) => isSame(context.fixed(list, text), context.fixed(list, code))) : [collected]) finishPart(node);
  };
  const finishPart = (node: XmlNode): void => {
    const frame = frames.at(-1);
    if (frame?.draft !== undefined) describe(context, frame.draft, frame.name, node);
    else if (node.name === 'eadheader') header = readHeader(context, node);
    else context.report.drop(node, node.name === 'frontmatter' ? 'the title page repeats the header and is not imported' : 'not imported');
  };

  return {
    open(tag) {
      if (builder !== undefined) return builder.open(tag);
      const frame = frames.at(-1);
      if (frame === undefined) {
        checkRoot(context, tag);
        isEad3 = tag.namespace.startsWith(ead3Namespace);
        isEadPublic = isPublic(tag);
        enter(tag, undefined, false);
      } else if (frame.draft === undefined) {
        openInEad(tag);
      } else {
        openInDraft(tag, frame.draft);
      }
    },
    text(text) {
      if (builder !== undefined) return builder.text(text);
      const frame = frames.at(-1);
      if (frame !== undefined) context.report.dropText(frame.line, frame.name, text, `text of ${frame.name} outside its parts`);
    },
    close() {
      if (builder !== undefined) {
        const node = builder.close();
        if (node === undefined) return;
        builder = undefined;
        finishNode(node);
        return;
      }
      const frame = frames.pop();
      if (frame?.draft !== undefined && frame.isOwner) closeComponent(context, frame.draft);
    },
    finish() {
      if (resource === undefined) throw importFailure('The document has no archdesc.', { ...context.position(), element: 'ead' });
      closeResource(context, resource, header ?? { fields: { finding_aid_language: 'und', finding_aid_script: 'Zyyy' } }, isEad3);
    },
  };
}

/** Maps one finished part of `archdesc`, a component, a `dsc` or a `descgrp` into the record it belongs to. */
function describe(context: EadContext, draft: Draft, parent: string, node: XmlNode): void {
  if (node.name === 'did') readDid(context, draft, node);
  else if (node.name === 'controlaccess') readControlAccess(context, draft, node);
  else if (node.name === 'dao' || node.name === 'daogrp') draft.daos.push(node);
  else if (!readNote(context, draft, node)) context.report.drop(node, `not imported inside ${parent}`);
}

const isSame = (value: string | undefined, other: string | undefined): boolean => value !== undefined && value === other;

const ead3Namespace = 'http://ead3.archivists.org/schema';

function checkRoot(context: EadContext, tag: XmlTag): void {
  if (tag.name === 'ead') return;
  const namespace = tag.namespace === '' ? '' : ` in ${tag.namespace}`;
  throw importFailure(`The document is not EAD: its root element is ${tag.name}${namespace}.`, context.position());
}
