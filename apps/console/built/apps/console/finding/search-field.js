import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.js';
import { go, recordAddress } from '../address.js';
import { useAsked, useRested } from '../asking.js';
import { typeName } from '../labels.js';
import { Title } from '../markup.js';
import { t } from '../words.js';
export function SearchField({ typed, onType, repository }) {
    const [isOpen, setOpen] = useState(false);
    const [active, setActive] = useState(-1);
    const rested = useRested(typed.trim(), 120);
    const path = `${repository ?? ''}/search/suggest`;
    const isAsked = isOpen && rested.length > 1 && !rested.startsWith('/');
    const { value } = useAsked(isAsked ? path : null, { q: rested, limit: 8 });
    const found = isAsked && isObject(value) ? objectsOf(value, 'suggestions') : [];
    const isShown = found.length > 0;
    const open = (row) => {
        setOpen(false);
        if (row !== undefined)
            go(recordAddress(textOf(row, 'uri') ?? ''));
    };
    const onKey = (event) => {
        if (event.key === 'Escape' && isShown) {
            event.preventDefault();
            setOpen(false);
        }
        else if (event.key === 'Enter') {
            event.preventDefault();
            open(isShown && active >= 0 ? found[active] : undefined);
        }
        else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            setOpen(true);
            const step = event.key === 'ArrowDown' ? 1 : -1;
            const places = found.length + 1;
            setActive(((active + 1 + step + places) % places) - 1);
        }
    };
    return (_jsxs("div", { class: "search-field", children: [_jsx("label", { for: "search", children: t('search') }), _jsx("input", { id: "search", type: "search", role: "combobox", list: undefined, autocomplete: "off", spellcheck: false, dir: "auto", "aria-expanded": isShown, "aria-controls": "suggestions", "aria-autocomplete": "list", ...(isShown && active >= 0 ? { 'aria-activedescendant': `suggestion-${active}` } : {}), placeholder: t('search_hint'), value: typed, onInput: (event) => {
                    setOpen(true);
                    setActive(-1);
                    onType(event.currentTarget.value);
                }, onKeyDown: onKey, onBlur: () => setOpen(false) }), _jsx("ul", { id: "suggestions", role: "listbox", "aria-label": t('suggestions'), hidden: !isShown, children: found.map((row, index) => (_jsxs("li", { id: `suggestion-${index}`, role: "option", "aria-selected": index === active, onMouseDown: (event) => {
                        event.preventDefault();
                        open(row);
                    }, children: [_jsx(Title, { text: textOf(row, 'title') }), ' ', _jsx("span", { class: "soft", children: typeName(textOf(row, 'primary_type') ?? '') })] }, textOf(row, 'id')))) })] }));
}
