import { useRef, useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.js';
import { said } from '../saying.js';
import { move, publish } from './changing.js';
import { isWithin, planMove, planUndo, topmost } from './moving.js';
import { above, childrenOf, rowAt, uriOf } from './waypoints.js';
import { b } from './words.js';
const mostPicked = 2000;
export const saidOfPicked = (count) => b(count < mostPicked ? 'picked' : 'picked_most', { count });
export function useChanges(tree) {
    const [picked, setPicked] = useState(new Map());
    const [cut, setCut] = useState([]);
    const latest = useRef(picked);
    latest.current = picked;
    const [busy, setBusy] = useState(null);
    const [last, setLast] = useState(null);
    const at = (index) => pickedAt(tree.root, rowAt(tree.root, index));
    const meant = () => {
        const active = at(tree.active);
        return topmost(picked.size > 0 ? [...picked.values()] : active === null ? [] : [active]);
    };
    const run = async (text, work) => {
        setBusy({ text, phase: null });
        said.value = text;
        tree.setFault(null);
        try {
            await work((phase) => setBusy((now) => (now === null ? null : { ...now, phase })));
            return true;
        }
        catch (error) {
            tree.setFault(error);
            return false;
        }
        finally {
            setBusy(null);
        }
    };
    const runSteps = async (steps, shown, end) => {
        const isDone = await run(b('moving'), async (onPhase) => {
            try {
                await move(tree.uri, steps, onPhase);
            }
            finally {
                setPicked(new Map());
                setCut([]);
                await tree.reload(shown);
            }
        });
        if (isDone)
            said.value = end;
    };
    const moveTo = async (nodes, row, zone) => {
        const target = targetAt(tree.root, row, zone);
        if (busy !== null || nodes.length === 0 || target === null)
            return;
        if (isWithin(nodes, target)) {
            said.value = b('own_below');
            return;
        }
        setLast({ nodes, to: target.parent });
        await runSteps(planMove(nodes, target), nodes[0]?.uri ?? '', b('was_moved', { count: nodes.length }));
    };
    return {
        picked,
        cut,
        busy,
        canUndo: last !== null,
        meant,
        pick(index, isOnly = false) {
            const node = at(index);
            if (node === null)
                return;
            const next = new Map(isOnly ? [] : picked);
            if (!isOnly && next.delete(node.uri))
                setPicked(next);
            else
                setPicked(next.set(node.uri, node));
            said.value = saidOfPicked(next.size);
        },
        async pickTo(from, to) {
            const step = to < from ? -1 : 1;
            const indexes = Array.from({ length: Math.min(Math.abs(to - from) + 1, mostPicked) }, (_, n) => from + n * step);
            if (indexes.some((index) => at(index) === null))
                await tree.load(from, indexes.at(-1) ?? from);
            const nodes = indexes.map(at).filter((node) => node !== null);
            if (nodes.length < indexes.length)
                return;
            const next = new Map(latest.current);
            for (const node of nodes)
                if (next.size < mostPicked)
                    next.set(node.uri, node);
            setPicked(next);
            said.value = saidOfPicked(next.size);
        },
        clear() {
            setPicked(new Map());
            setCut([]);
        },
        cutMeant() {
            const nodes = meant();
            setCut(nodes);
            setPicked(new Map());
            said.value = b('was_cut', { count: nodes.length });
        },
        async paste(zone) {
            const row = rowAt(tree.root, tree.active);
            if (row !== undefined)
                await moveTo(cut, row, zone);
        },
        moveTo,
        async undo() {
            if (last === null || busy !== null)
                return;
            setLast(null);
            await runSteps(planUndo(last.nodes, last.to), last.nodes[0]?.uri ?? '', b('was_undone'));
        },
        async publishAll(uris, isPublic) {
            if (busy !== null)
                return;
            const isDone = await run(b('publishing', { done: 0, count: uris.length }), async (onPhase) => {
                for (const [index, uri] of uris.entries()) {
                    setBusy({ text: b('publishing', { done: index + 1, count: uris.length }), phase: null });
                    await publish(uri, isPublic, onPhase);
                }
                setPicked(new Map());
                await tree.reload(null);
            });
            if (isDone)
                said.value = b('was_published');
        },
    };
}
export function pickedAt(root, row) {
    if (row?.entry === undefined)
        return null;
    const { nodes, places } = wayTo(root, row.parent);
    return {
        uri: uriOf(row.entry),
        title: textOf(row.entry, 'title') ?? '',
        parent: row.parent.uri,
        position: row.position,
        above: nodes,
        path: [...places, row.position],
    };
}
function targetAt(root, row, zone) {
    if (row.entry === undefined)
        return null;
    const { nodes } = wayTo(root, row.parent);
    const inside = { parent: uriOf(row.entry), above: [...nodes, uriOf(row.entry)] };
    if (zone === 'into')
        return { ...inside, position: childrenOf(row.entry) };
    if (zone === 'after' && row.parent.open.has(row.position))
        return { ...inside, position: 0 };
    return { parent: row.parent.uri, above: nodes, position: row.position + (zone === 'after' ? 1 : 0) };
}
function wayTo(root, branch) {
    const up = above(root, branch);
    if (up === undefined)
        return { nodes: [], places: [] };
    const { nodes, places } = wayTo(root, up.parent);
    return { nodes: [...nodes, branch.uri ?? ''], places: [...places, up.position] };
}
