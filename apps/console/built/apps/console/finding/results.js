import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { objectsOf, textOf, textsOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { typeName, valueName } from '../labels.js';
import { Title } from '../markup.js';
import { repositoryName } from '../repositories.js';
import { t } from '../words.js';
const isForThePublic = /^(?:resource|archival_object|accession|digital_object|agent|classification)/;
export function Results({ rows, isAll, }) {
    return (_jsx("ol", { class: "results", children: rows.map((row) => {
            const uri = textOf(row, 'uri') ?? textOf(row, 'id') ?? '';
            const level = textOf(row, 'level');
            const repository = textOf(row, 'repository');
            const type = textOf(row, 'primary_type') ?? '';
            const facts = new Set([
                typeName(type),
                ...(level === undefined ? [] : [valueName('level', level)]),
                ...identifierOf(row),
                ...textsOf(row, 'dates').slice(0, 1),
            ]);
            return (_jsxs("li", { children: [_jsx(Path, { row: row }), _jsx("a", { class: "title", href: recordAddress(uri), children: _jsx(Title, { text: textOf(row, 'title') }) }), _jsxs("p", { class: "facts", children: [[...facts].map((fact) => (_jsx("span", { children: _jsx("bdi", { children: fact }) }, fact))), row['publish'] === false && isForThePublic.test(type) && _jsx("span", { class: "badge", children: t('unpublished') }), row['suppressed'] === true && _jsx("span", { class: "badge", children: t('suppressed') }), isAll && repository !== undefined && repository !== 'global' && (_jsx("span", { class: "soft", children: repositoryName(repository) }))] })] }, textOf(row, 'id')));
        }) }));
}
const identifierOf = (row) => {
    const text = textOf(row, 'identifier') ?? textOf(row, 'four_part_id') ?? textOf(row, 'component_id');
    return text === undefined ? [] : [text];
};
function Path({ row }) {
    const steps = objectsOf(row, '_path');
    if (steps.length === 0)
        return null;
    return (_jsx("ul", { class: "path", "aria-label": t('stands_in'), children: steps.map((step) => (_jsx("li", { children: _jsx("a", { href: recordAddress(textOf(step, 'uri') ?? ''), children: _jsx(Title, { text: textOf(step, 'title') }) }) }, textOf(step, 'uri')))) }));
}
