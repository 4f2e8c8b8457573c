import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { go, recordAddress } from '../address.js';
import { Fault, Instead, useAsked } from '../asking.js';
import { readLabels } from '../labels.js';
import { Title } from '../markup.js';
import { mayEdit } from '../record/may-edit.js';
import { useTitle } from '../title.js';
import { t } from '../words.js';
import { pickedAt, useChanges } from './changes.js';
import { FindWithin } from './find-within.js';
import { rowHeight, useTree } from './state.js';
import { Toolbar, addAddress } from './toolbar.js';
import { TreeRow } from './tree-row.js';
import { above, childrenOf, indexOf, rowAt, uriOf } from './waypoints.js';
import { b } from './words.js';
export function TreeView({ rest: uri }) {
    const { value, fault, again } = useAsked(`${uri}/tree/root`);
    useEffect(readLabels, []);
    const top = isObject(value) ? value : undefined;
    useTitle(textOf(top, 'title') ?? t('tree'));
    if (fault !== null || top === undefined)
        return _jsx(Instead, { title: t('tree'), fault: fault, again: again });
    const kind = textOf(top, 'jsonmodel_type') ?? '';
    return (_jsxs(_Fragment, { children: [_jsx("p", { class: "kicker", children: t('tree') }), _jsx("h1", { children: _jsx("a", { href: recordAddress(uri), children: _jsx(Title, { text: textOf(top, 'title') }) }) }), childrenOf(top) > 0 ? (_jsx(Tree, { uri: uri, top: top, kind: kind })) : (_jsxs(_Fragment, { children: [_jsx("p", { class: "empty", children: t('no_children') }), mayEdit(kind, uri) && (_jsx("a", { class: "button", href: addAddress({ root: uri, kind, parent: null }), children: b('add_first') }))] }))] }));
}
function Tree({ uri, top, kind, }) {
    const tree = useTree(uri, top);
    const changes = useChanges(tree);
    const [drop, setDrop] = useState(null);
    const { root, box, total, active, from, rows } = tree;
    const isMine = mayEdit(kind, uri);
    const isInSight = active >= from && active < from + rows.length;
    const onKey = (event) => {
        const act = keysOf(tree, isMine ? changes : null, event);
        if (act === undefined)
            return;
        event.preventDefault();
        act();
    };
    const onPick = (index, event) => {
        tree.show(index);
        if (!isMine)
            return;
        if (event.shiftKey)
            void changes.pickTo(active, index);
        else if (event.ctrlKey || event.metaKey)
            changes.pick(index);
    };
    const onDrag = (index, event) => {
        if (event.type === 'dragstart') {
            const node = pickedAt(root, rowAt(root, index));
            event.dataTransfer?.setData('text/plain', node?.title ?? '');
            setTimeout(() => {
                if (node !== null && !changes.picked.has(node.uri))
                    changes.pick(index, true);
                tree.show(index);
            });
        }
        else if (event.type === 'dragover') {
            event.preventDefault();
            setDrop({ index, zone: zoneOf(event) });
        }
        else if (event.type === 'drop') {
            event.preventDefault();
            const row = rowAt(root, index);
            setDrop(null);
            if (row !== undefined)
                void changes.moveTo(changes.meant(), row, zoneOf(event));
        }
        else
            setDrop(null);
    };
    return (_jsxs(_Fragment, { children: [_jsx("p", { class: "count", role: "status", children: t('children', { count: root.count }) }), _jsxs("div", { class: "tree-head", children: [_jsx(FindWithin, { uri: uri, kind: kind, onFound: (node) => {
                            box.current?.focus();
                            tree.find(node).catch(tree.setFault);
                        } }), _jsxs("details", { class: "keys", children: [_jsx("summary", { children: b('help') }), _jsxs("p", { class: "hint", id: "tree-keys", children: [b('keys'), " ", isMine ? b('keys_more') : ''] })] })] }), tree.fault !== null && _jsx(Fault, { fault: tree.fault, again: tree.goOn }), isMine && _jsx(Toolbar, { root: uri, kind: kind, changes: changes, row: rowAt(root, active) }), _jsx("div", { class: "tree", role: "tree", tabIndex: 0, ref: box, "aria-label": t('tree'), "aria-describedby": "tree-keys", "aria-multiselectable": isMine, "aria-busy": changes.busy !== null, ...(isInSight ? { 'aria-activedescendant': `row-${active}` } : {}), onScroll: tree.look, onKeyDown: onKey, children: _jsx("div", { role: "presentation", style: { height: `${total * rowHeight}px` }, children: rows.map((row, n) => row === undefined ? null : (_jsx(TreeRow, { row: row, index: from + n, top: (from + n) * rowHeight, isActive: from + n === active, isPicked: changes.picked.has(uriOf(row.entry)), isCut: changes.cut.some((each) => each.uri === uriOf(row.entry)), drop: drop?.index === from + n ? drop.zone : null, mayChange: isMine, onPick: (event) => onPick(from + n, event), onMark: () => changes.pick(from + n), onToggle: () => tree.toggle(row), onDrag: (event) => onDrag(from + n, event) }, `${row.parent.uri ?? ''} ${row.position}`))) }) })] }));
}
function zoneOf({ currentTarget, clientY }) {
    if (!(currentTarget instanceof HTMLElement))
        return 'into';
    const { top, height } = currentTarget.getBoundingClientRect();
    const part = (clientY - top) / height;
    return part < 0.25 ? 'before' : part > 0.75 ? 'after' : 'into';
}
function keysOf(tree, changes, event) {
    if (event.altKey)
        return undefined;
    if (event.ctrlKey || event.metaKey)
        return changes === null ? undefined : commandOf(changes, event);
    const { root, total, active, show } = tree;
    const row = rowAt(root, active);
    const page = Math.max(1, tree.room - 1);
    const to = {
        ArrowDown: active + 1,
        ArrowUp: active - 1,
        Home: 0,
        End: total - 1,
        PageDown: active + page,
        PageUp: active - page,
    };
    const wanted = to[event.key];
    if (wanted !== undefined) {
        const next = Math.min(total - 1, Math.max(0, wanted));
        return () => {
            if (event.shiftKey)
                void changes?.pickTo(active, next);
            show(next);
        };
    }
    if (changes !== null && event.key === ' ')
        return () => changes.pick(active);
    if (changes !== null && event.key === 'Escape')
        return changes.clear;
    if (row === undefined)
        return undefined;
    const keys = {
        ArrowRight: () => openOrEnter(tree, row),
        ArrowLeft: () => closeOrLeave(tree, row),
        Enter: () => {
            if (row.entry !== undefined)
                go(recordAddress(uriOf(row.entry)));
        },
    };
    return keys[event.key];
}
function commandOf(changes, { key, shiftKey }) {
    const commands = {
        x: changes.cutMeant,
        v: () => void changes.paste(shiftKey ? 'into' : 'after'),
        z: () => void changes.undo(),
    };
    return commands[key.toLowerCase()];
}
function openOrEnter({ active, show, toggle }, row) {
    if (row.parent.open.has(row.position))
        show(active + 1);
    else
        toggle(row);
}
function closeOrLeave({ root, show, toggle }, row) {
    if (row.parent.open.has(row.position)) {
        toggle(row);
        return;
    }
    const up = above(root, row.parent);
    if (up !== undefined)
        show(indexOf(root, up.parent, up.position));
}
