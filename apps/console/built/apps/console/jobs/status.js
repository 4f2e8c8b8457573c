import { jsx as _jsx } from "preact/jsx-runtime";
import { valueName } from '../labels.js';
export const Status = ({ status }) => (_jsx("span", { class: `status ${status}`, children: valueName('status', status) }));
