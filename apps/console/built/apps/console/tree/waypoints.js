import { isObject, textOf } from '../../../libs/domain/json.js';
export const waypointSize = 200;
export const newBranch = (uri, level, count) => ({
    uri,
    level,
    count,
    pieces: new Map(),
    open: new Map(),
});
export const rowsOf = (branch) => [...branch.open.values()].reduce((sum, child) => sum + rowsOf(child), branch.count);
export function rowAt(branch, index) {
    let before = 0;
    for (const [position, child] of inOrder(branch)) {
        const own = position + before;
        if (index <= own)
            break;
        const size = rowsOf(child);
        if (index <= own + size)
            return rowAt(child, index - own - 1);
        before += size;
    }
    const position = index - before;
    if (position < 0 || position >= branch.count)
        return undefined;
    return { entry: entryAt(branch, position), parent: branch, position };
}
export function indexOf(root, branch, position) {
    let before = 0;
    for (const [at, child] of inOrder(root)) {
        if (root === branch && at >= position)
            break;
        const found = root === branch ? -1 : indexOf(child, branch, position);
        if (found >= 0)
            return at + before + 1 + found;
        before += rowsOf(child);
    }
    return root === branch ? position + before : -1;
}
export function above(root, branch) {
    for (const [position, child] of root.open) {
        if (child === branch)
            return { parent: root, position };
        const found = above(child, branch);
        if (found !== undefined)
            return found;
    }
    return undefined;
}
const inOrder = (branch) => [...branch.open].sort(([left], [right]) => left - right);
const entryAt = (branch, position) => branch.pieces.get(Math.floor(position / waypointSize))?.[position % waypointSize];
export function takePiece(branch, number, answer) {
    branch.pieces.set(number, Array.isArray(answer) ? answer.filter(isObject) : []);
}
export const childrenOf = (entry) => Number(entry?.['child_count'] ?? 0);
export const uriOf = (entry) => textOf(entry, 'uri') ?? '';
