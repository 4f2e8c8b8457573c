import { jsx as _jsx } from "preact/jsx-runtime";
import { render } from 'preact';
import { followLinks } from './address.js';
import { Frame } from './frame.js';
followLinks();
const root = document.getElementById('console');
if (root !== null) {
    root.replaceChildren();
    render(_jsx(Frame, {}), root);
}
