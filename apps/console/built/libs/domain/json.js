export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
export function textOf(object, property) {
    const value = object?.[property];
    return typeof value === 'string' ? value : undefined;
}
export function objectsOf(object, property) {
    return objectsIn(object?.[property]);
}
export function objectsIn(value) {
    if (!Array.isArray(value))
        return noObjects;
    for (const item of value)
        if (!isObject(item))
            return value.filter(isObject);
    return value;
}
const noObjects = [];
export function objectOf(object, property) {
    const value = object?.[property];
    return isObject(value) ? value : undefined;
}
export function textsOf(object, property) {
    const value = object?.[property];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
