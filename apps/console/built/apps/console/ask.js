import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useWindow } from './focus.js';
export function Ask({ title, text, yes, no, onYes, onNo }) {
    const dialog = useWindow();
    return (_jsxs("dialog", { ref: dialog, "aria-labelledby": "question", "aria-describedby": "question-more", onCancel: (event) => {
            event.preventDefault();
            onNo();
        }, children: [_jsx("h2", { id: "question", children: title }), _jsx("p", { id: "question-more", children: text }), _jsxs("div", { class: "buttons", children: [_jsx("button", { type: "button", class: "main", onClick: onYes, children: yes }), _jsx("button", { type: "button", onClick: onNo, children: no })] })] }));
}
