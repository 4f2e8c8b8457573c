import { signal } from '@preact/signals';
import { isObject, objectsIn, objectsOf, textOf } from '../../../libs/domain/json.js';
import { service } from '../session.js';
const known = new Map();
const fresh = new Set();
export const renewLists = () => fresh.clear();
function askedOnce(path, read) {
    const choices = known.get(path) ?? signal([]);
    if (fresh.has(path))
        return choices;
    known.set(path, choices);
    fresh.add(path);
    service.ask(path).then((answer) => {
        choices.value = read(answer);
    }, () => fresh.delete(path));
    return choices;
}
export const valuesOf = (list) => askedOnce(`/config/enumerations/names/${encodeURIComponent(list)}`, (answer) => (isObject(answer) ? objectsOf(answer, 'enumeration_values') : [])
    .filter((each) => each['suppressed'] !== true)
    .toSorted((a, b) => Number(a['position'] ?? 0) - Number(b['position'] ?? 0))
    .map((each) => ({ value: textOf(each, 'value') ?? '', label: null })));
export const recordsAt = (path) => askedOnce(path, (answer) => objectsIn(answer).map((record) => ({
    value: textOf(record, 'uri') ?? '',
    label: nameOf(record),
})));
export const nameOf = (record) => ['display_string', 'title', 'name'].map((name) => textOf(record, name)).find(Boolean) ?? textOf(record, 'uri') ?? '';
export const listedAt = (to) => to.length === 1 ? listed[to[0] ?? ''] : undefined;
const listed = { vocabulary: '/vocabularies', repository: '/repositories' };
const definitionTypes = {
    ratings: 'rating',
    formats: 'format',
    conservation_issues: 'conservation_issue',
};
export const definitionAt = (path) => {
    const [, list = ''] = /^(\w+)\/\d+\/definition_id$/.exec(path) ?? [];
    return definitionTypes[list];
};
export const definitionsOf = (repository) => askedOnce(`${repository}/assessment_attribute_definitions`, (answer) => (isObject(answer) ? objectsOf(answer, 'definitions') : []).map((each) => ({
    value: String(each['id']),
    label: textOf(each, 'label') ?? null,
    type: textOf(each, 'type') ?? '',
})));
