export const parts = ['sort', 'list', 'property', 'text'];
export const narrowingOf = (asked) => ({
    sort: asked.get('sort') ?? '',
    list: asked.get('list') ?? '',
    property: asked.get('property') ?? '',
    text: asked.get('text') ?? '',
});
export function narrowed(all, { sort, list, property, text }) {
    const words = text.toLowerCase();
    const holds = (value) => value?.toLowerCase().includes(words) === true;
    return all.filter((each) => (sort === '' || each.sort === sort) &&
        (list === '' || each.list === list) &&
        (property === '' || each.property === property) &&
        (words === '' || holds(each.uri) || holds(each.place) || holds(each.source) || holds(each.here)));
}
export function valuesOf(all, part, narrowing) {
    const counts = new Map();
    for (const each of narrowed(all, { ...narrowing, [part]: '' }))
        if (each[part] !== '')
            counts.set(each[part], (counts.get(each[part]) ?? 0) + 1);
    return [...counts].sort(([one, few], [other, many]) => many - few || (one < other ? -1 : 1));
}
