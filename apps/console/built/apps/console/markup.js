import { jsx as _jsx } from "preact/jsx-runtime";
import { h } from 'preact';
const elements = new Map(Object.entries({
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
}));
const tags = /<(\/?)(?:\w+:)?([a-z]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>/gi;
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const plain = (text) => text.replace(/&(amp|lt|gt|quot|apos);/g, (all, name) => entities[name] ?? all);
export const withoutMarkup = (text) => plain(text.replace(tags, (all, _slash, name) => {
    const tag = name.toLowerCase();
    if (tag === 'lb' || tag === 'br')
        return ' ';
    return elements.has(tag) ? '' : all;
}));
export function Marked({ text, inline = false }) {
    const stack = [{ tag: '', element: 'span', props: {}, children: [] }];
    const add = (child) => void stack.at(-1)?.children.push(child);
    const close = () => {
        const done = stack.pop();
        if (done !== undefined)
            add(h(done.element, done.props, ...done.children));
    };
    let at = 0;
    for (const match of text.matchAll(tags)) {
        const [all, slash = '', name = '', attributes = '', isEmpty = ''] = match;
        const tag = name.toLowerCase();
        const element = elements.get(tag);
        add(plain(text.slice(at, match.index)));
        at = match.index + all.length;
        if (tag === 'lb' || tag === 'br')
            add(_jsx("br", {}));
        else if (element === undefined)
            add(all);
        else if (slash === '/') {
            if (!stack.some((open) => open.tag === tag))
                add(all);
            else
                while (stack.length > 1 && stack.at(-1)?.tag !== tag)
                    close();
            if (stack.at(-1)?.tag === tag)
                close();
        }
        else {
            const isBlock = inline && /^(?:p|ul|li|blockquote)$/.test(element);
            stack.push({ tag, ...shown(isBlock ? 'span' : element, attributes), children: [] });
            if (isEmpty === '/')
                close();
        }
    }
    add(plain(text.slice(at)));
    while (stack.length > 1)
        close();
    return _jsx("bdi", { class: inline ? 'marked' : 'marked block', children: stack[0]?.children });
}
function shown(element, attributes) {
    const value = (name) => name
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
    if (element === 'em' && /bold/.test(render))
        return { element: 'strong', props: {} };
    if (element === 'em' && /^(?:super|sub)$/.test(render))
        return { element: render.slice(0, 3), props: {} };
    return { element, props: {} };
}
export const Title = ({ text }) => text === undefined || text === '' ? _jsx("bdi", { class: "marked", children: "\u2013" }) : _jsx(Marked, { text: text, inline: true });
