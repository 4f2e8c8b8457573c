import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { propertyName, typeName, valueName } from '../labels.js';
import { Marked, Title } from '../markup.js';
import { t, time } from '../words.js';
import { FileVersion, toldBy } from './file-version.js';
const first = [
    'dates',
    'dates_of_existence',
    'extents',
    'linked_agents',
    'subjects',
    'lang_materials',
    'instances',
    'file_versions',
    'container_locations',
    'content_description',
    'condition_description',
];
const elsewhere = new Set(('uri jsonmodel_type title display_string lock_version created_by last_modified_by create_time system_mtime user_mtime ' +
    'repository ancestors notes publish suppressed level id_0 id_1 id_2 id_3 component_id digital_object_id identifier ' +
    'is_slug_auto slug tree has_unpublished_ancestor persistent_id position is_repository_default ref_id ark_name ' +
    'has_children represented_instance display_name is_linked_to_published_record used_within_repositories ' +
    'used_within_published_repositories long_display_string sort_name is_display_name authorized resource ' +
    'is_finding_aid_status_published import_current_record import_previous_arks name').split(' '));
const ofPrograms = new Set('uri jsonmodel_type lock_version created_by last_modified_by create_time system_mtime user_mtime repository persistent_id publish is_representative language_and_script'.split(' '));
export const identifierOf = (record) => {
    const parts = [0, 1, 2, 3].flatMap((n) => textOf(record, `id_${n}`) ?? []);
    if (parts.length > 0)
        return parts.join('.');
    return ['component_id', 'digital_object_id', 'identifier'].map((name) => textOf(record, name)).find(Boolean) ?? '';
};
const isEmpty = (value) => value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0);
export function Properties({ record }) {
    const names = [...first, ...Object.keys(record).filter((name) => !first.includes(name) && !elsewhere.has(name))];
    const isTold = (name) => name === 'representative_file_version' && !isEmpty(record['file_versions']);
    const shown = names.filter((name) => !isEmpty(record[name]) && !isTold(name));
    if (shown.length === 0)
        return null;
    return (_jsx("dl", { class: "properties", children: shown.map((name) => (_jsxs("div", { children: [_jsx("dt", { children: propertyName(name) }), _jsx("dd", { children: _jsx(Value, { name: name, value: record[name] ?? null }) })] }, name))) }));
}
export function Value({ name, value }) {
    if (Array.isArray(value)) {
        if (value.length === 1)
            return _jsx(Value, { name: name, value: value[0] ?? null });
        return _jsx(Values, { name: name, values: value });
    }
    if (isObject(value))
        return _jsx(ObjectValue, { name: name, value: value });
    if (typeof value === 'boolean')
        return _jsx(_Fragment, { children: t(value ? 'yes' : 'no') });
    const text = String(value);
    if (/^https?:\/\/\S+$/.test(text))
        return (_jsx("a", { href: text, rel: "noreferrer", target: "_blank", children: text }));
    if (/_time$|_mtime$/.test(name))
        return _jsx(_Fragment, { children: time(text) });
    return _jsx(Marked, { text: valueName(name, text), inline: true });
}
const mostShown = 20;
function Values({ name, values }) {
    const [isOpen, setOpen] = useState(false);
    const first = isOpen || values.length <= mostShown + 5 ? values : values.slice(0, mostShown);
    return (_jsxs(_Fragment, { children: [_jsx("ul", { class: "values", children: first.map((each, index) => (_jsx("li", { children: _jsx(Value, { name: name, value: each }) }, index))) }), first.length < values.length && (_jsx("button", { type: "button", class: "plain", onClick: () => setOpen(true), children: t('more', { count: values.length - first.length }) }))] }));
}
function ObjectValue({ name, value }) {
    if (textOf(value, 'ref') !== undefined)
        return _jsx(Link, { link: value });
    const type = textOf(value, 'jsonmodel_type');
    if (type === 'date' || type === 'structured_date_label')
        return _jsx(DateValue, { date: value });
    if (type === 'extent')
        return _jsx(ExtentValue, { extent: value });
    if (type === 'instance')
        return _jsx(InstanceValue, { instance: value });
    const isFile = type === 'file_version';
    const told = isFile ? toldBy(value) : [];
    const names = Object.keys(value).filter((each) => !ofPrograms.has(each) && !told.includes(each) && !isEmpty(value[each]));
    const inner = objectOf(value, 'language_and_script');
    if (inner !== undefined) {
        const said = ['language', 'script'].flatMap((each) => {
            const code = textOf(inner, each);
            return code === undefined ? [] : [valueName(each, code)];
        });
        return (_jsxs(_Fragment, { children: [said.join(', '), _jsx(Parts, { value: value, names: names })] }));
    }
    if (name === 'names' || name === 'agent_contacts') {
        const own = textOf(value, 'sort_name') ?? textOf(value, 'name');
        const isMade = value['sort_name_auto_generate'] === true;
        if (own !== undefined)
            return (_jsxs(_Fragment, { children: [_jsx("bdi", { children: own }), _jsx(Parts, { value: value, names: names.filter((each) => value[each] !== own && !(isMade && inSortName.has(each))) })] }));
    }
    if (!isFile)
        return _jsx(Parts, { value: value, names: names });
    return (_jsxs(_Fragment, { children: [_jsx(FileVersion, { version: value }), _jsx(Parts, { value: value, names: names })] }));
}
const inSortName = new Set(('sort_name sort_name_auto_generate is_display_name authorized name_order primary_name rest_of_name title prefix suffix number ' +
    'fuller_form dates qualifier subordinate_name_1 subordinate_name_2 location family_name software_name version manufacturer').split(' '));
