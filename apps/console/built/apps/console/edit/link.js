import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useContext } from 'preact/hooks';
import { isObject, objectOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { useAsked } from '../asking.js';
import { Combobox } from '../finding/combobox.js';
import { typeName } from '../labels.js';
import { Title, withoutMarkup } from '../markup.js';
import { chosenRepository } from '../repositories.js';
import { said } from '../saying.js';
import { may } from '../session.js';
import { InForm, below, change, idOf, useFaults, useValue } from './form.js';
import { FaultsAt, Input } from './inputs.js';
import { listedAt, nameOf } from './lists.js';
import { at, typedIn } from './values.js';
import { e } from './words.js';
export function Linked({ path, to, label }) {
    const form = useContext(InForm);
    const value = useValue(path);
    const link = isObject(value) ? value : {};
    const ref = textOf(link, 'ref') ?? '';
    const place = listedAt(to);
    if (place !== undefined)
        return _jsx(Input, { path: below(path, 'ref'), shape: { is: 'uri', to }, label: label, isRequired: false });
    if (ref === '')
        return _jsx(Looking, { path: path, to: to, label: label });
    const other = () => {
        const { ref: _, _resolved: __, ...left } = link;
        change(form, path, left);
        requestAnimationFrame(() => document.getElementById(idOf(below(path, 'ref')))?.focus());
    };
    return (_jsxs("div", { class: "field wide linked", children: [_jsx(LinkedTitle, { uri: ref, record: objectOf(link, '_resolved') }), _jsx("button", { type: "button", id: idOf(below(path, 'ref')), onClick: other, children: e('choose_other') }), _jsx(FaultsAt, { path: below(path, 'ref') })] }));
}
function LinkedTitle({ uri, record }) {
    const { value } = useAsked(record === undefined ? uri : null);
    const found = record ?? (isObject(value) ? value : undefined);
    return (_jsx("a", { href: recordAddress(uri), target: "_blank", children: found === undefined ? uri : _jsx(Title, { text: nameOf(found) }) }));
}
function Looking({ path, to, label }) {
    const form = useContext(InForm);
    const value = useValue(path);
    const link = isObject(value) ? value : {};
    const isWrong = useFaults(below(path, 'ref')).length > 0;
    const id = idOf(below(path, 'ref'));
    const choose = (row) => {
        const before = at(form.value.peek(), path);
        const { [typedIn]: _, ...others } = isObject(before) ? before : {};
        const chosen = { ref: textOf(row, 'uri') ?? '', _resolved: { title: textOf(row, 'title') ?? '' } };
        change(form, path, { ...others, ...chosen });
        said.value = e('chosen', { title: withoutMarkup(textOf(row, 'title') ?? '') });
        requestAnimationFrame(() => document.getElementById(id)?.focus());
    };
    return (_jsxs("div", { class: "field wide", children: [_jsx(Combobox, { id: id, label: _jsx("span", { class: "needed", children: label }), typed: textOf(link, typedIn) ?? '', onType: (text) => change(form, path, { ...link, [typedIn]: text }), onChoose: choose, repository: form.repository ?? (may('view_all_records', null) ? null : chosenRepository(true)), types: to, placeholder: e('search_title', { types: to.map(typeName).join(', ') }), isInvalid: isWrong, describedBy: isWrong ? `${id}-fault` : undefined }), _jsx(FaultsAt, { path: below(path, 'ref') })] }));
}
