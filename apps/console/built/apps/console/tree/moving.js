const end = 2_000_000;
export const topmost = (picked) => picked.filter(({ above }) => !picked.some(({ uri }) => above.includes(uri))).toSorted(inTreeOrder);
function inTreeOrder({ path: left }, { path: right }) {
    const at = left.findIndex((place, index) => place !== right[index]);
    return at < 0 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}
export const isWithin = (picked, target) => picked.some(({ uri }) => target.parent === uri || target.above.includes(uri));
export function planMove(picked, { parent, position }) {
    const children = picked.map(({ uri }) => uri);
    const own = picked.filter((each) => each.parent === parent);
    const rank = position - own.filter((each) => each.position < position).length;
    const step = { parent, children, position: rank };
    const isMixed = own.length > 0 && own.length < picked.length;
    return isMixed || (own.length > 1 && !isRun(own)) ? [{ ...step, position: end }, step] : [step];
}
export function planUndo(picked, now) {
    const parents = [...new Set(picked.map(({ parent }) => parent))].toSorted((a, b) => Number(a === now) - Number(b === now));
    return parents.flatMap((parent) => {
        const own = picked.filter((each) => each.parent === parent).toSorted((a, b) => a.position - b.position);
        const runs = runsOf(own).map((run) => ({
            parent,
            children: run.map(({ uri }) => uri),
            position: run[0]?.position ?? 0,
        }));
        const gathered = { parent, children: own.map(({ uri }) => uri), position: end };
        return parent === now && runs.length > 1 ? [gathered, ...runs] : runs;
    });
}
const isRun = (nodes) => nodes.every(({ position }, index) => index === 0 || position === (nodes[index - 1]?.position ?? 0) + 1);
function runsOf(nodes) {
    const runs = [];
    for (const node of nodes) {
        const last = runs.at(-1);
        if (last !== undefined && last.at(-1)?.position === node.position - 1)
            last.push(node);
        else
            runs.push([node]);
    }
    return runs;
}
