import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useMemo, useState } from 'preact/hooks';
import { Ask } from '../ask.js';
import { Value } from '../record/properties.js';
import { time } from '../words.js';
import { dropDraft, placeOfDraft, readDraft } from './drafts.js';
import { bare, changedBetween } from './values.js';
import { e, fieldName } from './words.js';
export function LeftDraft({ address }) {
    const place = useMemo(() => placeOfDraft(address), [address]);
    const [draft, setDraft] = useState(() => readDraft(place));
    const [isAsked, setAsked] = useState(false);
    if (draft === null)
        return null;
    const { base, value, at } = draft;
    const names = changedBetween(Object.keys({ ...base, ...value }), base, value);
    const discard = () => {
        dropDraft(place);
        setDraft(null);
    };
    return (_jsxs("section", { "aria-labelledby": "left-draft", children: [_jsx("h2", { id: "left-draft", children: e('draft_left', { when: time(at) }) }), _jsx("dl", { class: "properties", children: names.map((name) => (_jsxs("div", { children: [_jsx("dt", { children: fieldName(name) }), _jsx("dd", { children: _jsx(Value, { name: name, value: bare(value[name]) }) })] }, name))) }), _jsx("div", { class: "buttons", children: _jsx("button", { type: "button", onClick: () => setAsked(true), children: e('discard') }) }), isAsked && (_jsx(Ask, { title: e('discard'), text: e('discard_question'), yes: e('discard'), no: e('stay'), onYes: discard, onNo: () => setAsked(false) }))] }));
}
