import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useState } from 'preact/hooks';
import { textOf } from '../../../libs/domain/json.js';
import { codesRow } from '../../../libs/domain/spreadsheets/codes-row.js';
import { Fault } from '../asking.js';
import { Combobox } from '../finding/combobox.js';
import { useGoingOn } from '../going-on.js';
import { may } from '../session.js';
import { number, t } from '../words.js';
import { Sending } from './sending.js';
import { startJob } from './start-job.js';
import { s } from './words.js';
const zip = [0x50, 0x4b, 0x03, 0x04];
export function sheetFormat(beginning) {
    if (zip.every((byte, at) => beginning[at] === byte))
        return 'xlsx';
    const text = new TextDecoder().decode(beginning).trimStart();
    return !text.startsWith('<') && text.split(/[\r\n]+/).some((row) => codesRow.test(row.split(',', 1)[0] ?? ''))
        ? 'csv'
        : null;
}
const purposes = ['load_ao', 'load_digital', 'update'];
export function Sheet({ repository, sheet, onRemove }) {
    const offered = purposes.filter((each) => each === 'load_ao' || may('update_resource_record', repository));
    const [purpose, setPurpose] = useState('load_ao');
    const [typed, setTyped] = useState('');
    const [collection, setCollection] = useState(null);
    const [fault, setFault] = useState(null);
    const [isSending, setSending] = useState(false);
    const goOn = useGoingOn();
    const id = (textOf(collection ?? {}, 'uri') ?? '').split('/').at(-1) ?? '';
    const isReady = !isSending && (purpose === 'update' || id !== '');
    const send = async (isOnlyChecked) => {
        setSending(true);
        setFault(null);
        try {
            const job = jobOf(sheet, purpose, id, isOnlyChecked);
            const uri = await startJob(repository, job, [sheet.file], purpose === 'update' ? null : JSON.stringify({ rid: Number(id) }));
            goOn(`/console/job${uri}`);
        }
        catch (error) {
            setFault(error);
            setSending(false);
        }
    };
    return (_jsxs("form", { class: "import", "aria-label": s('sheet'), onSubmit: (event) => {
            event.preventDefault();
            if (isReady)
                void send(true);
        }, children: [_jsx("ul", { class: "files", "aria-label": t('files'), children: _jsxs("li", { children: [_jsx("bdi", { children: sheet.file.name }), ' ', _jsxs("span", { class: "soft", children: [number(Math.ceil(sheet.file.size / 1024)), " KB \u00B7 ", s('sheet')] }), _jsx("button", { type: "button", "aria-label": t('remove', { name: sheet.file.name }), onClick: onRemove, children: "\u00D7" })] }) }), _jsxs("label", { class: "choice", children: [_jsx("span", { children: s('purpose') }), _jsx("select", { value: purpose, onChange: (event) => setPurpose(purposes.find((each) => each === event.currentTarget.value) ?? 'load_ao'), children: offered.map((each) => (_jsx("option", { value: each, children: s(each) }, each))) })] }), purpose !== 'update' && (_jsxs(_Fragment, { children: [_jsx(Combobox, { id: "collection", label: s('collection'), typed: typed, onType: (text) => {
                            setTyped(text);
                            setCollection(null);
                        }, onChoose: (row) => {
                            setCollection(row);
                            setTyped(textOf(row, 'title') ?? '');
                        }, repository: repository, types: ['resource'] }), _jsx("p", { class: "hint", role: "status", children: collection === null
                            ? s('collection_hint')
                            : s('chosen', { title: `${textOf(collection, 'title') ?? ''} (${textOf(collection, 'uri') ?? ''})` }) })] })), fault !== null && _jsx(Fault, { fault: fault }), _jsxs("div", { class: "buttons", children: [_jsx("button", { class: "main", disabled: !isReady, children: t('validate') }), _jsx("button", { type: "button", disabled: !isReady, onClick: () => void send(false), children: t('import_now') })] }), isSending ? _jsx(Sending, {}) : _jsx("p", { class: "soft", children: s('check_more') })] }));
}
function jobOf({ file, format }, purpose, id, isOnlyChecked) {
    if (purpose === 'update')
        return { jsonmodel_type: 'bulk_archival_object_updater_job', dry_run: isOnlyChecked };
    return {
        jsonmodel_type: 'bulk_import_job',
        resource_id: id,
        filename: file.name,
        load_type: purpose === 'load_ao' ? 'ao' : 'digital',
        content_type: format,
        format,
        ...(isOnlyChecked ? { only_validate: 'true' } : {}),
    };
}
