import { useEffect, useRef, useState } from 'preact/hooks';
import { isObject } from '../../../libs/domain/json.js';
import { query } from '../address.js';
import { service } from '../session.js';
import { firstBranch, openAgain, openTo } from './opening.js';
import { childrenOf, newBranch, rowAt, rowsOf, takePiece, uriOf, waypointSize } from './waypoints.js';
export const rowHeight = 34;
const spare = 12;
export function useTree(uri, top) {
    const [root, setRoot] = useState(() => firstBranch(top));
    const [, setTurn] = useState(0);
    const [active, setActive] = useState(0);
    const [sight, setSight] = useState({ first: 0, count: 20 });
    const [fault, setFault] = useState(null);
    const [missing, setMissing] = useState(null);
    const box = useRef(null);
    const asked = useRef(new Map());
    const closed = useRef(new Map());
    const changed = () => setTurn((turn) => turn + 1);
    const fetchPiece = async (branch, number) => {
        try {
            const parent = branch.uri === null ? {} : { parent_node: branch.uri };
            takePiece(branch, number, await service.ask(`${uri}/tree/waypoint`, { query: { offset: number, ...parent } }));
            setMissing(null);
        }
        catch (error) {
            setMissing(error);
        }
        finally {
            asked.current.get(branch)?.delete(number);
            changed();
        }
    };
    const ask = async (branch, number) => {
        if (branch.pieces.has(number))
            return;
        const waiting = asked.current.get(branch) ?? new Map();
        asked.current.set(branch, waiting);
        const piece = waiting.get(number) ?? fetchPiece(branch, number);
        waiting.set(number, piece);
        await piece;
    };
    const load = async (from, to) => {
        for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
            const row = rowAt(root, index);
            if (row !== undefined && row.entry === undefined)
                await ask(row.parent, Math.floor(row.position / waypointSize));
            if (rowAt(root, index)?.entry === undefined)
                return;
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
    const goTo = async (node, branch) => {
        const index = await openTo(uri, node, branch, ask);
        changed();
        if (index >= 0)
            requestAnimationFrame(() => show(index));
    };
    const reload = async (node) => {
        const next = await service.ask(`${uri}/tree/root`);
        const fresh = firstBranch(isObject(next) ? next : {});
        closed.current.clear();
        await openAgain(uri, root, fresh, ask);
        setRoot(fresh);
        if (node !== null)
            await goTo(node, fresh);
    };
    const total = rowsOf(root);
    const from = Math.max(0, Math.min(sight.first, total) - spare);
    const rows = Array.from({ length: Math.max(0, Math.min(total, sight.first + sight.count + spare) - from) }, (_, n) => rowAt(root, from + n));
    useEffect(() => {
        look();
        addEventListener('resize', look);
        return () => removeEventListener('resize', look);
    }, []);
    useEffect(() => {
        if (missing !== null)
            return;
        for (const row of rows)
            if (row !== undefined && row.entry === undefined)
                void ask(row.parent, Math.floor(row.position / waypointSize));
    });
    useEffect(() => {
        const node = query.value.get('node');
        if (node !== null)
            goTo(node, root).catch(setFault);
    }, []);
    return {
        uri,
        root,
        box,
        total,
        active,
        from,
        rows,
        room: sight.count,
        fault: fault ?? missing,
        setFault,
        goOn: () => {
            setFault(null);
            setMissing(null);
        },
        look,
        show,
        toggle,
        load,
        find: (node) => goTo(node, root),
        reload,
    };
}
