import { isObject, textOf } from '../../../libs/domain/json.js';
const steps = (path) => (path === '' ? [] : path.split('/'));
export function at(value, path) {
    return steps(path).reduce((inner, step) => {
        if (Array.isArray(inner))
            return inner[Number(step)];
        return isObject(inner) ? inner[step] : undefined;
    }, value);
}
export function put(value, path, next) {
    const [step, ...rest] = steps(path);
    if (step === undefined)
        return next ?? null;
    const inner = rest.length === 0 ? next : put(at(value, step), rest.join('/'), next);
    if (Array.isArray(value))
        return value.map((each, index) => (index === Number(step) ? (inner ?? null) : each));
    const { [step]: _, ...others } = isObject(value) ? value : {};
    if (inner === undefined)
        return others;
    return isObject(value) ? { ...value, [step]: inner } : { [step]: inner };
}
export const typedIn = '_typed';
const ofService = new Set([
    typedIn,
    '_resolved',
    'lock_version',
    'created_by',
    'last_modified_by',
    'create_time',
    'system_mtime',
    'user_mtime',
]);
export function bare(value) {
    if (Array.isArray(value))
        return value.map(bare).filter((each) => each !== '' && each !== null);
    if (!isObject(value))
        return value ?? null;
    return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => ofService.has(name) || each === undefined || each === null || each === '' ? [] : [[name, bare(each)]]));
}
export function unchosenIn(value, path = '') {
    if (!isObject(value) && !Array.isArray(value))
        return [];
    const isOpen = isObject(value) && value['ref'] === undefined && (textOf(value, typedIn) ?? '').trim() !== '';
    const within = Object.entries(value).flatMap(([step, each]) => unchosenIn(each, path === '' ? step : `${path}/${step}`));
    return isOpen ? [`${path}/ref`, ...within] : within;
}
export function unstorableIn(value, path = '') {
    if (typeof value === 'string')
        return value.includes('\0') || !value.isWellFormed() ? [path] : [];
    if (!isObject(value) && !Array.isArray(value))
        return [];
    return Object.entries(value).flatMap(([step, each]) => unstorableIn(each, path === '' ? step : `${path}/${step}`));
}
export const isSame = (left, right) => textOfValue(bare(left)) === textOfValue(bare(right));
const textOfValue = (value) => JSON.stringify(value, (_name, each) => isObject(each) && !Array.isArray(each)
    ? Object.fromEntries(Object.entries(each)
        .filter(([, inner]) => !(Array.isArray(inner) && inner.length === 0))
        .sort(([a], [b]) => (a < b ? -1 : 1)))
    : each).replace(/^(?:null|\[\]|"")$/, '');
export function contains(stored, said) {
    if (Array.isArray(said) && said.length > 0)
        return (Array.isArray(stored) &&
            stored.length === said.length &&
            said.every((each, index) => contains(stored[index], each)));
    if (!isObject(said))
        return isSame(stored, said);
    const left = bare(said);
    return (isObject(left) && isObject(stored) && Object.entries(left).every(([name, each]) => contains(stored[name], each)));
}
export const changedBetween = (names, before, after) => names.filter((name) => !isSame(before[name], after[name]));
export function patchOf(names, before, after) {
    return Object.fromEntries(changedBetween(names, before, after).map((name) => [name, mergeable(before[name], after[name])]));
}
function mergeable(before, after) {
    const next = bare(after);
    if (next === '' || next === null)
        return Array.isArray(before) ? [] : null;
    if (!isObject(next) || Array.isArray(next))
        return next;
    const old = bare(before);
    if (!isObject(old) || Array.isArray(old))
        return next;
    const gone = Object.keys(old).filter((name) => !(name in next));
    return {
        ...Object.fromEntries(Object.entries(next).map(([name, each]) => [name, mergeable(old[name], each)])),
        ...Object.fromEntries(gone.map((name) => [name, null])),
    };
}
export const moved = (list, from, to) => {
    const others = list.filter((_, index) => index !== from);
    return [...others.slice(0, to), list[from] ?? null, ...others.slice(to)];
};
