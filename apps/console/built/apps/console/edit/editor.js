import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ServiceError } from '../../../libs/client/errors.js';
import { askBeforeLeaving, go, query, recordAddress } from '../address.js';
import { Ask } from '../ask.js';
import { Fault } from '../asking.js';
import { typeName } from '../labels.js';
import { Title } from '../markup.js';
import { forgetRepositories } from '../repositories.js';
import { said } from '../saying.js';
import { time } from '../words.js';
import { Conflict } from './conflict.js';
import { dropDraft, keepDraft, placeOfDraft, readDraft } from './drafts.js';
import { FaultList, faultsIn } from './faults.js';
import { Fields } from './fields.js';
import { InForm } from './form.js';
import { renewLists } from './lists.js';
import { fieldsOfRecord } from './schema.js';
import { sendChanges, sendNew } from './sending.js';
import { changedBetween, unchosenIn, unstorableIn } from './values.js';
import { e } from './words.js';
const restMs = 300;
export function Editor({ schemas, kind, address, draftAt, record, beginning, heading }) {
    const fields = useMemo(() => fieldsOfRecord(schemas, kind), [schemas, kind]);
    useMemo(renewLists, []);
    const names = fields.map(({ name }) => name);
    const place = useMemo(() => placeOfDraft(draftAt), [draftAt]);
    const draft = useMemo(() => readDraft(place), [place]);
    const base = useSignal(draft?.base ?? beginning);
    const value = useSignal(draft?.value ?? beginning);
    const faults = useSignal({});
    const refused = useSignal(0);
    const isKept = useSignal(true);
    const isChanged = useComputed(() => changedBetween(names, base.value, value.value).length > 0);
    const [fault, setFault] = useState(null);
    const [isSaving, setSaving] = useState(false);
    const [isAhead, setAhead] = useState(false);
    const [theirs, setTheirs] = useState(null);
    const [asked, setAsked] = useState(null);
    const timer = useRef(null);
    const isLeft = useRef(false);
    const open = useRef({ unanswered: draft?.unanswered ?? null, change: null, keep: () => keep() });
    const keep = () => {
        clearTimeout(timer.current ?? undefined);
        timer.current = null;
        if (isChanged.peek())
            isKept.value = keepDraft(place, base.peek(), value.peek(), open.current.unanswered);
        else
            dropDraft(place);
    };
    const form = useMemo(() => ({
        schemas,
        repository: /^\/repositories\/\d+/.exec(address)?.[0] ?? null,
        value,
        faults,
        refused,
        onChange: () => {
            clearTimeout(timer.current ?? undefined);
            timer.current = setTimeout(keep, restMs);
        },
    }), [schemas, address]);
    const keepAtLast = () => {
        if (timer.current !== null || isChanged.peek())
            keep();
    };
    useEffect(() => {
        const warn = (event) => {
            keepAtLast();
            if (isChanged.peek())
                event.preventDefault();
        };
        addEventListener('beforeunload', warn);
        askBeforeLeaving((goOn) => {
            keepAtLast();
            if (isChanged.peek())
                setAsked({ leave: goOn, isDiscard: false });
            return !isChanged.peek();
        });
        return () => {
            removeEventListener('beforeunload', warn);
            askBeforeLeaving(null);
            keepAtLast();
            isLeft.current = true;
        };
    }, []);
    const leaveBy = (goOn) => {
        if (isLeft.current)
            return;
        askBeforeLeaving(null);
        goOn();
    };
    const leave = (to) => leaveBy(() => go(to, true));
    const forget = () => {
        clearTimeout(timer.current ?? undefined);
        timer.current = null;
        dropDraft(place);
        base.value = value.peek();
    };
    const goOnTyping = (saved) => {
        const stored = { ...saved.sent, lock_version: saved.lockVersion };
        if (record === null) {
            const typed = value.peek();
            forget();
            keepDraft(placeOfDraft(saved.uri), stored, typed);
            leave(`/console/edit${saved.uri}${cameFrom('') === undefined ? '' : location.search}`);
            return;
        }
        base.value = stored;
        setAhead(true);
        keep();
    };
    const refuse = async (error) => {
        const found = error instanceof ServiceError ? faultsIn(error) : null;
        if (found !== null) {
            faults.value = found;
            refused.value += 1;
            return;
        }
        throw error;
    };
    const save = async () => {
        if (isSaving)
            return;
        const found = [
            ...unchosenIn(value.peek()).map((path) => [path, [e('choose_one')]]),
            ...unstorableIn(value.peek()).map((path) => [path, [e('no_such_character')]]),
        ];
        if (found.length > 0) {
            faults.value = Object.fromEntries(found);
            refused.value += 1;
            return;
        }
        setSaving(true);
        setFault(null);
        faults.value = {};
        setAhead(false);
        keep();
        const typed = value.peek();
        try {
            const saved = await (record === null
                ? sendNew(address, typed, open.current)
                : sendChanges(address, base.peek(), names, typed, open.current)).catch(async (error) => {
                await refuse(error);
                return null;
            });
            if (saved !== null && 'theirs' in saved)
                setTheirs(saved.theirs);
            else if (saved !== null) {
                if (kind === 'repository')
                    forgetRepositories();
                if (changedBetween(names, saved.sent, value.peek()).length > 0) {
                    said.value = e('typed_since');
                    goOnTyping(saved);
                }
                else {
                    said.value = e('saved');
                    forget();
                    leave(afterwards(saved.uri));
                }
            }
        }
        catch (error) {
            setFault(error);
        }
        setSaving(false);
    };
    const resolve = (next) => {
        base.value = theirs ?? base.value;
        value.value = next;
        setTheirs(null);
        keep();
        void save();
    };
    const onKey = (event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey))
            return;
        event.preventDefault();
        if (theirs === null)
            void save();
    };
    const back = record === null ? (cameFrom('') ?? '/console') : recordAddress(address);
    return (_jsxs(InForm.Provider, { value: form, children: [_jsxs("form", { class: "editor", noValidate: true, onKeyDown: onKey, onSubmit: (event) => event.preventDefault(), children: [_jsx("p", { class: "kicker", children: typeName(kind) }), _jsx("h1", { children: heading === null ? e('new_of', { type: typeName(kind) }) : _jsx(Title, { text: heading }) }), draft !== null && (_jsx("div", { class: "notice", role: "status", children: _jsxs("p", { children: [e('draft_found', { when: time(draft.at) }), ' ', record !== null && record['lock_version'] !== draft.base['lock_version'] ? e('draft_old') : ''] }) })), theirs === null ? (_jsxs(_Fragment, { children: [_jsx(FaultList, {}), _jsx("p", { class: "hint", children: e('needed_hint') }), _jsx(Fields, { path: "", fields: fields })] })) : (_jsx(Conflict, { base: base.peek(), theirs: theirs, mine: value.peek(), names: names, onResolved: resolve })), fault !== null && _jsx(Fault, { fault: fault, again: () => void save() }), _jsxs("div", { class: "actions", children: [theirs === null && (_jsx("button", { type: "button", class: "main", disabled: isSaving, onClick: () => void save(), children: e(isSaving ? 'saving' : 'save') })), _jsx("a", { class: "button", href: back, children: e(record === null ? 'cancel' : 'back') }), isChanged.value && (_jsx("button", { type: "button", onClick: () => setAsked({ leave: () => go(back, true), isDiscard: true }), children: e('discard') })), _jsx("p", { class: "soft", children: e(!isChanged.value ? 'unchanged' : !isKept.value ? 'unkept' : isAhead ? 'typed_since' : 'unsaved') })] })] }), asked !== null && (_jsx(Ask, { title: e(asked.isDiscard ? 'discard' : 'leave_title'), text: e(asked.isDiscard ? 'discard_question' : 'leave_question'), yes: e(asked.isDiscard ? 'discard' : 'leave'), no: e('stay'), onYes: () => {
                    if (asked.isDiscard)
                        forget();
                    leaveBy(asked.leave);
                }, onNo: () => setAsked(null) }))] }));
}
function cameFrom(node) {
    const root = query.value.get('from');
    if (root === null || !/^\/repositories\/\d+\/\w+\/\d+$/.test(root))
        return undefined;
    return `/console/tree${root}${node === '' ? '' : `?node=${encodeURIComponent(node)}`}`;
}
const afterwards = (uri) => cameFrom(uri) ?? recordAddress(uri);
