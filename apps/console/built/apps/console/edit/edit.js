import { jsx as _jsx } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { query } from '../address.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { readLabels, typeName } from '../labels.js';
import { resolved } from '../record/resolved.js';
import { readRepositories } from '../repositories.js';
import { useTitle } from '../title.js';
import { Editor } from './editor.js';
import { nameOf } from './lists.js';
import { beginningOf, fieldsOfRecord, kindMadeAt, readSchemas } from './schema.js';
import { e } from './words.js';
export function EditView({ rest: uri }) {
    const { schemas, fault: noSchemas, again: askSchemas } = useSchemas();
    const { value, fault, again } = useAsked(uri, { resolve: resolved });
    const record = isObject(value) ? value : undefined;
    const title = record === undefined ? '' : e('edit_this', { title: nameOf(record).replace(/<[^>]*>/g, '') });
    useTitle(title);
    if (noSchemas !== null)
        return _jsx(Fault, { fault: noSchemas, again: askSchemas });
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (record === undefined || schemas === undefined)
        return _jsx(Waiting, {});
    const kind = textOf(record, 'jsonmodel_type') ?? '';
    return (_jsx(Editor, { schemas: schemas, kind: kind, address: uri, draftAt: uri, record: record, beginning: record, heading: nameOf(record) }));
}
export function NewView({ rest: address }) {
    const { schemas, fault, again } = useSchemas();
    const kind = schemas === undefined ? undefined : kindMadeAt(schemas, address);
    useTitle(kind === undefined ? '' : e('new_of', { type: typeName(kind) }));
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (schemas === undefined)
        return _jsx(Waiting, {});
    if (kind === undefined)
        return _jsx("p", { class: "empty", children: e('no_form') });
    return (_jsx(Editor, { schemas: schemas, kind: kind, address: address, draftAt: location.pathname + location.search, record: null, beginning: { ...beginningOf(schemas, fieldsOfRecord(schemas, kind)), ...namedInQuery() }, heading: null }));
}
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
