import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { Ask } from '../ask.js';
import { Fault } from '../asking.js';
import { said } from '../saying.js';
import { service } from '../session.js';
import { speaker } from '../words.js';
const say = speaker({
    en: {
        bring_back: 'Bring this version back',
        question: 'The record becomes what it was then, as a new version: nothing that came after it is lost from the history. Its place in a tree stays.',
        no: 'Cancel',
        done: 'The version was brought back.',
    },
    de: {
        bring_back: 'Diese Fassung zurückholen',
        question: 'Der Datensatz wird wieder, was er damals war, als neue Fassung: Was danach kam, bleibt in der Geschichte. Seine Stelle in einem Baum bleibt.',
        no: 'Abbrechen',
        done: 'Die Fassung wurde zurückgeholt.',
    },
});
export function Restore({ uri, lockVersion, to, onDone }) {
    const [isAsked, setAsked] = useState(false);
    const [fault, setFault] = useState(null);
    const restore = () => {
        setAsked(false);
        setFault(null);
        service
            .ask(`${uri}/history/${to.version}/restore`, {
            method: 'POST',
            query: { state: to.state, lock_version: lockVersion },
        })
            .then(() => {
            said.value = say('done');
            onDone();
        }, setFault);
    };
    return (_jsxs(_Fragment, { children: [_jsx("button", { type: "button", onClick: () => setAsked(true), children: say('bring_back') }), fault !== null && _jsx(Fault, { fault: fault }), isAsked && (_jsx(Ask, { title: say('bring_back'), text: say('question'), yes: say('bring_back'), no: say('no'), onYes: restore, onNo: () => setAsked(false) }))] }));
}
