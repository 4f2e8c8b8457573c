import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { query, recordAddress } from '../address.js';
import { ServiceError } from '../../../libs/client/errors.js';
import { Instead, useAsked } from '../asking.js';
import { readLabels, typeName } from '../labels.js';
import { Title } from '../markup.js';
import { isRefused } from '../record/may-edit.js';
import { resolved } from '../record/resolved.js';
import { readRepositories } from '../repositories.js';
import { useTitle } from '../title.js';
import { t } from '../words.js';
import { Editor } from './editor.js';
import { LeftDraft } from './left-draft.js';
import { nameOf } from './lists.js';
import { beginningOf, fieldsOfRecord, kindMadeAt, readSchemas } from './schema.js';
import { e } from './words.js';
export function EditView({ rest: uri }) {
    const { schemas, fault: noSchemas, again: askSchemas } = useSchemas();
    const { value, fault, again } = useAsked(uri, { resolve: resolved });
    const record = isObject(value) ? value : undefined;
    const title = record === undefined ? '' : e('edit_this', { title: nameOf(record) });
    useTitle(title);
    if (noSchemas !== null || schemas === undefined)
        return _jsx(Instead, { title: t('edit'), fault: noSchemas, again: askSchemas });
    if (fault !== null || record === undefined)
        return (_jsxs(_Fragment, { children: [_jsx(Instead, { title: t('edit'), fault: fault, again: again }), fault instanceof ServiceError && [403, 404].includes(fault.status) && _jsx(LeftDraft, { address: uri })] }));
    const kind = textOf(record, 'jsonmodel_type') ?? '';
    if (isRefused(kind, uri))
        return (_jsxs(_Fragment, { children: [_jsx(Denied, { title: nameOf(record), back: recordAddress(uri) }), _jsx(LeftDraft, { address: uri })] }));
    return (_jsx(Editor, { schemas: schemas, kind: kind, address: uri, draftAt: uri, record: record, beginning: record, heading: nameOf(record) }));
}
export function NewView({ rest: address }) {
    const { schemas, fault, again } = useSchemas();
    const kind = schemas === undefined ? undefined : kindMadeAt(schemas, address);
    useTitle(kind === undefined ? '' : e('new_of', { type: typeName(kind) }));
    if (fault !== null || schemas === undefined)
        return _jsx(Instead, { title: t('new_record'), fault: fault, again: again });
    if (kind === undefined)
        return (_jsxs(_Fragment, { children: [_jsx("h1", { children: t('new_record') }), _jsx("p", { class: "empty", children: e('no_form') })] }));
    if (isRefused(kind, address))
        return _jsx(Denied, { title: e('new_of', { type: typeName(kind) }), back: "/console" });
    const here = location.pathname + location.search;
    return (_jsx(Editor, { schemas: schemas, kind: kind, address: address, draftAt: here, record: null, beginning: { ...beginningOf(schemas, fieldsOfRecord(schemas, kind)), ...namedInQuery() }, heading: null }, here));
}
const Denied = ({ title, back }) => (_jsxs(_Fragment, { children: [_jsx("h1", { children: _jsx(Title, { text: title }) }), _jsx("p", { class: "empty", children: e('denied') }), _jsx("a", { class: "button", href: back, children: e('back') })] }));
function namedInQuery() {
    return Object.fromEntries([...query.value]
        .filter(([name]) => name !== 'from')
        .map(([name, value]) => [
        name,
        name === 'position' ? Number(value) : value.startsWith('/') ? { ref: value } : value,
    ]));
}
function useSchemas() {
    const [schemas, setSchemas] = useState();
    const [fault, setFault] = useState(null);
    const ask = () => {
        setFault(null);
        readSchemas().then(setSchemas, setFault);
    };
    useEffect(ask, []);
    useEffect(readLabels, []);
    useEffect(() => void readRepositories().catch(() => undefined), []);
    return { schemas, fault, again: ask };
}
