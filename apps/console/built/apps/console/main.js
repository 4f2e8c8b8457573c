import { jsx as _jsx } from "preact/jsx-runtime";
import { render } from 'preact';
import { followLinks } from './address.js';
import { keepFocus } from './focus.js';
import { Frame } from './frame.js';
followLinks();
keepFocus();
const root = document.getElementById('console');
if (root !== null) {
    root.replaceChildren();
    render(_jsx(Frame, {}), root);
}
