import { isObject } from '../json.js';
export function differences(before, after, path = '') {
    if (isObject(before) && isObject(after))
        return ofObjects(before, after, path);
    if (isList(before) && isList(after))
        return ofLists(before, after, path);
    return isEqual(before, after) ? [] : [{ op: 'replace', path, before, after }];
}
const isList = (value) => Array.isArray(value);
const step = (path, key) => `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
const isNothing = (value) => value === undefined || (isList(value) && value.length === 0);
function ofObjects(before, after, path) {
    const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return keys.flatMap((key) => {
        const [old, now] = [before[key], after[key]];
        if (isNothing(old) && isNothing(now))
            return [];
        if (isNothing(old))
            return now === undefined ? [] : [{ op: 'add', path: step(path, key), after: now }];
        if (isNothing(now))
            return [{ op: 'remove', path: step(path, key), before: old }];
        return differences(old, now, step(path, key));
    });
}
export function isEqual(a, b) {
    if (a === b)
        return true;
    if (isList(a) && isList(b))
        return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
    if (!isObject(a) || !isObject(b))
        return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => key in b && isEqual(a[key], b[key]));
}
function textOf(value) {
    if (isList(value))
        return `[${value.map(textOf).join(',')}]`;
    if (!isObject(value))
        return JSON.stringify(value ?? null);
    return `{${Object.keys(value)
        .sort()
        .map((key) => `${JSON.stringify(key)}:${textOf(value[key])}`)
        .join(',')}}`;
}
function identityOf(item) {
    if (!isObject(item))
        return undefined;
    for (const key of ['persistent_id', 'ref', 'uri'])
        if (typeof item[key] === 'string')
            return `${key} ${item[key]} ${String(item['role'] ?? '')}`;
    return undefined;
}
function pairsOf(before, after) {
    const pairs = [];
    const [oldLeft, newLeft] = [new Set(before.keys()), new Set(after.keys())];
    const matchBy = (key) => {
        const waiting = new Map();
        for (const from of [...oldLeft].reverse()) {
            const name = key(before[from] ?? null);
            const list = name === undefined ? undefined : waiting.get(name);
            if (list !== undefined)
                list.push(from);
            else if (name !== undefined)
                waiting.set(name, [from]);
        }
        for (const to of newLeft) {
            const name = key(after[to] ?? null);
            const from = name === undefined ? undefined : waiting.get(name)?.pop();
            if (from === undefined)
                continue;
            pairs.push({ from, to });
            oldLeft.delete(from);
            newLeft.delete(to);
        }
    };
    matchBy(textOf);
    matchBy(identityOf);
    matchBy((item) => identityOf(item) === undefined
        ? isObject(item)
            ? `of ${String(item['jsonmodel_type'] ?? '')}`
            : isList(item)
                ? 'list'
                : 'value'
        : undefined);
    return pairs.sort((a, b) => a.to - b.to);
}
function ofLists(before, after, path) {
    const pairs = pairsOf(before, after);
    const byNew = new Map(pairs.map((pair) => [pair.to, pair.from]));
    const kept = new Set(pairs.map((pair) => pair.from));
    const still = inOrder(pairs);
    const removed = before.flatMap((item, from) => kept.has(from) ? [] : [{ op: 'remove', path: step(path, from), before: item }]);
    const rest = after.flatMap((item, to) => {
        const from = byNew.get(to);
        if (from === undefined)
            return [{ op: 'add', path: step(path, to), after: item }];
        const moved = still.has(to)
            ? []
            : [{ op: 'move', path: step(path, to), was: step(path, from) }];
        return [...moved, ...differences(before[from] ?? null, item, step(path, to))];
    });
    return [...removed, ...rest];
}
function inOrder(pairs) {
    const tails = [];
    const previous = [];
    for (const [index, { from }] of pairs.entries()) {
        let [low, high] = [0, tails.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if ((pairs[tails[middle] ?? 0]?.from ?? 0) < from)
                low = middle + 1;
            else
                high = middle;
        }
        previous[index] = low === 0 ? -1 : (tails[low - 1] ?? -1);
        tails[low] = index;
    }
    const places = new Set();
    for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1)
        places.add(pairs[at]?.to ?? 0);
    return places;
}
