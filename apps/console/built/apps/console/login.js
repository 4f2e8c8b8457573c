import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { ServiceError } from '../../libs/client/errors.js';
import { Fault } from './asking.js';
import { useWindow } from './focus.js';
import { Languages } from './languages.js';
import { logIn } from './session.js';
import { useTitle } from './title.js';
import { t } from './words.js';
export function Login() {
    useTitle(t('log_in'));
    return (_jsxs("main", { class: "alone", children: [_jsx("h1", { children: "Muniment" }), _jsx(LoginForm, { username: "" }), _jsx("p", { class: "foot", children: _jsx(Languages, {}) })] }));
}
export function LoginAgain({ username }) {
    const dialog = useWindow();
    return (_jsxs("dialog", { ref: dialog, "aria-labelledby": "ended", onKeyDown: (event) => {
            if (event.key === 'Escape')
                event.preventDefault();
        }, onCancel: (event) => event.preventDefault(), onClose: () => dialog.current?.showModal(), children: [_jsx("h2", { id: "ended", children: t('session_ended') }), _jsx("p", { children: t('session_ended_more') }), _jsx(LoginForm, { username: username })] }));
}
function LoginForm({ username }) {
    const [name, setName] = useState(username);
    const [password, setPassword] = useState('');
    const [fault, setFault] = useState(null);
    const [isSending, setSending] = useState(false);
    const submit = async (event) => {
        event.preventDefault();
        setSending(true);
        setFault(null);
        try {
            await logIn(name, password);
        }
        catch (error) {
            setFault(error);
            setPassword('');
        }
        setSending(false);
    };
    const isRefused = fault instanceof ServiceError && fault.status === 403;
    return (_jsxs("form", { class: "login", onSubmit: (event) => void submit(event), children: [_jsx("label", { for: "login-user", children: t('user') }), _jsx("input", { id: "login-user", autocomplete: "username", autocapitalize: "none", required: true, value: name, onInput: (event) => setName(event.currentTarget.value) }), _jsx("label", { for: "login-password", children: t('password') }), _jsx("input", { id: "login-password", type: "password", autocomplete: "current-password", required: true, value: password, onInput: (event) => setPassword(event.currentTarget.value) }), _jsx("button", { class: "main", disabled: isSending, children: t('log_in') }), isRefused && (_jsx("p", { class: "fault", role: "alert", children: t('login_refused') })), fault !== null && !isRefused && _jsx(Fault, { fault: fault })] }));
}
