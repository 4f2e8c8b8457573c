import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, textsOf } from '../../../libs/domain/json.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { said } from '../saying.js';
import { service } from '../session.js';
import { say } from './words.js';
export function Start({ onBegun }) {
    const { value, fault, again } = useAsked('/system/migrations');
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: again });
    if (value === undefined)
        return _jsx(Waiting, {});
    const sources = isObject(value) ? textsOf(value, 'sources') : [];
    return (_jsxs(_Fragment, { children: [_jsx("p", { children: say('start_more') }), sources.length === 0 ? _jsx("p", { class: "empty", children: say('no_sources') }) : _jsx(Asking, { sources: sources, onBegun: onBegun })] }));
}
function Asking(props) {
    const [source, setSource] = useState(props.sources[0] ?? '');
    const [username, setUsername] = useState('admin');
    const [password, setPassword] = useState('');
    const [isIntoFilled, setIntoFilled] = useState(false);
    const [fault, setFault] = useState(null);
    const [isSending, setSending] = useState(false);
    const send = async () => {
        setSending(true);
        setFault(null);
        try {
            const json = { source, username, password, into_filled: isIntoFilled };
            await service.ask('/system/migrations', { method: 'POST', json });
            setPassword('');
            said.value = say('begun');
            props.onBegun();
        }
        catch (error) {
            setFault(error);
        }
        setSending(false);
    };
    return (_jsxs("form", { onSubmit: (event) => {
            event.preventDefault();
            void send();
        }, children: [_jsxs("div", { class: "grid", children: [_jsxs("div", { class: "field wide", children: [_jsx("label", { for: "source-address", children: say('address') }), _jsx("input", { id: "source-address", type: "url", required: true, list: "sources", value: source, onInput: (event) => setSource(event.currentTarget.value) }), _jsx("datalist", { id: "sources", children: props.sources.map((each) => (_jsx("option", { value: each }, each))) })] }), _jsxs("div", { class: "field", children: [_jsx("label", { for: "source-user", children: say('their_user') }), _jsx("input", { id: "source-user", required: true, autocomplete: "off", autocapitalize: "none", value: username, onInput: (event) => setUsername(event.currentTarget.value) })] }), _jsxs("div", { class: "field", children: [_jsx("label", { for: "source-password", children: say('their_password') }), _jsx("input", { id: "source-password", type: "password", required: true, autocomplete: "new-password", value: password, onInput: (event) => setPassword(event.currentTarget.value) })] }), _jsxs("div", { class: "field flag wide", children: [_jsx("label", { for: "into-filled", children: say('into_filled') }), _jsx("input", { id: "into-filled", type: "checkbox", checked: isIntoFilled, onChange: (event) => setIntoFilled(event.currentTarget.checked) })] })] }), fault !== null && _jsx(Fault, { fault: fault, again: () => void send() }), _jsx("div", { class: "buttons", children: _jsx("button", { class: "main", disabled: isSending, children: say('begin') }) })] }));
}
