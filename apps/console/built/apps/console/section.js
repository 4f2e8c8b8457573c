import { jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
export const Section = ({ id, title, children }) => (_jsxs("section", { "aria-labelledby": id, children: [_jsx("h2", { id: id, children: title }), children] }));
