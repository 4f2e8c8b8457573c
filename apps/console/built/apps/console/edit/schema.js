import { isObject, objectOf, objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { service } from '../session.js';
let asked;
export async function readSchemas() {
    asked ??= service.ask('/schemas').then((answer) => (isObject(answer) ? answer : {}));
    return asked.catch((error) => {
        asked = undefined;
        throw error;
    });
}
export const fieldsOf = (schemas, name) => fieldsIn(objectOf(schemas, name) ?? {});
export function fieldsOfRecord(schemas, name) {
    const fields = fieldsOf(schemas, name);
    const properties = objectOf(objectOf(schemas, name), 'properties') ?? {};
    if (!('parent' in properties && 'position' in properties))
        return fields;
    return fields.filter(({ name: each, shape, isRequired }) => each !== 'parent' && each !== 'position' && !(isRequired && shape.is === 'link'));
}
export const kindMadeAt = (schemas, address) => Object.keys(schemas).find((name) => {
    const uri = textOf(objectOf(schemas, name), 'uri');
    return uri !== undefined && new RegExp(`^${uri.replaceAll(/:\w+/g, '\\d+')}$`).test(address);
});
const ofService = new Set(['jsonmodel_type', '_resolved', 'lock_version']);
function fieldsIn(schema) {
    const required = textsOf(schema, 'required');
    return Object.entries(objectOf(schema, 'properties') ?? {}).flatMap(([name, node]) => {
        if (!isObject(node) || node['readOnly'] === true || ofService.has(name))
            return [];
        const shape = shapeOf(node);
        return shape === null
            ? []
            : [{ name, shape, isRequired: required.includes(name), isSetAtFirst: node['default'] === true }];
    });
}
function shapeOf(node) {
    const ref = nameIn(node);
    if (ref !== undefined)
        return { is: 'part', names: [ref], orText: false };
    const choices = objectsOf(node, 'anyOf');
    const names = choices.flatMap((choice) => nameIn(choice) ?? []);
    if (names.length > 0)
        return { is: 'part', names, orText: choices.some((choice) => isString(choice['type']) && !('format' in choice)) };
    switch (node['type']) {
        case 'array': {
            const of = shapeOf(objectOf(node, 'items') ?? {});
            return of === null ? null : { is: 'many', of };
        }
        case 'object':
            return shapeOfObject(node);
        case 'boolean':
            return { is: 'flag' };
        case 'integer':
        case 'number':
            return { is: 'number' };
        case 'string':
            return shapeOfText(node);
        default:
            return null;
    }
}
function shapeOfObject(node) {
    const fields = fieldsIn(node);
    const ref = objectOf(objectOf(node, 'properties'), 'ref');
    if (ref !== undefined)
        return { is: 'link', to: textsOf(ref, 'x-refers-to'), own: fields.filter(({ name }) => name !== 'ref') };
    return fields.length === 0 ? null : { is: 'inline', fields };
}
const longFrom = 1000;
function shapeOfText(node) {
    const list = textOf(node, 'dynamic_enum');
    if (list !== undefined)
        return { is: 'controlled', list };
    const values = textsOf(node, 'enum');
    if (values.length > 0)
        return { is: 'choice', values };
    const to = textsOf(node, 'x-refers-to');
    if (to.length > 0)
        return { is: 'uri', to };
    return { is: 'text', isLong: Number(node['maxLength'] ?? 0) > longFrom };
}
const isString = (type) => type === 'string';
const nameIn = (node) => textOf(node, '$ref')?.replace('/schemas/', '');
export const isPlain = (shape) => ['text', 'number', 'flag', 'controlled', 'choice', 'uri'].includes(shape.is);
export function emptyPart(schemas, name) {
    return { jsonmodel_type: name, ...beginningOf(schemas, fieldsOf(schemas, name)) };
}
export function beginningOf(schemas, fields) {
    return Object.fromEntries(fields.flatMap(({ name, shape, isRequired, isSetAtFirst }) => {
        if (isSetAtFirst)
            return [[name, true]];
        const of = shape.is === 'many' ? shape.of : shape;
        if (!isRequired || of.is !== 'part' || of.names.length !== 1)
            return [];
        const part = emptyPart(schemas, of.names[0] ?? '');
        return [[name, shape.is === 'many' ? [part] : part]];
    }));
}
