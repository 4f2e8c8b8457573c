// Mixed content of records as HTML: the markup that archival descriptions use, nothing that could run, and the text of everything else.
import { escapeAttribute, escapeText } from '../../xml/escape.ts';
import { parseFragment } from '../../xml/fragment.ts';
import { gatherRuns } from '../../xml/paragraph-runs.ts';
import { isElement } from '../../xml/tree.ts';
import type { XmlChild, XmlNode } from '../../xml/tree.ts';

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
  ['title', 'cite'],
  ['item', 'li'],
  ['blockquote', 'blockquote'],
  ['p', 'p'],
  ['head', 'strong'],
]);
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
    if (isElement(child) && (child.name === 'p' || child.name === 'list' || child.name === 'blockquote')) {
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
  if (node.name === 'lb' || node.name === 'br') return '<br>';
  const attribute = (name: string): string | undefined =>
    node.attributes.find((each) => each.local === name)?.value.trim();
  if (node.name === 'list' && allowsBlocks) {
    const items = node.children
      .filter(isElement)
      .filter((child) => child.name === 'item')
      .map((item) => `<li>${contentHtml(item.children, true)}</li>`)
      .join('');
    const tag = attribute('type') === 'ordered' ? 'ol' : 'ul';
    return items === '' ? contentHtml(node.children, false) : `<${tag}>${items}</${tag}>`;
  }
  const inner = contentHtml(node.children, allowsBlocks);
  if (node.name === 'script' || node.name === 'style') return '';
  if (links.has(node.name)) {
    const href = attribute('href') ?? '';
    // Addresses of the web alone: nothing that a browser would run.
    if (/^https?:\/\//i.test(href))
      return `<a href="${escapeAttribute(href)}">${inner === '' ? escapeText(href) : inner}</a>`;
    return inner;
  }
  const tag = node.name === 'emph' ? (renders.get(attribute('render') ?? '') ?? 'em') : same.get(node.name);
  if (tag === undefined || (!allowsBlocks && ['li', 'p', 'blockquote'].includes(tag)))
    return ['p', 'item', 'head', 'label'].includes(node.name) ? ` ${inner} ` : inner;
  return `<${tag}>${inner}</${tag}>`;
}
