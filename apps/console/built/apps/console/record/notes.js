import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { Fragment } from 'preact';
import { objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { valueName, words } from '../labels.js';
import { Marked } from '../markup.js';
import { t } from '../words.js';
import { Parts } from './properties.js';
export function Notes({ notes }) {
    if (notes.length === 0)
        return null;
    return (_jsx("section", { class: "notes", "aria-label": t('notes'), children: notes.map((note, index) => (_jsxs("section", { children: [_jsxs("h2", { children: [_jsx("bdi", { children: headOf(note) }), " ", note['publish'] === false && _jsx("span", { class: "badge", children: t('unpublished') })] }), _jsx(Content, { note: note })] }, textOf(note, 'persistent_id') ?? index))) }));
}
function headOf(note) {
    const label = textOf(note, 'label');
    if (label !== undefined && label !== '')
        return label;
    const type = textOf(note, 'type');
    return type === undefined
        ? words((textOf(note, 'jsonmodel_type') ?? '').replace(/^note_/, ''))
        : valueName('type', type);
}
function Content({ note }) {
    const texts = textOf(note, 'content') === undefined ? textsOf(note, 'content') : [textOf(note, 'content') ?? ''];
    return (_jsxs(_Fragment, { children: [texts
                .flatMap((text) => text.split(/\n{2,}/))
                .map((text, index) => (_jsx("div", { class: "text", children: _jsx(Marked, { text: text }) }, index))), _jsx(Items, { note: note }), _jsx(Parts, { value: note, names: ['rights_restriction', 'xlink'] }), objectsOf(note, 'subnotes').map((part, index) => (_jsxs("div", { children: [(textOf(part, 'title') !== undefined || isHeldBack(note, part)) && (_jsxs("h3", { children: [_jsx(Marked, { text: textOf(part, 'title') ?? '', inline: true }), ' ', isHeldBack(note, part) && _jsx("span", { class: "badge", children: t('unpublished') })] })), _jsx(Content, { note: part })] }, index)))] }));
}
const isHeldBack = (note, part) => note['publish'] === true && part['publish'] === false;
function Items({ note }) {
    const texts = textsOf(note, 'items');
    const items = [...objectsOf(note, 'items'), ...objectsOf(note, 'levels')];
    if (texts.length + items.length === 0)
        return null;
    return (_jsxs("ul", { children: [texts.map((text, index) => (_jsx("li", { children: _jsx(Marked, { text: text, inline: true }) }, index))), items.map((item, index) => {
                const label = textOf(item, 'label') ?? textOf(item, 'event_date');
                const values = ['place', 'value', 'reference_text', 'reference'].map((name) => textOf(item, name));
                return (_jsxs("li", { children: [label !== undefined && (_jsxs("strong", { children: [_jsx(Marked, { text: label, inline: true }), ":", ' '] })), [...values, ...textsOf(item, 'events')]
                            .filter((value) => value !== undefined)
                            .map((value, place) => (_jsxs(Fragment, { children: [place > 0 && '; ', _jsx(Marked, { text: value, inline: true })] }, place))), _jsx(Items, { note: item })] }, index));
            })] }));
}
