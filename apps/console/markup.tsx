// Texts of records with the markup that finding aids have in them (EAD: emph, title, lb, p, list, extref …). The tags that are known become
// elements that are made here; whatever else looks like a tag is text, as it was written.
import type { ComponentChildren, JSX } from 'preact';
import { h } from 'preact';

type Open = {
  readonly tag: string;
  readonly element: string;
  readonly props: object;
  readonly children: ComponentChildren[];
};

// A map: an object would know `constructor` too.
const elements: ReadonlyMap<string, string> = new Map(
  Object.entries({
    abbr: 'span',
    blockquote: 'blockquote',
    corpname: 'span',
    date: 'span',
    emph: 'em',
    expan: 'span',
    extref: 'a',
    famname: 'span',
    genreform: 'span',
    geogname: 'span',
    head: 'strong',
    i: 'em',
    item: 'li',
    language: 'span',
    list: 'ul',
    name: 'span',
    num: 'span',
    p: 'p',
    persname: 'span',
    quote: 'q',
    ref: 'a',
    subject: 'span',
    title: 'cite',
    unitdate: 'span',
    unittitle: 'span',
    b: 'strong',
    em: 'em',
    strong: 'strong',
  }),
);

const tags = /<(\/?)(?:\w+:)?([a-z]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/gi;
const entities: { readonly [name: string]: string } = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const plain = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (all, name: string) => entities[name] ?? all);

/** A text without its markup, where none can be shown: in the title of the window. */
export const withoutMarkup = (text: string): string =>
  plain(
    text.replace(tags, (all, _slash, name: string) => {
      const tag = name.toLowerCase();
      if (tag === 'lb' || tag === 'br') return ' ';
      return elements.has(tag) ? '' : all;
    }),
  );

/** A text with its markup. `inline` keeps to what may stand in a line. */
export function Marked({ text, inline = false }: { readonly text: string; readonly inline?: boolean }): JSX.Element {
  const stack: Open[] = [{ tag: '', element: 'span', props: {}, children: [] }];
  const add = (child: ComponentChildren): void => void stack.at(-1)?.children.push(child);
  const close = (): void => {
    const done = stack.pop();
    if (done !== undefined) add(h(done.element, done.props, ...done.children));
  };
  let at = 0;
  for (const match of text.matchAll(tags)) {
    const [all, slash = '', name = '', attributes = '', isEmpty = ''] = match;
    const tag = name.toLowerCase();
    const element = elements.get(tag);
    add(plain(text.slice(at, match.index)));
    at = match.index + all.length;
    if (tag === 'lb' || tag === 'br') add(<br />);
    else if (element === undefined) add(all);
    else if (slash === '/') {
      // What was opened within and not closed ends with it; what was never opened is text.
      if (!stack.some((open) => open.tag === tag)) add(all);
      else while (stack.length > 1 && stack.at(-1)?.tag !== tag) close();
      if (stack.at(-1)?.tag === tag) close();
    } else {
      const isBlock = inline && /^(?:p|ul|li|blockquote)$/.test(element);
      stack.push({ tag, ...shown(isBlock ? 'span' : element, attributes), children: [] });
      if (isEmpty === '/') close();
    }
  }
  add(plain(text.slice(at)));
  while (stack.length > 1) close();
  return <bdi class={inline ? 'marked' : 'marked block'}>{stack[0]?.children}</bdi>;
}

/** An element with what of the attributes may be used: how a word is emphasised, and where a link leads, if that is a web page. */
function shown(element: string, attributes: string): { readonly element: string; readonly props: object } {
  const value = (name: RegExp): string | undefined =>
    name
      .exec(attributes)
      ?.slice(1)
      .find((found) => found !== undefined);
  if (element === 'a') {
    const href = plain(value(/(?:^|\s|:)href\s*=\s*(?:"([^"]*)"|'([^']*)')/i) ?? '');
    return /^https?:\/\//i.test(href)
      ? { element, props: { href, rel: 'noreferrer', target: '_blank' } }
      : { element: 'span', props: {} };
  }
  const render = value(/render\s*=\s*(?:"([^"]*)"|'([^']*)')/i) ?? '';
  if (element === 'em' && /bold/.test(render)) return { element: 'strong', props: {} };
  if (element === 'em' && /^(?:super|sub)$/.test(render)) return { element: render.slice(0, 3), props: {} };
  return { element, props: {} };
}

/** A title in a line, whichever way its script runs. */
export const Title = ({ text }: { readonly text: string | undefined }): JSX.Element =>
  text === undefined || text === '' ? <bdi class="marked">–</bdi> : <Marked text={text} inline />;
