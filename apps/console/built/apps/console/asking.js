import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { ConnectionLost, ServiceError } from '../../libs/client/errors.js';
import { isObject } from '../../libs/domain/json.js';
import { service } from './session.js';
import { t } from './words.js';
export const awayMs = 3000;
export const isAway = (fault) => fault instanceof ConnectionLost || (fault instanceof ServiceError && [502, 503, 504].includes(fault.status));
export function useAsked(path, query = {}) {
    const [turn, setTurn] = useState({ isQuiet: false });
    const [state, setState] = useState({ value: undefined, fault: null, isWaiting: path !== null });
    const key = JSON.stringify([path, query]);
    useLayoutEffect(() => {
        if (path === null) {
            setState({ value: undefined, fault: null, isWaiting: false });
            return;
        }
        const stop = new AbortController();
        setState(({ value, fault }) => ({ value, fault: turn.isQuiet ? fault : null, isWaiting: true }));
        service.ask(path, { query, signal: stop.signal }).then((value) => {
            if (!stop.signal.aborted)
                setState({ value, fault: null, isWaiting: false });
        }, (fault) => {
            if (!stop.signal.aborted)
                setState(({ value }) => ({ value: isAway(fault) ? value : undefined, fault, isWaiting: false }));
        });
        return () => stop.abort();
    }, [key, turn]);
    useEffect(() => {
        if (state.isWaiting || !isAway(state.fault))
            return undefined;
        const timer = setTimeout(() => setTurn({ isQuiet: true }), awayMs);
        return () => clearTimeout(timer);
    }, [state]);
    return { ...state, again: () => setTurn({ isQuiet: false }) };
}
export function useRested(value, ms) {
    const [rested, setRested] = useState(value);
    useEffect(() => {
        const timer = setTimeout(() => setRested(value), ms);
        return () => clearTimeout(timer);
    }, [value, ms]);
    return rested;
}
export const Waiting = () => (_jsx("p", { class: "waiting", role: "status", children: t('waiting') }));
export const Instead = ({ title, fault, again }) => (_jsxs(_Fragment, { children: [_jsx("h1", { class: "hidden", children: title }), fault === null ? _jsx(Waiting, {}) : _jsx(Fault, { fault: fault, again: again })] }));
export function Fault({ fault, again }) {
    return (_jsxs("div", { class: "fault-box", role: "alert", children: [_jsx("p", { children: adviceOn(fault) }), detailsOf(fault).length > 0 && (_jsx("ul", { children: detailsOf(fault).map((line) => (_jsx("li", { children: line }, line))) })), again !== undefined && (_jsx("button", { type: "button", onClick: again, children: t('try_again') }))] }));
}
function adviceOn(fault) {
    if (fault instanceof ConnectionLost)
        return t('fault_lost');
    if (!(fault instanceof ServiceError))
        return t('fault_own', { what: String(fault) });
    if (fault.status === 403)
        return t('fault_denied');
    if (fault.status === 404)
        return t('fault_missing');
    if (fault.status === 409)
        return t('fault_conflict');
    if (fault.status < 500)
        return t('fault_refused');
    return t('fault_service', { id: fault.requestId ?? '–' });
}
function detailsOf(fault) {
    if (!(fault instanceof ServiceError) || fault.status >= 500 || fault.status === 403)
        return [];
    const { error } = fault;
    if (typeof error === 'string')
        return [error];
    if (!isObject(error))
        return [];
    return Object.entries(error).map(([name, says]) => `${name}: ${Array.isArray(says) ? says.map(String).join('; ') : JSON.stringify(says)}`);
}
