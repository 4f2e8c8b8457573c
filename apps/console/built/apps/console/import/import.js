import { Fragment as _Fragment, jsx as _jsx, jsxs as _jsxs } from "preact/jsx-runtime";
import { useEffect, useRef, useState } from 'preact/hooks';
import { fileType } from '../../../libs/domain/formats/file-type.js';
import { beginningBytes } from '../../../libs/domain/formats/reading/beginning.js';
import { isObject, textOf } from '../../../libs/domain/json.js';
import { Fault, Instead, useAsked } from '../asking.js';
import { DropFiles } from '../drop.js';
import { useGoingOn } from '../going-on.js';
import { mayStart } from '../jobs/may-run.js';
import { NoRepository } from '../no-repository.js';
import { RepositoryChoice } from '../repository-choice.js';
import { chosenRepository, readRepositories, repositories } from '../repositories.js';
import { useTitle } from '../title.js';
import { number, t } from '../words.js';
import { Sending } from './sending.js';
import { Sheet, sheetFormat } from './sheet.js';
import { startJob } from './start-job.js';
import { s } from './words.js';
const nothing = { files: [], sheet: null };
export function ImportView() {
    const [fault, setFault] = useState(null);
    const start = () => {
        setFault(null);
        readRepositories().catch(setFault);
    };
    useEffect(start, []);
    useTitle(t('nav_import'));
    if (fault !== null || repositories.value === undefined)
        return _jsx(Instead, { title: t('nav_import'), fault: fault, again: start });
    const repository = chosenRepository(true);
    return (_jsxs(_Fragment, { children: [_jsxs("div", { class: "head", children: [_jsx("h1", { children: t('nav_import') }), _jsx(RepositoryChoice, { chosen: repository, all: false })] }), repository === null ? (_jsx(NoRepository, {})) : mayStart('import_job', repository) ? (_jsx(Import, { repository: repository }, repository)) : (_jsx("p", { class: "empty", children: t('import_denied') }))] }));
}
function Import({ repository }) {
    const types = useAsked(`${repository}/jobs/import_types`);
    const [{ files, sheet }, setTaken] = useState(nothing);
    const taken = useRef(nothing);
    const put = (next) => {
        taken.current = next;
        setTaken(next);
    };
    const [type, setType] = useState('');
    const [passed, setPassed] = useState([]);
    const [isSending, setSending] = useState(false);
    const goOn = useGoingOn();
    const [fault, setFault] = useState(null);
    useEffect(() => {
        if (files.length === 0 && sheet === null)
            return undefined;
        const warn = (event) => event.preventDefault();
        addEventListener('beforeunload', warn);
        return () => removeEventListener('beforeunload', warn);
    }, [files.length, sheet]);
    const take = async (list) => {
        setFault(null);
        const read = await Promise.all(list.map(chosen));
        const found = read.find((each) => each.sheet !== null);
        const before = taken.current;
        const sheets = before.sheet === null ? [] : [before.sheet.file];
        if (found?.sheet != null) {
            setPassed([...before.files.map(({ file }) => file), ...sheets, ...list.filter((file) => file !== found.file)]);
            return put({ files: [], sheet: { file: found.file, format: found.sheet } });
        }
        setPassed(sheets);
        const all = [...before.files, ...read];
        put({ files: all, sheet: null });
        setType(all.find((each) => each.type !== null)?.type ?? '');
    };
    const send = async (onlyValidate) => {
        setSending(true);
        setFault(null);
        try {
            const filenames = files.map(({ file }) => file.name);
            const job = { jsonmodel_type: 'import_job', import_type: type, filenames };
            const uri = await startJob(repository, onlyValidate ? { ...job, only_validate: '1' } : job, files.map(({ file }) => file));
            put(nothing);
            goOn(`/console/job${uri}`);
        }
        catch (error) {
            setFault(error);
            setSending(false);
        }
    };
    const kinds = new Set(files.map((each) => each.type));
    return (_jsxs(_Fragment, { children: [_jsx(DropFiles, { says: t('drop'), accept: ".xml,.csv,.xlsx", isMany: true, onFiles: (list) => void take(list).catch(setFault) }), types.fault !== null && _jsx(Fault, { fault: types.fault, again: types.again }), fault !== null && files.length === 0 && _jsx(Fault, { fault: fault }), passed.length > 0 && (_jsxs("p", { class: "hint", role: "status", children: [s('passed'), " ", _jsx("bdi", { children: passed.map(({ name }) => name).join(', ') })] })), sheet !== null && (_jsx(Sheet, { repository: repository, sheet: sheet, onRemove: () => {
                    put({ files, sheet: null });
                    setPassed([]);
                } }, `${sheet.file.name} ${sheet.file.lastModified}`)), files.length > 0 && (_jsxs("form", { class: "import", onSubmit: (event) => {
                    event.preventDefault();
                    void send(true);
                }, children: [_jsx("ul", { class: "files", "aria-label": t('files'), children: files.map(({ file, type: own }, index) => (_jsxs("li", { children: [_jsx("bdi", { children: file.name }), ' ', _jsxs("span", { class: "soft", children: [number(Math.ceil(file.size / 1024)), " KB \u00B7", ' ', own === null ? t('type_unknown') : nameOf(types.value, own)] }), _jsx("button", { type: "button", "aria-label": t('remove', { name: file.name }), onClick: () => put({ files: files.filter((_, other) => other !== index), sheet }), children: "\u00D7" })] }, `${file.name} ${index}`))) }), kinds.size > 1 && (_jsx("p", { class: "hint", role: "status", children: t('types_differ') })), _jsxs("label", { class: "choice", children: [_jsx("span", { children: t('import_type') }), _jsxs("select", { required: true, value: type, onChange: (event) => setType(event.currentTarget.value), children: [_jsx("option", { value: "", children: t('choose') }), listOf(types.value).map(([name, label]) => (_jsx("option", { value: name, children: label }, name)))] })] }), fault !== null && _jsx(Fault, { fault: fault }), _jsxs("div", { class: "buttons", children: [_jsx("button", { class: "main", disabled: isSending || type === '', children: t('validate') }), _jsx("button", { type: "button", disabled: isSending || type === '', onClick: () => void send(false), children: t('import_now') })] }), isSending ? _jsx(Sending, {}) : _jsx("p", { class: "soft", children: t('validate_more') })] }))] }));
}
const listOf = (value) => Array.isArray(value)
    ? value.filter(isObject).map((each) => {
        const name = textOf(each, 'name') ?? '';
        const about = textOf(each, 'description') ?? '';
        return [name, about === '' ? name : `${name}: ${about}`];
    })
    : [];
const nameOf = (value, type) => listOf(value).find(([name]) => name === type)?.[1] ?? type;
async function chosen(file) {
    const beginning = new Uint8Array(await file.slice(0, beginningBytes).arrayBuffer());
    return { file, type: fileType(beginning, file.name), sheet: sheetFormat(beginning) };
}
