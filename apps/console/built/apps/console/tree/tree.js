import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { go, query, recordAddress } from '../address.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { readLabels } from '../labels.js';
import { Title } from '../markup.js';
import { service } from '../session.js';
import { useTitle } from '../title.js';
import { t } from '../words.js';
import { TreeRow } from './tree-row.js';
import { above, childrenOf, indexOf, newBranch, rowAt, rowsOf, takePiece, uriOf, waypointSize } from './waypoints.js';
const rowHeight = 34;
const spare = 12;
export function TreeView({ rest: uri }) {
    const { value, fault, again } = useAsked(`${uri}/tree/root`);
    useEffect(readLabels, []);
    const top = isObject(value) ? value : undefined;
    useTitle(textOf(top, 'title') ?? t('tree'));
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (top === undefined)
        return _jsx(Waiting, {});
    return (_jsxs(_Fragment, { children: [_jsx("p", { class: "kicker", children: t('tree') }), _jsx("h1", { children: _jsx("a", { href: recordAddress(uri), children: _jsx(Title, { text: textOf(top, 'title') }) }) }), _jsx("p", { class: "count", role: "status", children: t('children', { count: childrenOf(top) }) }), childrenOf(top) === 0 ? _jsx("p", { class: "empty", children: t('no_children') }) : _jsx(Tree, { uri: uri, top: top })] }));
}
function Tree({ uri, top }) {
    const root = useMemo(() => firstBranch(top), [top]);
    const [, setTurn] = useState(0);
    const [active, setActive] = useState(0);
    const [sight, setSight] = useState({ first: 0, count: 20 });
    const [fault, setFault] = useState(null);
    const box = useRef(null);
    const asked = useRef(new Set());
    const closed = useRef(new Map());
    const changed = () => setTurn((turn) => turn + 1);
    const ask = async (branch, number) => {
        const key = `${branch.uri ?? ''} ${number}`;
        if (asked.current.has(key) || branch.pieces.has(number))
            return;
        asked.current.add(key);
        try {
            const parent = branch.uri === null ? {} : { parent_node: branch.uri };
            takePiece(branch, number, await service.ask(`${uri}/tree/waypoint`, { query: { offset: number, ...parent } }));
            setFault(null);
        }
        catch (error) {
            setFault(error);
        }
        finally {
            asked.current.delete(key);
            changed();
        }
    };
    const look = () => {
        const { scrollTop, clientHeight } = box.current ?? { scrollTop: 0, clientHeight: 600 };
        setSight({ first: Math.floor(scrollTop / rowHeight), count: Math.ceil(clientHeight / rowHeight) });
    };
    const show = (index) => {
        setActive(index);
        const { current } = box;
        if (current === null)
            return;
        const [from, to] = [index * rowHeight, (index + 1) * rowHeight];
        if (from < current.scrollTop)
            current.scrollTop = from;
        else if (to > current.scrollTop + current.clientHeight)
            current.scrollTop = to - current.clientHeight;
    };
    const toggle = ({ parent, position, entry }) => {
        const open = parent.open.get(position);
        if (open !== undefined) {
            parent.open.delete(position);
            closed.current.set(uriOf(entry), open);
        }
        else if (childrenOf(entry) > 0)
            parent.open.set(position, closed.current.get(uriOf(entry)) ?? newBranch(uriOf(entry), parent.level + 1, childrenOf(entry)));
        changed();
    };
    const total = rowsOf(root);
    const from = Math.max(0, sight.first - spare);
    const rows = Array.from({ length: Math.min(total, sight.first + sight.count + spare) - from }, (_, n) => rowAt(root, from + n));
    useEffect(() => {
        look();
        addEventListener('resize', look);
        return () => removeEventListener('resize', look);
    }, []);
    useEffect(() => {
        if (fault !== null)
            return;
        for (const row of rows)
            if (row !== undefined && row.entry === undefined)
                void ask(row.parent, Math.floor(row.position / waypointSize));
    });
    useEffect(() => {
        const node = query.value.get('node');
        if (node !== null)
            openTo(uri, node, { root, ask }).then((index) => index >= 0 && show(index), setFault);
    }, [root]);
    const onKey = (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey)
            return;
        const row = rowAt(root, active);
        const page = Math.max(1, sight.count - 1);
        const to = {
            ArrowDown: active + 1,
            ArrowUp: active - 1,
            Home: 0,
            End: total - 1,
            PageDown: active + page,
            PageUp: active - page,
        };
        const next = to[event.key];
        if (next !== undefined)
            show(Math.min(total - 1, Math.max(0, next)));
        else if (row === undefined)
            return;
        else if (event.key === 'ArrowRight')
            openOrEnter(row);
        else if (event.key === 'ArrowLeft')
            closeOrLeave(row);
        else if (event.key === 'Enter' && row.entry !== undefined)
            go(recordAddress(uriOf(row.entry)));
        else
            return;
        event.preventDefault();
    };
    const openOrEnter = (row) => {
        if (row.parent.open.has(row.position))
            show(active + 1);
        else
            toggle(row);
    };
    const closeOrLeave = (row) => {
        if (row.parent.open.has(row.position)) {
            toggle(row);
            return;
        }
        const up = above(root, row.parent);
        if (up !== undefined)
            show(indexOf(root, up.parent, up.position));
    };
    const isInSight = active >= from && active < from + rows.length;
    return (_jsxs(_Fragment, { children: [fault !== null && _jsx(Fault, { fault: fault, again: () => setFault(null) }), _jsx("p", { class: "hint", id: "tree-keys", children: t('tree_keys') }), _jsx("div", { class: "tree", role: "tree", tabIndex: 0, ref: box, "aria-label": t('tree'), "aria-describedby": "tree-keys", ...(isInSight ? { 'aria-activedescendant': `row-${active}` } : {}), onScroll: look, onKeyDown: onKey, children: _jsx("div", { role: "presentation", style: { height: `${total * rowHeight}px` }, children: rows.map((row, n) => row === undefined ? null : (_jsx(TreeRow, { row: row, index: from + n, top: (from + n) * rowHeight, isActive: from + n === active, onPick: () => setActive(from + n), onToggle: () => toggle(row) }, `${row.parent.uri ?? ''} ${row.position}`))) }) })] }));
}
function firstBranch(top) {
    const root = newBranch(null, 1, childrenOf(top));
    const piece = objectOf(objectOf(top, 'precomputed_waypoints'), '')?.['0'];
    if (Array.isArray(piece))
        takePiece(root, 0, piece);
    return root;
}
async function openTo(uri, node, { root, ask }) {
    const id = node.split('/').at(-1) ?? '';
    const answer = await service.ask(`${uri}/tree/node_from_root`, { query: { node_ids: [id] } });
    const steps = isObject(answer) ? objectsOf(answer, id) : [];
    let branch = root;
    for (const [n, step] of steps.entries()) {
        const number = Number(step['offset'] ?? 0);
        await ask(branch, number);
        const wanted = textOf(steps[n + 1], 'node') ?? node;
        const at = branch.pieces.get(number)?.findIndex((entry) => uriOf(entry) === wanted) ?? -1;
        if (at < 0)
            return -1;
        const position = number * waypointSize + at;
        if (n === steps.length - 1)
            return indexOf(root, branch, position);
        const entry = branch.pieces.get(number)?.[at];
        const next = branch.open.get(position) ?? newBranch(wanted, branch.level + 1, childrenOf(entry));
        branch.open.set(position, next);
        branch = next;
    }
    return -1;
}
