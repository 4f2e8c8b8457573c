import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { differences } from '../../../libs/domain/history/diff.js';
import { Fault, Waiting, useAsked } from '../asking.js';
import { speaker, time } from '../words.js';
import { Changes } from './changes.js';
const say = speaker({
    en: {
        compare: 'Compare two versions',
        older: 'From',
        newer: 'To',
        same: 'These two say the same.',
    },
    de: {
        compare: 'Zwei Fassungen vergleichen',
        older: 'Von',
        newer: 'Zu',
        same: 'Diese beiden sagen dasselbe.',
    },
});
const ofService = new Set('lock_version created_by last_modified_by create_time system_mtime user_mtime uri display_string'.split(' '));
export function Compare({ uri, entries }) {
    const [chosen, setChosen] = useState([undefined, undefined]);
    const [older, newer] = chosen;
    const known = [...chosen, ...entries]
        .filter((entry) => entry !== undefined)
        .filter((entry) => typeof entry['version'] === 'number' && typeof entry['state'] === 'number');
    const there = [...new Map(known.map((entry) => [keyOf(entry), entry])).values()].toSorted((one, other) => Number(other['version']) - Number(one['version']) || Number(other['state']) - Number(one['state']));
    const choose = (at, key) => {
        const entry = there.find((each) => keyOf(each) === key);
        setChosen(at === 0 ? [entry, newer] : [older, entry]);
    };
    const before = useVersion(uri, older);
    const after = useVersion(uri, newer);
    if (there.length < 2)
        return null;
    const choice = (at) => (_jsxs("label", { class: "choice", children: [_jsx("span", { children: say(at === 0 ? 'older' : 'newer') }), _jsxs("select", { value: chosen[at] === undefined ? '' : keyOf(chosen[at]), onChange: ({ currentTarget: { value } }) => choose(at, value), children: [_jsx("option", { value: "", children: "\u2013" }), there.map((entry) => (_jsx("option", { value: keyOf(entry), children: `${time(textOf(entry, 'at'))}, ${textOf(entry, 'by') ?? '–'} (${keyOf(entry)})` }, keyOf(entry))))] })] }));
    const isChosen = older !== undefined && newer !== undefined;
    const changes = isObject(before.value) && isObject(after.value) ? differences(own(before.value), own(after.value)) : undefined;
    const fault = before.fault ?? after.fault;
    return (_jsxs("details", { class: "comparing", children: [_jsx("summary", { children: say('compare') }), _jsxs("div", { class: "buttons", children: [choice(0), choice(1)] }), isChosen &&
                (fault !== null ? (_jsx(Fault, { fault: fault, again: () => {
                        before.again();
                        after.again();
                    } })) : changes === undefined ? (_jsx(Waiting, {})) : changes.length === 0 ? (_jsx("p", { class: "empty", children: say('same') })) : (_jsx(Changes, { changes: changes.map((change) => ({ ...change })) })))] }));
}
const keyOf = (entry) => `${String(entry['version'])}.${String(entry['state'])}`;
const useVersion = (uri, entry) => useAsked(entry === undefined ? null : `${uri}/history/${String(entry['version'])}`, {
    state: Number(entry?.['state'] ?? 0),
});
const own = (body) => Object.fromEntries(Object.entries(body).filter(([name]) => !ofService.has(name)));
