import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { isObject, objectsOf } from '../../../libs/domain/json.js';
import { Fault, useAsked } from '../asking.js';
import { Results } from '../finding/results.js';
import { may } from '../session.js';
import { t } from '../words.js';
const fields = [
    [/^\/agents\//, 'agent_uris'],
    [/^\/subjects\//, 'subject_uris'],
    [/\/top_containers\/\d+$/, 'top_container_uri_u_sstr'],
    [/\/digital_objects\/\d+$/, 'digital_object_uris'],
    [/\/classifications\/\d+$/, 'classification_uris'],
    [/\/accessions\/\d+$/, 'related_accession_uris'],
    [/\/resources\/\d+$/, 'related_resource_uris'],
];
const mostShown = 10;
export function NamedBy({ uri }) {
    const field = fields.find(([pattern]) => pattern.test(uri))?.[1];
    const repository = /^\/repositories\/\d+/.exec(uri)?.[0];
    const place = repository ?? (may('view_all_records', null) ? '' : undefined);
    const isAsked = field !== undefined && place !== undefined;
    const { value, fault, again } = useAsked(isAsked ? `${place}/search` : null, {
        q: '*',
        page: 1,
        page_size: mostShown,
        paths: true,
        fields: ['id', 'uri', 'title', 'primary_type', 'level', 'identifier', 'dates', 'publish', 'repository'],
        filter_term: [JSON.stringify({ [field ?? '']: uri })],
    });
    const rows = isObject(value) ? objectsOf(value, 'results') : [];
    const total = isObject(value) ? Number(value['total_hits'] ?? 0) : 0;
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (rows.length === 0)
        return null;
    return (_jsxs("section", { class: "named-by", "aria-labelledby": "named-by", children: [_jsx("h2", { id: "named-by", children: t('named_by', { count: total }) }), _jsx(Results, { rows: rows, isAll: repository === undefined }), total > rows.length && (_jsx("a", { href: `/console?${new URLSearchParams({ ...(repository === undefined ? {} : { repo: repository }), f: `${field}:${uri}` }).toString()}`, children: t('show_all') }))] }));
}
