import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useState } from 'preact/hooks';
import { isObject, objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { Fault, Waiting, awayMs, isAway, useAsked } from '../asking.js';
import { Schedules } from '../jobs/schedules.js';
import { Section } from '../section.js';
import { may, service } from '../session.js';
import { useTitle } from '../title.js';
import { number, t } from '../words.js';
import { Figures } from './figures.js';
import { Audit, Slowest, Webhooks } from './tables.js';
import { say } from './words.js';
const pauseMs = 10_000;
export function HealthView() {
    useTitle(t('nav_health'));
    if (!may('administer_system', null))
        return (_jsxs(_Fragment, { children: [_jsx("h1", { children: t('nav_health') }), _jsx("p", { class: "empty", children: say('denied') })] }));
    return (_jsxs(_Fragment, { children: [_jsx("h1", { children: t('nav_health') }), _jsx(Doctor, {}), _jsx(LastHour, {}), _jsx(Schedules, {}), _jsx(Section, { id: "webhooks", title: say('webhooks'), children: _jsx(Webhooks, {}) }), _jsx(Section, { id: "audit", title: say('audit'), children: _jsx(Audit, {}) }), _jsx(Section, { id: "log", title: say('log'), children: _jsx(Log, {}) })] }));
}
function Doctor() {
    const { value, fault, again } = useAsked('/system/doctor');
    const findings = isObject(value) ? objectsOf(value, 'findings') : [];
    return (_jsx(Section, { id: "findings", title: say('findings'), children: fault !== null ? (_jsx(Fault, { fault: fault, again: again })) : value === undefined ? (_jsx(Waiting, {})) : (_jsxs(_Fragment, { children: [findings.length === 0 && _jsx("p", { children: say('well') }), _jsx("ul", { class: "findings", children: findings.map((each) => {
                        const level = levelOf(textOf(each, 'level'));
                        return (_jsxs("li", { class: `level-${level}`, children: [_jsxs("p", { children: [_jsx("span", { class: "badge", children: say(level) }), " ", _jsx("strong", { children: textOf(each, 'says') })] }), _jsx("p", { children: textOf(each, 'advice') })] }, textOf(each, 'says')));
                    }) }), _jsx("p", { class: "soft", children: summary(value) })] })) }));
}
const levelOf = (level) => level === 'problem' || level === 'warning' ? level : 'notice';
function summary(diagnosis) {
    const facts = isObject(diagnosis) ? objectOf(diagnosis, 'facts') : undefined;
    const [server, work] = [objectOf(facts, 'server'), objectOf(facts, 'work')];
    const [size, workers, days] = [server?.['sizeBytes'], work?.['workers'], work?.['backupDays']];
    return say('summary', {
        size: typeof size === 'number' ? `${number(Math.round(size / 1e5) / 10)} MB` : '–',
        workers: typeof workers === 'number' ? workers : '–',
        backup: typeof days === 'number' ? say('days_ago', { count: Math.floor(days) }) : say('no_backup'),
    });
}
function LastHour() {
    const [value, setValue] = useState();
    const [fault, setFault] = useState(null);
    const [turn, setTurn] = useState(0);
    useEffect(() => {
        const stop = new AbortController();
        let timer;
        const look = () => {
            service
                .ask('/system/figures', { signal: stop.signal })
                .then((found) => {
                setValue(found);
                setFault(null);
                timer = setTimeout(look, pauseMs);
            })
                .catch((error) => {
                if (stop.signal.aborted)
                    return;
                setFault(error);
                if (isAway(error))
                    timer = setTimeout(look, awayMs);
            });
        };
        look();
        return () => {
            stop.abort();
            clearTimeout(timer);
        };
    }, [turn]);
    const found = isObject(value) ? value : undefined;
    return (_jsxs(_Fragment, { children: [_jsxs(Section, { id: "hour", title: say('hour'), children: [_jsx("p", { class: "hint", children: say('hour_more') }), fault !== null && _jsx(Fault, { fault: fault, again: () => setTurn(turn + 1) }), found === undefined ? fault === null && _jsx(Waiting, {}) : _jsx(Figures, { samples: objectsOf(found, 'samples') })] }), _jsx(Section, { id: "slowest", title: say('slowest'), children: found !== undefined && _jsx(Slowest, { routes: objectsOf(found, 'slowest') }) })] }));
}
function Log() {
    const [text, setText] = useState(null);
    const [fault, setFault] = useState(null);
    const read = () => {
        setFault(null);
        service
            .send('/system/log')
            .then((reply) => reply.text())
            .then(setText, setFault);
    };
    if (fault !== null)
        return _jsx(Fault, { fault: fault, again: read });
    if (text === null)
        return (_jsx("div", { class: "buttons", children: _jsx("button", { type: "button", onClick: read, children: say('show') }) }));
    return (_jsx("pre", { class: "log", tabIndex: 0, "aria-labelledby": "log", children: text }));
}
