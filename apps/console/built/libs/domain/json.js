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
    return Array.isArray(value) ? value.filter(isObject) : [];
}
export function objectOf(object, property) {
    const value = object?.[property];
    return isObject(value) ? value : undefined;
}
export function textsOf(object, property) {
    const value = object?.[property];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
