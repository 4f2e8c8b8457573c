// Mixed content of records as HTML: the markup that archival descriptions use, nothing that could run, and the text of everything else.
import { escapeAttribute, escapeText } from '../../xml/escape.ts';
import { parseFragment } from '../../xml/fragment.ts';
import { gatherRuns } from '../../xml/paragraph-runs.ts';
import { isElement } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';
import { apart, silent } from '../parting.ts';

const renders: ReadonlyMap<string, string> = new Map([
  ['bold', 'strong'],
  ['italic', 'em'],
  ['underline', 'u'],
  ['sub', 'sub'],
  ['super', 'sup'],
  ['smcaps', 'span'],
  ['doublequote', 'q'],
  ['singlequote', 'q'],
]);
const same: ReadonlyMap<string, string> = new Map([
  ['b', 'strong'],
  ['strong', 'strong'],
  ['i', 'em'],
  ['em', 'em'],
  ['u', 'u'],
  ['sub', 'sub'],
  ['sup', 'sup'],
  ['title', 'cite'],
  ['blockquote', 'blockquote'],
  ['p', 'p'],
  ['head', 'strong'],
]);
const lists: ReadonlySet<string> = new Set(['list', 'ul', 'ol']);
const items: ReadonlySet<string> = new Set(['item', 'li']);
const heads: ReadonlySet<string> = new Set(['head', 'listhead']);
const links: ReadonlySet<string> = new Set(['a', 'extref', 'ref', 'archref', 'bibref', 'extptr', 'ptr']);

/** The text of one line, such as a title, with its inline markup. */
export const inlineHtml = (text: string): string => contentHtml(parseFragment(text) ?? [text], false).trim();

/** A text as paragraphs, parted at blank lines; lists and quotations stand by themselves. */
export function blocksHtml(text: string): string {
  let html = '';
  const runs = gatherRuns((run) => {
    const inner = contentHtml(run, false).trim();
    if (inner !== '') html += `<p dir="auto">${inner}</p>`;
  });
  for (const child of parseFragment(text) ?? [text]) {
    if (isElement(child) && (child.name === 'p' || lists.has(child.name) || child.name === 'blockquote')) {
      runs.end();
      html +=
        child.name === 'p' ? `<p dir="auto">${contentHtml(child.children, false)}</p>` : contentHtml([child], true);
    } else {
      runs.add(child);
    }
  }
  runs.end();
  return html;
}

function contentHtml(children: readonly XmlChild[], allowsBlocks: boolean): string {
  return children.map((child) => (isElement(child) ? elementHtml(child, allowsBlocks) : escapeText(child))).join('');
}

function elementHtml(node: XmlNode, allowsBlocks: boolean): string {
  if (silent.has(node.name)) return '';
  if (node.name === 'lb' || node.name === 'br')
    return node.children.length === 0 ? '<br>' : `<br>${contentHtml(node.children, allowsBlocks)}<br>`;
  if (lists.has(node.name) && allowsBlocks) return listHtml(node);
  const attribute = (name: string): string | undefined => attributeOf(node, name);
  const inner = contentHtml(node.children, allowsBlocks);
  if (links.has(node.name)) {
    const href = attribute('href') ?? '';
    // Addresses of the web alone: nothing that a browser would run.
    if (/^https?:\/\//i.test(href))
      return `<a href="${escapeAttribute(href)}">${inner === '' ? escapeText(href) : inner}</a>`;
    return inner;
  }
  const tag = node.name === 'emph' ? (renders.get(attribute('render') ?? '') ?? 'em') : same.get(node.name);
  if (tag === undefined || (!allowsBlocks && ['p', 'blockquote'].includes(tag)))
    return apart.has(node.name) ? ` ${inner} ` : inner;
  return heads.has(node.name) ? ` <${tag}>${inner}</${tag}> ` : `<${tag}>${inner}</${tag}>`;
}

const attributeOf = (node: XmlNode, name: string): string | undefined =>
  node.attributes.find((each) => each.local === name)?.value.trim();

/** A list with its head before it; all else in it is an item, such as a label with what it says. */
function listHtml(node: XmlNode): string {
  const isHead = (child: XmlChild): boolean => isElement(child) && heads.has(child.name);
  const parts = node.children.filter((child) => isElement(child) || child.trim() !== '');
  const before = parts.filter(isHead).map((head) => contentHtml([head], true));
  const entries = parts
    .filter((child) => !isHead(child))
    .map((child) => contentHtml(isElement(child) && items.has(child.name) ? child.children : [child], true).trim())
    .map((inner) => `<li>${inner}</li>`);
  if (entries.length === 0) return contentHtml(node.children, false);
  const tag = node.name === 'ol' || attributeOf(node, 'type') === 'ordered' ? 'ol' : 'ul';
  return `${before.join('').trim()}<${tag}>${entries.join('')}</${tag}>`;
}
