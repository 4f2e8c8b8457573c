// The path through an EAD document (2002 or EAD3, whose parts are rewritten as EAD 2002): which elements are entered, which are collected and mapped as one, which are passed over.
// Only `ead`, `archdesc`, `dsc`, `descgrp` and components are entered, so memory holds one part of one component at a time.
import type { XmlHandlers, XmlTag } from '../../xml/reader.ts';
import { createTreeBuilder, textContent } from '../../xml/tree.ts';
import type { TreeBuilder, XmlNode } from '../../xml/tree.ts';
import { closeComponent, closeResource, isComponent, openComponent } from './components.ts';
import type { EadContext } from './context.ts';
import { importFailure } from '../../reading/context.ts';
import { readControlAccess } from './controlaccess.ts';
import { readDid, readLanguageAttribute } from './did.ts';
import { createDraft } from './draft.ts';
import type { Draft } from './draft.ts';
import { readHeader } from './header.ts';
import type { HeaderFields } from './header.ts';
import { readNote } from './notes.ts';
import { normaliseEad3 } from './ead3/normalise.ts';
import { asInternal, isPublic } from '../../xml/audience.ts';

/**
 * An entered element: whose record its content belongs to (none in `ead` itself), and whether it ends that record. A group may be
 * internal as a whole; `blocks` are its head and paragraphs, which wait for the end of their run.
 */
type Frame = {
  readonly tag: XmlTag;
  readonly draft: Draft | undefined;
  readonly isOwner: boolean;
  readonly isInternal: boolean;
  readonly blocks: XmlNode[];
};

/** Handlers for a reader, which emit the resource at the end of each `ead`, and `finish` for the end of the document, which must have held one. */
export type EadWalker = XmlHandlers & { finish(): void };

/** Elements that only group description: their content belongs to the record around them (`add`, `admininfo`: EAD 1.0). */
const groups: ReadonlySet<string> = new Set(['descgrp', 'dsc', 'add', 'admininfo']);

/** What a group may say itself, between the parts it groups. */
const blocks: ReadonlySet<string> = new Set(['p', 'blockquote', 'address', 'table', 'list', 'chronlist']);

