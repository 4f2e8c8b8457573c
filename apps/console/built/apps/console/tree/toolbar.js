import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.js';
import { Ask } from '../ask.js';
import { Progress } from '../jobs/progress.js';
import { withoutMarkup } from '../markup.js';
import { saidOfPicked } from './changes.js';
import { uriOf } from './waypoints.js';
import { b } from './words.js';
const nodesOf = {
    resource: 'archival_objects',
    digital_object: 'digital_object_components',
    classification: 'classification_terms',
};
export function addAddress({ root, kind, parent, position, level }) {
    const repository = /^\/repositories\/\d+/.exec(root)?.[0] ?? '';
    const query = new URLSearchParams({ from: root, [kind]: root });
    if (parent !== null)
        query.set('parent', parent);
    if (position !== undefined)
        query.set('position', String(position));
    if (level !== undefined)
        query.set('level', level);
    return `/console/new${repository}/${nodesOf[kind] ?? ''}?${query.toString()}`;
}
export function Toolbar({ root, kind, changes, row }) {
    const [asked, setAsked] = useState(null);
    const { picked, cut, busy } = changes;
    const isBusy = busy !== null;
    const entry = row?.entry;
    const button = (text, onClick, isOff = false) => (_jsx("button", { type: "button", disabled: isOff || isBusy, onClick: onClick, children: text }));
    const ask = (isPublic) => setAsked({ uris: changes.meant().map(({ uri }) => uri), isPublic });
    return (_jsxs(_Fragment, { children: [_jsxs("div", { class: "buttons tree-tools", role: "group", "aria-label": b('tools'), children: [row !== undefined && entry !== undefined && (_jsxs(_Fragment, { children: [_jsx("a", { class: "button", href: addAddress({ root, kind, parent: uriOf(entry) }), children: b('add_child') }), _jsx("a", { class: "button", href: addAddress({
                                    root,
                                    kind,
                                    parent: row.parent.uri,
                                    position: row.position + 1,
                                    level: textOf(entry, 'level'),
                                }), children: b('add_sibling') })] })), button(b('cut'), changes.cutMeant, entry === undefined), cut.length > 0 && (_jsxs(_Fragment, { children: [button(b('paste_after'), () => void changes.paste('after')), button(b('paste_into'), () => void changes.paste('into'))] })), changes.canUndo && button(b('undo'), () => void changes.undo()), button(b('publish'), () => ask(true), entry === undefined), button(b('unpublish'), () => ask(false), entry === undefined), button(b('publish_all'), () => setAsked({ uris: [root], isPublic: true })), picked.size + cut.length > 0 && button(b('clear'), changes.clear)] }), _jsx("p", { class: "tree-status soft", children: busy !== null ? (_jsxs(_Fragment, { children: [busy.text, " ", _jsx(Progress, { progress: busy.phase === null ? undefined : toProgress(busy.phase) })] })) : cut.length > 0 ? (b('was_cut', { count: cut.length })) : picked.size > 0 ? (saidOfPicked(picked.size)) : (b('none_picked', { title: withoutMarkup(textOf(entry, 'title') ?? '') })) }), asked !== null && (_jsx(Ask, { title: b(asked.isPublic ? 'publish_title' : 'unpublish_title'), text: b('publish_question', { what: named(asked.uris, changes, root) }), yes: b(asked.isPublic ? 'publish' : 'unpublish'), no: b('no'), onYes: () => {
                    setAsked(null);
                    void changes.publishAll(asked.uris, asked.isPublic);
                }, onNo: () => setAsked(null) }))] }));
}
function named(uris, changes, root) {
    if (uris.length > 1)
        return b('some', { count: uris.length });
    if (uris[0] === root)
        return b('publish_all');
    return withoutMarkup(changes.meant()[0]?.title ?? '');
}
const toProgress = (phase) => ({
    label: phase.label,
    done: phase.done,
    total: phase.total,
    seconds_left: phase.secondsLeft,
});
