import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { Section } from '../section.js';
import { may } from '../session.js';
import { useTitle } from '../title.js';
import { t } from '../words.js';
import { Comparison } from './comparison.js';
import { Loads } from './loads.js';
import { Start } from './start.js';
import { say } from './words.js';
export function MovingInView() {
    useTitle(t('nav_moving'));
    const [begun, setBegun] = useState(0);
    return (_jsxs(_Fragment, { children: [_jsx("h1", { children: t('nav_moving') }), may('administer_system', null) ? (_jsxs(_Fragment, { children: [_jsx(Section, { id: "how", title: say('how'), children: _jsx(How, {}) }), _jsx(Section, { id: "start", title: say('start'), children: _jsx(Start, { onBegun: () => setBegun(begun + 1) }) }), _jsx(Section, { id: "loads", title: say('loads'), children: _jsx(Loads, {}, begun) }), _jsx(Section, { id: "report", title: say('report'), children: _jsx(Comparison, {}) })] })) : (_jsx("p", { class: "empty", children: say('denied') }))] }));
}
const source = 'https://archives.example.org/api';
function How() {
    const here = `--url ${location.origin}`;
    return (_jsxs(_Fragment, { children: [_jsx("p", { children: say('how_more') }), _jsxs("ol", { class: "steps", children: [_jsxs("li", { children: [say('step_load'), _jsx(Commands, { lines: [`muniment migrate --from ${source} --user admin ${here}`] })] }), _jsxs("li", { children: [say('step_prove'), _jsx(Commands, { lines: [`muniment verify --against ${source} --report differences.ndjson ${here}`] })] }), _jsx("li", { children: say('step_look') })] }), _jsxs("details", { children: [_jsx("summary", { children: say('in_halves') }), _jsx("p", { children: say('halves_more') }), _jsx(Commands, { lines: [
                            `muniment migrate --from ${source} --user admin --into archive`,
                            `muniment migrate --from archive ${here}`,
                            `muniment verify --against archive --report differences.ndjson ${here}`,
                        ] })] }), _jsxs("p", { class: "hint", children: [say('guide'), " ", _jsx("code", { children: "docs/guides/migrating.md" })] })] }));
}
const Commands = ({ lines }) => (_jsx("pre", { class: "commands", children: lines.join('\n') }));
