import { jsx as _jsx } from "preact/jsx-runtime";
import { s } from './words.js';
export const Sending = () => (_jsx("p", { class: "soft", role: "status", children: s('sending') }));
