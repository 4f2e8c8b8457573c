import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { t } from './words.js';
export function Pager({ label, page, last, onTurn }) {
    if (last <= 1)
        return null;
    return (_jsxs("nav", { class: "pages", "aria-label": label, children: [_jsx("button", { type: "button", disabled: page <= 1, onClick: () => onTurn(page - 1), children: t('previous') }), _jsx("span", { children: t('page_of', { page, last }) }), _jsx("button", { type: "button", disabled: page >= last, onClick: () => onTurn(page + 1), children: t('next') })] }));
}