/** Makes the walker of one document, which may hold several `ead` in an envelope. Its calls throw `import_failed` for what cannot be imported. */
export function createWalker(context: EadContext): EadWalker {
  const frames: Frame[] = [];
  let builder: TreeBuilder | undefined;
  let isEadPublic = true;
  let isEad3 = false;
  let header: HeaderFields | undefined;
  let resource: Draft | undefined;
  let root: XmlTag | undefined;
  let count = 0;

  const collect = (tag: XmlTag): void => {
    builder = createTreeBuilder();
    builder.open(tag);
  };
  const enter = (tag: XmlTag, draft: Draft | undefined, isOwner: boolean): void => {
    const isInternal = groups.has(tag.name) && (!isPublic(tag) || frames.at(-1)?.isInternal === true);
    frames.push({ tag, draft, isOwner, isInternal, blocks: [] });
  };
  const openEad = (tag: XmlTag): void => {
    count += 1;
    header = undefined;
    resource = undefined;
    isEad3 = tag.namespace.startsWith(ead3Namespace);
    isEadPublic = isPublic(tag);
    enter(tag, undefined, false);
  };
  const closeEad = (): void => {
    if (resource === undefined)
      throw importFailure('The document has no archdesc.', { ...context.position(), element: 'ead' });
    closeResource(
      context,
      resource,
      header ?? { fields: { finding_aid_language: 'und', finding_aid_script: 'Zyyy' } },
      isEad3,
    );
  };
  const openInEad = (tag: XmlTag): void => {
    isEad3 ||= tag.name === 'control';
    if (tag.name !== 'archdesc') return collect(tag);
    if (resource !== undefined) throw importFailure('The document holds more than one archdesc.', context.position());
    resource = createDraft(context, 'resource', tag, isEadPublic);
    readLanguageAttribute(context, resource, tag);
    enter(tag, resource, false);
  };
  const openInDraft = (tag: XmlTag, draft: Draft): void => {
    const frame = frames.at(-1);
    if (frame !== undefined && !blocks.has(tag.name)) endRun(context, frame);
    if (isComponent(tag.name)) {
      const component = openComponent(context, draft, resource?.uri ?? draft.uri, tag, frame?.isInternal !== true);
      readLanguageAttribute(context, component, tag);
      enter(tag, component, true);
    } else if (groups.has(tag.name)) enter(tag, draft, false);
    else collect(tag);
  };
  const finishNode = (collected: XmlNode): void => {
    for (const node of isEad3
      ? normaliseEad3(collected, context.report, (list, code, text) =>
          isSame(context.fixed(list, text), context.fixed(list, code)),
        )
      : [collected])
      finishPart(node);
  };
  const finishPart = (node: XmlNode): void => {
    const frame = frames.at(-1);
    if (frame?.draft !== undefined && groups.has(frame.tag.name) && (blocks.has(node.name) || node.name === 'head'))
      frame.blocks.push(node);
    else if (frame?.draft !== undefined)
      describe(context, frame.draft, frame.tag.name, frame.isInternal ? asInternal(node) : node);
    else if (node.name === 'eadheader') header = readHeader(context, node);
    else
      context.report.drop(
        node,
        node.name === 'frontmatter' ? 'the title page repeats the header and is not imported' : 'not imported',
      );
  };

  return {
    open(tag) {
      if (builder !== undefined) return builder.open(tag);
      const frame = frames.at(-1);
      root ??= tag;
      if (frame === undefined) {
        // What is around an `ead` (an answer of OAI-PMH, a list of documents) is an envelope.
        if (tag.name === 'ead') openEad(tag);
      } else if (frame.draft === undefined) {
        openInEad(tag);
      } else {
        openInDraft(tag, frame.draft);
      }
    },
    text(text) {
      if (builder !== undefined) return builder.text(text);
      const frame = frames.at(-1);
      if (frame === undefined || text.trim() === '') return;
      endRun(context, frame);
      // It is not kept, but where it stands is not empty.
      if (frame.draft !== undefined) frame.draft.size += text.length;
      context.report.dropText(frame.tag.line, frame.tag.name, text, `text of ${frame.tag.name} outside its parts`);
    },
    close() {
      if (builder !== undefined) {
        const node = builder.close();
        if (node === undefined) return;
        const draft = frames.at(-1)?.draft;
        if (draft !== undefined) demandRoom(draft, builder.size);
        builder = undefined;
        finishNode(node);
        return;
      }
      const frame = frames.pop();
      if (frame !== undefined) endRun(context, frame);
      const parent = frames.at(-1)?.draft;
      if (frame?.draft !== undefined && frame.isOwner && parent !== undefined)
        closeComponent(context, frame.draft, parent);
      if (frame !== undefined && frames.length === 0) closeEad();
    },
    finish() {
      if (count === 0 && root !== undefined) throw notEad(root);
    },
  };
}

// The batch import takes no larger record, and a part of a document is a tree in memory before it is text.
const mostRecordCharacters = 64_000_000;

/** Counts a part into its record; throws `import_failed` where the record becomes too large. */
function demandRoom(draft: Draft, size: number): void {
  draft.size += size;
  if (draft.size > mostRecordCharacters)
    throw importFailure(`One ${draft.kind} holds more than ${mostRecordCharacters} characters.`, {
      line: draft.tag.line,
      column: draft.tag.column,
      element: draft.tag.name,
    });
}

/** The paragraphs of a group become a general note under its head; a head without paragraphs is reported. */
function endRun(context: EadContext, frame: Frame): void {
  const run = frame.blocks.splice(0);
  if (frame.draft === undefined || run.length === 0) return;
  const note: XmlNode = { name: 'odd', attributes: [], children: run, line: frame.tag.line };
  if (run.some((node) => node.name !== 'head' && textContent(node) !== ''))
    return describe(context, frame.draft, frame.tag.name, frame.isInternal ? asInternal(note) : note);
  for (const head of run) context.report.drop(head, `not imported inside ${frame.tag.name}`);
}

/** Maps one finished part of `archdesc`, a component, a `dsc` or a `descgrp` into the record it belongs to. */
function describe(context: EadContext, draft: Draft, parent: string, node: XmlNode): void {
  if (node.name === 'did') readDid(context, draft, node);
  else if (node.name === 'controlaccess') readControlAccess(context, draft, node);
  else if (node.name === 'dao' || node.name === 'daogrp') draft.daos.push(node);
  else if (!readNote(context, draft, node)) context.report.drop(node, `not imported inside ${parent}`);
}

const isSame = (value: string | undefined, other: string | undefined): boolean =>
  value !== undefined && value === other;

const ead3Namespace = 'http://ead3.archivists.org/schema';

function notEad(root: XmlTag): Error {
  const namespace = root.namespace === '' ? '' : ` in ${root.namespace}`;
  return importFailure(`The document is not EAD: its root element is ${root.name}${namespace}.`, {
    line: root.line,
    column: root.column,
    element: root.name,
  });
}
