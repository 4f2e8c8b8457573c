import { ServiceError } from '../../../libs/client/errors.js';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { service } from '../session.js';
import { childrenOf, indexOf, newBranch, takePiece, uriOf, waypointSize } from './waypoints.js';
const mostOpenedAgain = 100;
export function firstBranch(top) {
    const root = newBranch(null, 1, childrenOf(top));
    const piece = objectOf(objectOf(top, 'precomputed_waypoints'), '')?.['0'];
    if (Array.isArray(piece))
        takePiece(root, 0, piece);
    return root;
}
export async function openTo(uri, node, root, ask) {
    const found = await openEach(uri, [node], root, ask);
    const place = found.get(node);
    return place === undefined ? -1 : indexOf(root, place.branch, place.position);
}
export async function openAgain(uri, before, root, ask) {
    const nodes = openIn(before).slice(0, mostOpenedAgain);
    const places = await openEach(uri, nodes, root, ask).catch((error) => {
        if (error instanceof ServiceError && error.status === 404)
            return new Map();
        throw error;
    });
    for (const { branch, position, entry } of places.values())
        if (childrenOf(entry) > 0 && !branch.open.has(position))
            branch.open.set(position, newBranch(uriOf(entry), branch.level + 1, childrenOf(entry)));
}
const openIn = (branch) => [...branch.open.values()].flatMap((child) => [child.uri ?? '', ...openIn(child)]);
async function openEach(uri, nodes, root, ask) {
    const places = new Map();
    if (nodes.length === 0)
        return places;
    const ids = nodes.map((node) => node.split('/').at(-1) ?? '');
    const answer = await service.ask(`${uri}/tree/node_from_root`, { query: { node_ids: ids } });
    for (const node of nodes) {
        const steps = isObject(answer) ? objectsOf(answer, node.split('/').at(-1) ?? '') : [];
        const place = await follow(steps, node, root, ask);
        if (place !== null)
            places.set(node, place);
    }
    return places;
}
async function follow(steps, node, root, ask) {
    let branch = root;
    for (const [n, step] of steps.entries()) {
        const number = Number(step['offset'] ?? 0);
        await ask(branch, number);
        const wanted = textOf(steps[n + 1], 'node') ?? node;
        const at = branch.pieces.get(number)?.findIndex((entry) => uriOf(entry) === wanted) ?? -1;
        if (at < 0)
            return null;
        const position = number * waypointSize + at;
        const entry = branch.pieces.get(number)?.[at];
        if (n === steps.length - 1)
            return { branch, position, entry };
        const next = branch.open.get(position) ?? newBranch(wanted, branch.level + 1, childrenOf(entry));
        branch.open.set(position, next);
        branch = next;
    }
    return null;
}
