import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Instead, useAsked } from '../asking.js';
import { readLabels, typeName, valueName } from '../labels.js';
import { Marked, Title } from '../markup.js';
import { readRepositories, repositoryName } from '../repositories.js';
import { useTitle } from '../title.js';
import { t, time } from '../words.js';
import { Export } from './export.js';
import { History } from './history.js';
import { NamedBy } from './named-by.js';
import { Notes } from './notes.js';
import { isRefused, mayEdit } from './may-edit.js';
import { Properties, identifierOf } from './properties.js';
import { resolved } from './resolved.js';
export function RecordView({ rest: uri }) {
    const { value, fault, again } = useAsked(uri, { resolve: resolved });
    useEffect(readLabels, []);
    useEffect(() => void readRepositories().catch(() => undefined), []);
    const record = isObject(value) ? value : undefined;
    useTitle(record === undefined ? '' : titleOf(record));
    return record === undefined || fault !== null ? (_jsx(Instead, { title: t('record'), fault: fault, again: again })) : (_jsx(Whole, { uri: uri, record: record, again: again }));
}
const titleOf = (record) => textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(record, 'name') ?? textOf(record, 'uri') ?? '';
const rootOf = (uri, record) => {
    if (/\/(?:resources|digital_objects|classifications)\/\d+$/.test(uri))
        return uri;
    return ['resource', 'digital_object', 'classification']
        .map((name) => textOf(objectOf(record, name), 'ref'))
        .find(Boolean);
};
function Whole({ uri, record, again, }) {
    const [isJson, setJson] = useState(false);
    const root = rootOf(uri, record);
    const type = textOf(record, 'jsonmodel_type') ?? '';
    const level = textOf(record, 'level');
    const identifier = identifierOf(record);
    return (_jsxs("article", { class: "record", children: [_jsx(Above, { record: record }), _jsx("h1", { children: _jsx(Marked, { text: titleOf(record), inline: true }) }), _jsxs("p", { class: "facts", children: [[...new Set([typeName(type), ...(level === undefined ? [] : [valueName('level', level)])])].map((fact) => (_jsx("span", { children: fact }, fact))), identifier !== '' && (_jsx("span", { children: _jsx("bdi", { children: identifier }) })), record['publish'] === false && _jsx("span", { class: "badge", children: t('unpublished') }), record['suppressed'] === true && _jsx("span", { class: "badge", children: t('suppressed') })] }), _jsxs("div", { class: "buttons", children: [mayEdit(type, uri) && (_jsx("a", { class: "button", href: `/console/edit${uri}`, children: t('edit') })), root !== undefined && (_jsx("a", { class: "button", href: `/console/tree${root}${root === uri ? '' : `?node=${encodeURIComponent(uri)}`}`, children: t('show_tree') })), _jsx("button", { type: "button", "aria-pressed": isJson, onClick: () => setJson(!isJson), children: "JSON" }), _jsx(Export, { kind: type, uri: uri })] }), isJson ? (_jsx("pre", { tabIndex: 0, "aria-label": "JSON", children: JSON.stringify(withoutResolved(record), null, 2) })) : (_jsxs(_Fragment, { children: [_jsx(Properties, { record: record }), _jsx(Notes, { notes: objectsOf(record, 'notes') }), _jsx(NamedBy, { uri: uri }), !isRefused(type, uri) && (_jsx(History, { uri: uri, lockVersion: mayEdit(type, uri) ? Number(record['lock_version']) : null, onRestored: again }, String(record['lock_version']))), _jsxs("p", { class: "foot soft", children: [t('made_by', { who: textOf(record, 'created_by') ?? '–', when: time(textOf(record, 'create_time')) }), ' ', t('changed_by', {
                                who: textOf(record, 'last_modified_by') ?? '–',
                                when: time(textOf(record, 'user_mtime') ?? textOf(record, 'system_mtime')),
                            })] })] }))] }));
}
function Above({ record }) {
    const repository = textOf(objectOf(record, 'repository'), 'ref');
    const above = objectsOf(record, 'ancestors').toReversed();
    return (_jsx("nav", { "aria-label": t('stands_in'), children: _jsxs("ol", { class: "path", children: [repository !== undefined && (_jsx("li", { children: _jsx("a", { href: `/console?repo=${encodeURIComponent(repository)}`, children: repositoryName(repository) }) })), above.map((step) => (_jsx("li", { children: _jsx("a", { href: recordAddress(textOf(step, 'ref') ?? ''), children: _jsx(Title, { text: titleOf(objectOf(step, '_resolved') ?? {}) }) }) }, textOf(step, 'ref'))))] }) }));
}
function withoutResolved(value) {
    if (Array.isArray(value))
        return value.map(withoutResolved);
    if (!isObject(value))
        return value;
    return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => (name === '_resolved' ? [] : [[name, withoutResolved(each)]])));
}
