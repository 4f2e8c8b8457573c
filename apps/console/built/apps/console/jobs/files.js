import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { Fault, useAsked } from '../asking.js';
import { download } from '../download.js';
import { t } from '../words.js';
export function Files({ uri, given }) {
    const { value, fault: unlisted, again } = useAsked(`${uri}/output_files`);
    const [fault, setFault] = useState(null);
    const ids = Array.isArray(value) ? value.map(Number) : [];
    if (unlisted !== null)
        return _jsx(Fault, { fault: unlisted, again: again });
    if (ids.length === 0)
        return null;
    const save = (id) => {
        setFault(null);
        download(`${uri}/output_files/${id}`).catch(setFault);
    };
    return (_jsxs("section", { "aria-labelledby": "files", children: [_jsx("h2", { id: "files", children: t('files') }), fault !== null && _jsx(Fault, { fault: fault }), _jsx("div", { class: "buttons", children: ids.map((id, index) => (_jsx("button", { type: "button", onClick: () => save(id), children: given[index] === undefined ? t('download', { id: String(id) }) : _jsx("bdi", { children: given[index] }) }, id))) })] }));
}
