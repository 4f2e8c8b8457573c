import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { valueName } from '../labels.js';
import { Title } from '../markup.js';
import { number, t } from '../words.js';
import { childrenOf, uriOf } from './waypoints.js';
export function TreeRow(shown) {
    const { row, index, top, isActive, isPicked, mayChange, onPick, onDrag } = shown;
    const { entry, parent, position } = row;
    const children = childrenOf(entry);
    const isOpen = parent.open.has(position);
    const level = textOf(entry, 'level');
    return (_jsxs("div", { id: `row-${index}`, class: classesOf(shown), role: "treeitem", "aria-level": parent.level, "aria-setsize": parent.count, "aria-posinset": position + 1, "aria-selected": mayChange ? isPicked : isActive, ...(children > 0 ? { 'aria-expanded': isOpen } : {}), style: { top: `${top}px`, paddingInlineStart: `${Math.min(parent.level - 1, 8) * 1.25 + 0.25}rem` }, onClick: onPick, ...(mayChange && entry !== undefined
            ? {
                draggable: true,
                onDragStart: onDrag,
                onDragOver: onDrag,
                onDragLeave: onDrag,
                onDrop: onDrag,
                onDragEnd: onDrag,
            }
            : {}), children: [mayChange && _jsx(Mark, { isPicked: isPicked, onMark: shown.onMark }), _jsx("span", { class: children > 0 ? 'twisty' : 'twisty none', "aria-hidden": "true", onClick: shown.onToggle, children: children > 0 ? (isOpen ? '▾' : '▸') : '' }), entry === undefined ? (_jsx("span", { class: "soft", children: t('waiting') })) : (_jsxs(_Fragment, { children: [_jsx("a", { href: recordAddress(uriOf(entry)), tabIndex: -1, draggable: false, title: textOf(entry, 'title'), children: _jsx(Title, { text: textOf(entry, 'title') }) }), _jsxs("span", { class: "soft", children: [datesOf(entry), " ", level === undefined ? '' : valueName('level', level), ' ', children > 0 ? `(${number(children)})` : ''] })] }))] }));
}
function datesOf(entry) {
    const [date] = objectsOf(entry, 'dates');
    const said = textOf(date, 'expression') ??
        [...new Set([textOf(date, 'begin'), textOf(date, 'end')])].filter(Boolean).join(' – ');
    return said === '' || (textOf(entry, 'title') ?? '').includes(said) ? '' : `${said} ·`;
}
function Mark({ isPicked, onMark }) {
    return (_jsx("span", { class: isPicked ? 'mark picked' : 'mark', "aria-hidden": "true", onClick: (event) => {
            event.stopPropagation();
            onMark();
        }, children: isPicked ? '✓' : '' }));
}
const classesOf = ({ isActive, isPicked, isCut, drop }) => ['row', isActive && 'active', isPicked && 'picked', isCut && 'cut', drop !== null && `drop-${drop}`]
    .filter(Boolean)
    .join(' ');
