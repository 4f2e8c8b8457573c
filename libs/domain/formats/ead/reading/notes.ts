// EAD 2002 note elements to multi-part notes with text, list and chronology sub-notes.
import type { JsonObject } from '../../../json.ts';
import { elementOf, isElement } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import type { EadContext } from './context.ts';
import type { Draft } from './draft.ts';
import { hasText, mixedLine, mixedText } from '../../reading/content.ts';
import { isListElement, listSubnotes } from './lists.ts';
import { labelOf, noteAttributes, singlepartNote, textSubnotes } from '../../reading/note-records.ts';
import { readBibliography, readIndex } from './bibliography.ts';
import { inAudienceOf, isPublic } from '../../xml/audience.ts';

/** Elements that become a multi-part note of the same type, as the contract lists them; a `note` becomes an `odd`. */
const multipartElements: ReadonlySet<string> = new Set([
  'accessrestrict',
  'accruals',
  'acqinfo',
  'altformavail',
  'appraisal',
  'arrangement',
  'bioghist',
  'custodhist',
  'fileplan',
  'legalstatus',
  'note',
  'odd',
  'organization',
  'originalsloc',
  'otherfindaid',
  'phystech',
  'prefercite',
  'processinfo',
  'relatedmaterial',
  'scopecontent',
  'separatedmaterial',
  'userestrict',
]);

/** Elements whose type of note has another name (`organization`: EAD 1.0). */
const otherTypes: ReadonlyMap<string, string> = new Map([
  ['note', 'odd'],
  ['organization', 'arrangement'],
]);

const singlepartElements: ReadonlySet<string> = new Set(['abstract', 'materialspec', 'physloc']);

/** Adds the note of an element to a record; false where the element is none of the note elements. */
export function readNote(context: EadContext, draft: Draft, node: XmlNode): boolean {
  if (singlepartElements.has(node.name)) readSinglepart(context, draft, node);
  else if (multipartElements.has(node.name)) readMultipart(context, draft, node);
  else if (isListElement(node)) readLooseList(context, draft, node);
  else if (node.name === 'bibliography') readBibliography(context, draft, node);
  else if (node.name === 'index') readIndex(context, draft, node);
  else return false;
  return true;
}

/** abstract, materialspec, physloc: the text without its head; the label is in @label. */
function readSinglepart(context: EadContext, draft: Draft, node: XmlNode): void {
  const body = node.children.filter((child) => !isElement(child) || child.name !== 'head');
  for (const child of node.children)
    if (isElement(child) && child.name === 'head') context.report.drop(child, `head of ${node.name} is not imported`);
  const text = mixedText(body);
  if (text !== '') draft.notes.push(singlepartNote(node.name, text, node));
}

function readMultipart(context: EadContext, draft: Draft, node: XmlNode): void {
  const { head, body, nested } = divide(node);
  const subnotes = readSubnotes(context, body, isPublic(node));
  if (subnotes.length > 0) {
    const label = head === undefined ? '' : mixedLine(head.children);
    draft.notes.push({
      jsonmodel_type: 'note_multipart',
      type: otherTypes.get(node.name) ?? node.name,
      ...(label === '' ? labelOf(node) : { label }),
      subnotes,
      ...noteAttributes(node),
    });
  } else if (head !== undefined && nested.every((inner) => elementOf(inner, 'head') !== undefined)) {
    context.report.drop(head, `${node.name} has a head and no text of its own`);
  }
  // The head of a note that only holds others is that of those without one (`accessrestrict` around a `legalstatus`).
  const parts =
    subnotes.length > 0 || head === undefined
      ? nested
      : nested.map((inner) =>
          elementOf(inner, 'head') === undefined ? { ...inner, children: [head, ...inner.children] } : inner,
        );
  for (const inner of parts) readNote(context, draft, inAudienceOf(node, inner));
}

/** A list or chronology that stands outside any note becomes a general note of its own. */
function readLooseList(context: EadContext, draft: Draft, node: XmlNode): void {
  const subnotes = listSubnotes(context, node, true);
  if (subnotes.length === 0) return;
  draft.notes.push({ jsonmodel_type: 'note_multipart', type: 'odd', subnotes, ...noteAttributes(node) });
}

type Division = {
  readonly head: XmlNode | undefined;
  readonly body: readonly XmlChild[];
  readonly nested: readonly XmlNode[];
};

/** The first head, the notes nested in a note (each becomes a note of its own), and everything else. */
function divide(node: XmlNode): Division {
  let head: XmlNode | undefined;
  const body: XmlChild[] = [];
  const nested: XmlNode[] = [];
  for (const child of node.children) {
    if (!isElement(child)) body.push(child);
    else if (child.name === 'head' && head === undefined) head = child;
    else if (isNestedNote(child)) nested.push(child);
    else body.push(child);
  }
  return { head, body, nested };
}

function isNestedNote(node: XmlNode): boolean {
  return multipartElements.has(node.name) || node.name === 'bibliography' || node.name === 'index';
}

/**
 * Text up to a list, the list, text up to the next: a list directly in a paragraph parts the paragraph. Of a note that is not internal itself,
 * internal paragraphs are a text of their own, which is not published.
 */
function readSubnotes(context: EadContext, body: readonly XmlChild[], publish: boolean): readonly JsonObject[] {
  const subnotes: JsonObject[] = [];
  let run: XmlChild[] = [];
  let isShown = publish;
  const flush = (): void => {
    if (hasText(run) || run.some(isMeaningful)) subnotes.push(...textSubnotes(mixedText(run), isShown));
    run = [];
  };
  for (const child of body.flatMap(partParagraph)) {
    if (!isElement(child) || !isListElement(child)) {
      const isOther = (isElement(child) || child.trim() !== '') && isShown !== (publish && !isInternalBlock(child));
      if (isOther) {
        flush();
        isShown = !isShown;
      }
      run.push(child);
      continue;
    }
    flush();
    subnotes.push(...listSubnotes(context, child, publish));
  }
  flush();
  return subnotes;
}

/** Words inside a text stay with it, whatever their audience. */
function isInternalBlock(child: XmlChild): boolean {
  return isElement(child) && ['p', 'blockquote', 'table', 'address'].includes(child.name) && !isPublic(child);
}

/** A pointer or image without text is still content: `<extptr href="…"/>`. */
function isMeaningful(child: XmlChild): boolean {
  return (
    isElement(child) &&
    (child.attributes.some((attribute) => attribute.local === 'href') || child.children.some(isMeaningful))
  );
}

function partParagraph(child: XmlChild): readonly XmlChild[] {
  if (
    !isElement(child) ||
    child.name !== 'p' ||
    !child.children.some((inner) => isElement(inner) && isListElement(inner))
  )
    return [child];
  const parts: XmlChild[] = [];
  let run: XmlChild[] = [];
  const flush = (): void => {
    if (run.length > 0) parts.push({ ...child, children: run });
    run = [];
  };
  for (const inner of child.children) {
    if (isElement(inner) && isListElement(inner)) {
      flush();
      parts.push(inAudienceOf(child, inner));
    } else {
      run.push(inner);
    }
  }
  flush();
  return parts;
}