export function Parts({ value, names, }) {
    const shown = names.filter((each) => !isEmpty(value[each]));
    if (shown.length === 0)
        return null;
    return (_jsx("dl", { class: "inner", children: shown.map((each) => (_jsxs("div", { children: [_jsx("dt", { children: propertyName(each) }), _jsx("dd", { children: _jsx(Value, { name: each, value: value[each] ?? null }) })] }, each))) }));
}
const ofLinks = [
    'title',
    'note',
    'description',
    'specific_relator',
    'specific_relator_uri',
    'relationship_uri',
    'dates',
];
function Link({ link }) {
    const uri = textOf(link, 'ref') ?? '';
    const record = objectOf(link, '_resolved') ?? {};
    const title = textOf(record, 'display_string') ?? textOf(record, 'title') ?? textOf(record, 'name');
    const terms = objectsOf(link, 'terms').flatMap((each) => textOf(each, 'term') ?? []);
    const parts = ['role', 'relator', 'status', 'start_date', 'end_date'].flatMap((name) => {
        const value = textOf(link, name);
        return value === undefined ? [] : [valueName(name, value)];
    });
    return (_jsxs(_Fragment, { children: [_jsx("a", { href: recordAddress(uri), children: title === undefined ? uri : _jsx(Title, { text: title }) }), terms.length > 0 && _jsxs("bdi", { children: [" \u2013 ", terms.join(' – ')] }), parts.length > 0 && _jsxs("span", { class: "soft", children: [" ", parts.join(', ')] }), _jsx(Parts, { value: link, names: ofLinks })] }));
}
function DateValue({ date }) {
    const single = objectOf(date, 'structured_date_single');
    const range = objectOf(date, 'structured_date_range');
    const spanOf = (...names) => {
        const endOf = (end) => names.map((name) => textOf(range, `${end}_${name}`)).find((part) => part !== undefined);
        const ends = [textOf(date, 'begin') ?? endOf('begin'), textOf(date, 'end') ?? endOf('end')];
        return [...new Set(ends.filter((end) => end !== undefined))].join(' – ');
    };
    const counted = textOf(single, 'date_standardized') ?? spanOf('date_standardized', 'date_expression');
    const text = textOf(date, 'expression') ??
        textOf(single, 'date_expression') ??
        (range === undefined ? counted : spanOf('date_expression', 'date_standardized'));
    const about = ['label', 'date_label', 'certainty', 'date_certainty', 'era', 'date_era', 'calendar', 'date_calendar'];
    const said = about.flatMap((name) => {
        const value = textOf(date, name);
        return value === undefined || usual.has(value) ? [] : [valueName(name.replace('date_', ''), value)];
    });
    return (_jsxs(_Fragment, { children: [_jsx("bdi", { children: text }), ' ', _jsx("span", { class: "soft", children: [...(counted === '' || counted === text ? [] : [counted]), ...said].join(', ') })] }));
}
const usual = new Set(['ce', 'gregorian']);
function ExtentValue({ extent }) {
    const type = valueName('extent_type', textOf(extent, 'extent_type') ?? '');
    const part = textOf(extent, 'portion') === 'part' ? [valueName('portion', 'part')] : [];
    const told = ['container_summary', 'physical_details', 'dimensions'].flatMap((name) => textOf(extent, name) ?? []);
    const more = [...part, ...told];
    return (_jsxs(_Fragment, { children: [textOf(extent, 'number'), " ", type, " ", more.length > 0 && _jsxs("span", { class: "soft", children: ["(", more.join('; '), ")"] })] }));
}
function InstanceValue({ instance }) {
    const digital = objectOf(instance, 'digital_object');
    const sub = objectOf(instance, 'sub_container');
    const container = objectOf(sub, 'top_container');
    const below = [2, 3].flatMap((n) => {
        const indicator = textOf(sub, `indicator_${n}`);
        return indicator === undefined ? [] : [`${valueName('type_2', textOf(sub, `type_${n}`) ?? '')} ${indicator}`];
    });
    const barcode = textOf(sub, 'barcode_2');
    return (_jsxs(_Fragment, { children: [digital !== undefined && _jsx(Link, { link: digital }), container !== undefined && _jsx(Link, { link: container }), below.length > 0 && `, ${below.join(', ')}`, barcode !== undefined && ` [${propertyName('barcode')}: ${barcode}]`, ' ', _jsx("span", { class: "soft", children: valueName('instance_type', textOf(instance, 'instance_type') ?? typeName('instance')) })] }));
}
