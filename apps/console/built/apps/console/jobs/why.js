import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { objectOf, objectsOf, textOf } from '../../../libs/domain/json.js';
import { recordAddress } from '../address.js';
import { Title } from '../markup.js';
import { givenFiles } from './given-files.js';
import { j } from './words.js';
export function Why({ job }) {
    const reason = objectOf(job, 'reason');
    if (reason === undefined)
        return null;
    const records = objectsOf(reason, 'records');
    const follows = textOf(objectOf(reason, 'job'), 'ref');
    const by = textOf(reason, 'by');
    const files = givenFiles(objectOf(job, 'job') ?? {});
    return (_jsxs("p", { class: "why", children: [by === 'clock' ? j('by_clock') : by === 'service' ? j('by_service') : j('by_request', { who: whoOf(job) }), files.length > 0 && ` ${j('with_files', { files: files.join(', ') })}`, follows !== undefined && (_jsxs(_Fragment, { children: [' ', j('goes_on'), " ", _jsx("a", { href: recordAddress(follows), children: j('job_number', { id: follows.split('/').at(-1) ?? '' }) }), '.'] })), records.length > 0 && (_jsxs(_Fragment, { children: [' ', j('for_records'), ' ', records.map((record, index) => (_jsxs("span", { children: [index > 0 && ', ', _jsx("a", { href: recordAddress(textOf(record, 'ref') ?? ''), children: _jsx(Title, { text: nameOf(record) }) })] }, textOf(record, 'ref')))), '.'] }))] }));
}
const whoOf = (job) => textOf(job, 'owner') ?? '–';
function nameOf(record) {
    const found = objectOf(record, '_resolved');
    return (textOf(found, 'display_string') ?? textOf(found, 'title') ?? textOf(found, 'name') ?? textOf(record, 'ref') ?? '');
}
