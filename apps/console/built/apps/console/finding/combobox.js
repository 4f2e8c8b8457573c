import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.js';
import { useAsked, useRested } from '../asking.js';
import { typeName } from '../labels.js';
import { Title } from '../markup.js';
import { t } from '../words.js';
export function Combobox(field) {
    const { id, typed, onType, types = [] } = field;
    const [isOpen, setOpen] = useState(false);
    const [marked, setMarked] = useState(null);
    const rested = useRested(typed.trim(), 120);
    const isAsked = isOpen && rested.length > 1 && !rested.startsWith('/');
    const suggested = useSuggested(isAsked && field.useFound === undefined ? rested : null, field.repository, types);
    const found = field.useFound?.(isAsked ? rested : null) ?? suggested;
    const isShown = found.length > 0;
    const active = marked === null ? -1 : found.findIndex((row) => idOf(row) === marked);
    const choose = (row) => {
        setOpen(false);
        setMarked(null);
        if (row !== undefined)
            field.onChoose(row);
    };
    const onKey = (event) => {
        if (event.key === 'Escape' && isShown) {
            event.preventDefault();
            setOpen(false);
        }
        else if (event.key === 'Enter') {
            event.preventDefault();
            choose(isShown && active >= 0 ? found[active] : undefined);
        }
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setOpen(true);
            const step = event.key === 'ArrowDown' ? 1 : -1;
            const places = found.length + 1;
            const next = found[((active + 1 + step + places) % places) - 1];
            setMarked(next === undefined ? null : idOf(next));
        }
    };
    return (_jsxs("div", { class: "search-field", children: [_jsx("label", { for: id, children: field.label }), _jsx("input", { id: id, type: "search", role: "combobox", list: undefined, autocomplete: "off", spellcheck: false, dir: "auto", "aria-expanded": isShown, "aria-controls": `${id}-suggestions`, "aria-autocomplete": "list", "aria-describedby": field.describedBy, "aria-invalid": field.isInvalid === true ? true : undefined, ...(isShown && active >= 0 ? { 'aria-activedescendant': `${id}-suggestion-${active}` } : {}), placeholder: field.placeholder, value: typed, onInput: (event) => {
                    setOpen(true);
                    setMarked(null);
                    onType(event.currentTarget.value);
                }, onKeyDown: onKey, onBlur: () => setOpen(false) }), _jsx("ul", { class: "suggestions", id: `${id}-suggestions`, role: "listbox", "aria-label": t('suggestions'), hidden: !isShown, children: found.map((row, index) => (_jsxs("li", { id: `${id}-suggestion-${index}`, role: "option", "aria-selected": index === active, onMouseDown: (event) => {
                        event.preventDefault();
                        choose(row);
                    }, children: [_jsx(Title, { text: textOf(row, 'title') }), ' ', _jsx("span", { class: "soft", children: typeName(textOf(row, 'primary_type') ?? '') })] }, idOf(row)))) })] }));
}
const idOf = (row) => textOf(row, 'id') ?? textOf(row, 'uri') ?? '';
function useSuggested(q, repository, type) {
    const { value } = useAsked(q === null ? null : `${repository ?? ''}/search/suggest`, { q: q ?? '', type, limit: 8 });
    return q !== null && isObject(value) ? objectsOf(value, 'suggestions') : [];
}
