import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { typeName } from '../labels.js';
import { mayEdit } from '../record/may-edit.js';
import { t } from '../words.js';
const inRepository = [
    ['resource', 'resources'],
    ['accession', 'accessions'],
    ['digital_object', 'digital_objects'],
    ['top_container', 'top_containers'],
];
const shared = [
    ['agent_person', 'agents/people'],
    ['agent_corporate_entity', 'agents/corporate_entities'],
    ['agent_family', 'agents/families'],
    ['subject', 'subjects'],
    ['location', 'locations'],
    ['repository', 'repositories'],
];
export function NewRecord({ repository }) {
    const offered = [
        ...(repository === null ? [] : inRepository.map(([kind, path]) => [kind, `${repository}/${path}`])),
        ...shared.map(([kind, path]) => [kind, `/${path}`]),
    ].filter(([kind, address]) => mayEdit(kind, address));
    if (offered.length === 0)
        return null;
    return (_jsxs("details", { class: "new", children: [_jsx("summary", { children: t('new_record') }), _jsx("ul", { children: offered.map(([kind, address]) => (_jsx("li", { children: _jsx("a", { href: `/console/new${address}`, children: typeName(kind) }) }, kind))) })] }));
}
