import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { Fault } from '../asking.js';
import { service } from '../session.js';
import { t } from '../words.js';
import { mayCancel } from './may-run.js';
export function Cancel({ uri, type, onDone }) {
    const [fault, setFault] = useState(null);
    if (!mayCancel(type, /^\/repositories\/\d+/.exec(uri)?.[0] ?? null))
        return null;
    const cancel = () => void service.ask(`${uri}/cancel`, { method: 'POST' }).then(onDone, setFault);
    return (_jsxs("div", { class: "buttons", children: [_jsx("button", { type: "button", onClick: cancel, children: t('cancel_job') }), fault !== null && _jsx(Fault, { fault: fault, again: cancel })] }));
}
